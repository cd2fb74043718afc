#include "bench/hipsim/sim_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_device.h"
#include "bench/hipsim/sim_elf.h"
#include "bench/hipsim/sim_lines.h"
#include "bench/hipsim/sim_model.h"

struct variable {
  char *name;
  uint64_t address, bytes;
};

struct sim_module {
  struct sim_memory *memory;
  enum sim_arch arch;
  uint64_t image; /* address; 0: not placed yet */
  uint64_t image_bytes;
  struct sim_code *code;
  struct sim_lines *lines; /* NULL: none */
  struct sim_metadata metadata;
  struct sim_function *functions; /* one a kernel of the metadata */
  struct variable *variables;
  size_t variable_count;
};

/* ---- the image ---- */

/* Parts of the image: one a segment. Returns how many, or -1. */
static int collect_parts(const struct sim_elf *elf, struct sim_part parts[SIM_PARTS_MAX]) {
  int count = 0;
  for (size_t i = 0; i < elf->header.e_phnum; ++i) {
    Elf64_Phdr segment;
    sim_elf_segment(elf, i, &segment);
    if (segment.p_type != PT_LOAD || segment.p_memsz == 0)
      continue;
    if (count == SIM_PARTS_MAX)
      return -1;
    parts[count++] = (struct sim_part){.offset = segment.p_vaddr,
                                       .bytes = segment.p_memsz,
                                       .kind = SIM_SPAN_CODE,
                                       .writable = (segment.p_flags & PF_W) != 0};
  }
  return count;
}

static int place_image(struct sim_module *module, const struct sim_elf *elf, struct ckt_error *error) {
  struct sim_part parts[SIM_PARTS_MAX];
  const int count = collect_parts(elf, parts);
  if (count <= 0)
    return ckt_fail(error, CKT_E_INPUT, "code object: it has no segments, or more than %d; compile it again",
                    SIM_PARTS_MAX);
  module->image_bytes = elf->image_bytes;
  module->image = sim_memory_allocate_parts(module->memory, elf->image_bytes, parts, (size_t)count);
  if (module->image == 0)
    return ckt_fail(error, CKT_E_NOMEM,
                    "code object: no device memory for its image of %llu bytes; free some",
                    (unsigned long long)elf->image_bytes);
  uint8_t *memory = (uint8_t *)(uintptr_t)module->image;
  for (size_t i = 0; i < elf->header.e_phnum; ++i) {
    Elf64_Phdr segment;
    sim_elf_segment(elf, i, &segment);
    if (segment.p_type == PT_LOAD)
      memcpy(memory + segment.p_vaddr, elf->bytes + segment.p_offset, segment.p_filesz);
  }
  return sim_elf_relocate(elf, memory, module->image, error);
}

/* The segment that may be executed; a code object has one. */
static int decode_text(struct sim_module *module, const struct sim_elf *elf, struct ckt_error *error) {
  for (size_t i = 0; i < elf->header.e_phnum; ++i) {
    Elf64_Phdr segment;
    sim_elf_segment(elf, i, &segment);
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 || segment.p_memsz < 4)
      continue;
    const uint64_t address = module->image + segment.p_vaddr;
    if (address % 4 != 0)
      return ckt_fail(error, CKT_E_INPUT,
                      "code object: its code is not aligned to 4 bytes; compile it again");
    module->code =
        sim_code_decode((const void *)(uintptr_t)address, segment.p_memsz / 4 * 4, address, module->arch);
    return module->code != NULL
               ? CKT_OK
               : ckt_fail(error, CKT_E_NOMEM, "code object: no memory to decode it; free some");
  }
  return ckt_fail(error, CKT_E_INPUT, "code object: it has no code; compile it again");
}

/* ---- kernels (LLVM AMDGPUUsage, "Kernel Descriptor") ---- */

enum {
  DESCRIPTOR_BYTES = 64,
  KD_LDS = 0,
  KD_SCRATCH = 4,
  KD_KERNARG = 8,
  KD_ENTRY = 16,
  KD_RSRC3 = 44,
  KD_RSRC1 = 48,
  KD_RSRC2 = 52,
  KD_PROPERTIES = 56,
  DYNAMIC_STACK_BYTES = 1024, /* HIP's default stack of a work-item (hipLimitStackSize) */
  SGPRS_NAMED = 102,
};

static uint32_t u32_at(const uint8_t *bytes, size_t offset) {
  uint32_t value;
  memcpy(&value, bytes + offset, sizeof value);
  return value;
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* Registers from the granulated counts. */
static void take_registers(struct sim_kernel *kernel, const struct sim_arch_facts *arch) {
  const uint32_t total = ((kernel->rsrc1 & 0x3f) + 1) * arch->vector_granule;
  if (arch->unified) {
    kernel->accum_offset = ((kernel->rsrc3 & 0x3f) + 1) * 4;
    kernel->vgprs = least(least(kernel->accum_offset, total), 256);
    kernel->agprs = total > kernel->accum_offset ? least(total - kernel->accum_offset, 256) : 0;
  } else { /* two files of one size */
    kernel->vgprs = least(total, 256);
    kernel->agprs = kernel->vgprs;
  }
  kernel->sgprs = least((((kernel->rsrc1 >> 6 & 0xf) >> 1) + 1) * 16, SGPRS_NAMED);
}

static int take_descriptor(struct sim_module *module, uint64_t offset, struct sim_function *function,
                           struct ckt_error *error) {
  struct sim_kernel *kernel = &function->kernel;
  const struct sim_arch_facts *arch = sim_arch_facts(module->arch);
  if (offset > module->image_bytes || module->image_bytes - offset < DESCRIPTOR_BYTES)
    return ckt_fail(error, CKT_E_INPUT,
                    "code object: the descriptor of kernel '%.200s' lies outside; compile it again",
                    kernel->name);
  const uint8_t *bytes = (const uint8_t *)(uintptr_t)(module->image + offset);
  uint64_t entry;
  memcpy(&entry, bytes + KD_ENTRY, sizeof entry);
  kernel->entry = module->image + offset + entry;
  kernel->code = module->code;
  kernel->lds_bytes = u32_at(bytes, KD_LDS);
  kernel->scratch_bytes = u32_at(bytes, KD_SCRATCH);
  kernel->kernarg_bytes = u32_at(bytes, KD_KERNARG);
  kernel->rsrc1 = u32_at(bytes, KD_RSRC1);
  kernel->rsrc2 = u32_at(bytes, KD_RSRC2);
  kernel->rsrc3 = u32_at(bytes, KD_RSRC3);
  memcpy(&kernel->properties, bytes + KD_PROPERTIES, sizeof kernel->properties);
  if (kernel->entry % 4 != 0 || kernel->entry - module->code->base >= module->code->size)
    return ckt_fail(error, CKT_E_INPUT,
                    "code object: kernel '%.200s' does not begin in its code; compile it again",
                    kernel->name);
  if (kernel->lds_bytes > arch->lds_bytes)
    return ckt_fail(error, CKT_E_INPUT,
                    "code object: kernel '%.200s' wants %u bytes of LDS, %s has %u; use less", kernel->name,
                    kernel->lds_bytes, arch->name, arch->lds_bytes);
  take_registers(kernel, arch);
  return CKT_OK;
}

/* Segments of scratch a work-item can be larger than any code that is not broken asks for. */
enum { SCRATCH_MAX = 1 << 20, KERNARG_MAX = 1 << 16 };

static int finish_function(struct sim_module *module, struct sim_function *function,
                           struct ckt_error *error) {
  const struct sim_kernel_metadata *metadata = function->metadata;
  struct sim_kernel *kernel = &function->kernel;
  if (metadata->wave_size != SIM_LANES)
    return ckt_fail(
        error, CKT_E_INPUT,
        "code object: kernel '%.200s' is compiled for waves of %u, the device has %d; compile it again",
        kernel->name, metadata->wave_size, SIM_LANES);
  if (kernel->kernarg_bytes < metadata->kernarg_bytes)
    kernel->kernarg_bytes = metadata->kernarg_bytes;
  if (metadata->dynamic_stack != 0 && kernel->scratch_bytes < DYNAMIC_STACK_BYTES)
    kernel->scratch_bytes = DYNAMIC_STACK_BYTES;
  if (kernel->scratch_bytes > SCRATCH_MAX || kernel->kernarg_bytes > KERNARG_MAX)
    return ckt_fail(
        error, CKT_E_INPUT,
        "code object: kernel '%.200s' wants %u bytes of scratch a work-item and %u of arguments; use less",
        kernel->name, kernel->scratch_bytes, kernel->kernarg_bytes);
  kernel->max_block = metadata->max_block;
  for (size_t i = 0; i < metadata->argument_count; ++i) {
    const struct sim_argument *argument = &metadata->arguments[i];
    if (argument->kind == SIM_ARGUMENT_EXPLICIT &&
        argument->offset + argument->bytes > function->explicit_bytes)
      function->explicit_bytes = argument->offset + argument->bytes;
  }
  function->waves_simd = sim_waves_simd(module->arch, kernel);
  return CKT_OK;
}

/* ---- symbols ---- */

static int note_variable(struct sim_module *module, const Elf64_Sym *symbol, const char *name) {
  if (symbol->st_value > module->image_bytes || symbol->st_size > module->image_bytes - symbol->st_value)
    return 0;
  struct variable *variables = realloc(module->variables, (module->variable_count + 1) * sizeof *variables);
  if (variables == NULL)
    return -1;
  module->variables = variables;
  char *copy = strdup(name);
  if (copy == NULL)
    return -1;
  variables[module->variable_count++] =
      (struct variable){.name = copy, .address = module->image + symbol->st_value, .bytes = symbol->st_size};
  return 0;
}

static struct sim_function *function_of_symbol(struct sim_module *module, const char *symbol) {
  for (size_t i = 0; i < module->metadata.kernel_count; ++i)
    if (strcmp(module->metadata.kernels[i].symbol, symbol) == 0)
      return &module->functions[i];
  return NULL;
}

static int take_symbols(struct sim_module *module, const struct sim_elf *elf, struct ckt_error *error) {
  for (uint64_t i = 0; i < elf->dynsym_count; ++i) {
    Elf64_Sym symbol;
    const char *name;
    if (sim_elf_symbol(elf, i, &symbol, &name) != 0)
      return ckt_fail(error, CKT_E_INPUT,
                      "code object: a symbol's name lies outside of the file; compile it again");
    if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT)
      continue;
    struct sim_function *function = function_of_symbol(module, name);
    if (function != NULL)
      CKT_TRY(take_descriptor(module, symbol.st_value, function, error));
    else if (note_variable(module, &symbol, name) != 0)
      return ckt_fail(error, CKT_E_NOMEM, "code object: no memory for its symbols; free some");
  }
  for (size_t i = 0; i < module->metadata.kernel_count; ++i) {
    struct sim_function *function = &module->functions[i];
    if (function->kernel.code == NULL)
      return ckt_fail(error, CKT_E_INPUT, "code object: kernel '%.200s' has no descriptor; compile it again",
                      function->kernel.name);
    CKT_TRY(finish_function(module, function, error));
  }
  return CKT_OK;
}

/* ---- loading ---- */

static int name_functions(struct sim_module *module, struct ckt_error *error) {
  const size_t count = module->metadata.kernel_count;
  module->functions = calloc(count + 1, sizeof *module->functions);
  if (module->functions == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "code object: no memory for its kernels; free some");
  for (size_t i = 0; i < count; ++i) {
    module->functions[i].metadata = &module->metadata.kernels[i];
    module->functions[i].kernel.name = module->metadata.kernels[i].name;
    module->functions[i].module = module;
  }
  return CKT_OK;
}

static int load(struct sim_module *module, const void *image, size_t size, struct ckt_error *error) {
  struct sim_elf elf;
  const uint8_t *bytes;
  size_t length;
  CKT_TRY(sim_elf_pick(image, size, module->arch, &bytes, &length, error));
  CKT_TRY(sim_elf_open(bytes, length, module->arch, &elf, error));
  CKT_TRY(sim_metadata_read(bytes, length, &module->metadata, error));
  CKT_TRY(name_functions(module, error));
  CKT_TRY(place_image(module, &elf, error));
  CKT_TRY(decode_text(module, &elf, error));
  module->lines = sim_lines_keep(bytes, length);
  return take_symbols(module, &elf, error);
}

int sim_module_load(struct sim_memory *memory, enum sim_arch arch, const void *image, size_t size,
                    struct sim_module **module, struct ckt_error *error) {
  *module = calloc(1, sizeof **module);
  if (*module == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "code object: no memory to load it; free some");
  (*module)->memory = memory;
  (*module)->arch = arch;
  const int status = load(*module, image, size, error);
  if (status != CKT_OK)
    sim_module_free(module);
  return status;
}

void sim_module_free(struct sim_module **module) {
  struct sim_module *m = *module;
  *module = NULL;
  if (m == NULL)
    return;
  if (m->code != NULL)
    sim_code_free(m->code);
  sim_lines_free(m->lines);
  if (m->image != 0)
    sim_memory_release(m->memory, m->image);
  for (size_t i = 0; i < m->variable_count; ++i)
    free(m->variables[i].name);
  free(m->variables);
  free(m->functions);
  sim_metadata_free(&m->metadata);
  free(m);
}

/* ---- looking up ---- */

struct sim_function *sim_module_function(struct sim_module *module, const char *name) {
  for (size_t i = 0; i < module->metadata.kernel_count; ++i)
    if (strcmp(module->metadata.kernels[i].name, name) == 0)
      return &module->functions[i];
  return NULL;
}

bool sim_module_owns(const struct sim_module *module, const struct sim_function *function) {
  for (size_t i = 0; i < module->metadata.kernel_count; ++i)
    if (&module->functions[i] == function)
      return true;
  return false;
}

int sim_module_variable(const struct sim_module *module, const char *name, uint64_t *address,
                        uint64_t *bytes) {
  for (size_t i = 0; i < module->variable_count; ++i)
    if (strcmp(module->variables[i].name, name) == 0) {
      *address = module->variables[i].address;
      *bytes = module->variables[i].bytes;
      return 0;
    }
  return -1;
}

void sim_module_line(const struct sim_module *module, uint64_t address, char *text, size_t size) {
  text[0] = '\0';
  if (module->lines != NULL && address >= module->image && address - module->image < module->image_bytes)
    sim_lines_find(module->lines, address - module->image, text, size);
}

void sim_module_names(const struct sim_module *module, char *text, size_t size) {
  size_t length = 0;
  text[0] = '\0';
  for (size_t i = 0; i < module->metadata.kernel_count && length < size; ++i)
    length += (size_t)snprintf(text + length, size - length, "%s%s", i == 0 ? "" : ", ",
                               module->metadata.kernels[i].name);
}
