/* Kernel metadata: MessagePack that is judged plain is one whole value, with and without bytes behind it, and AMD's code
 * object manager, which ends the process on what it does not expect, lives through reading it. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_metadata.h"
#include "bench/hipsim/sim_msgpack.h"
#include "fuzz_target.h"

/* LLVM AMDGPUUsage, "ELF Header" and "Note Records". */
enum {
  MACHINE_AMDGPU = 224,
  OSABI_HSA = 64,
  ABI_V4 = 2,
  MACH_GFX90A = 0x3f,
  NOTE_METADATA = 32,
  NAME_BYTES = 8
};

struct file {
  Elf64_Ehdr header;
  Elf64_Phdr segment;
  Elf64_Nhdr note;
  char name[NAME_BYTES];
};

/* The least ELF file that the manager takes: a header and one note. */
static uint8_t *wrap(const uint8_t *data, size_t size, size_t *bytes) {
  const size_t padded = (size + 3) / 4 * 4;
  const struct file file = {
      .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT,
                             OSABI_HSA, ABI_V4},
                 .e_type = ET_DYN,
                 .e_machine = MACHINE_AMDGPU,
                 .e_version = EV_CURRENT,
                 .e_flags = MACH_GFX90A,
                 .e_phoff = offsetof(struct file, segment),
                 .e_ehsize = sizeof(Elf64_Ehdr),
                 .e_phentsize = sizeof(Elf64_Phdr),
                 .e_phnum = 1,
                 .e_shentsize = sizeof(Elf64_Shdr)},
      .segment = {.p_type = PT_NOTE,
                  .p_flags = PF_R,
                  .p_offset = offsetof(struct file, note),
                  .p_filesz = sizeof(Elf64_Nhdr) + NAME_BYTES + padded,
                  .p_align = 4},
      .note = {.n_namesz = sizeof "AMDGPU", .n_descsz = (uint32_t)size, .n_type = NOTE_METADATA},
      .name = "AMDGPU"};
  *bytes = sizeof file + padded;
  uint8_t *copy = calloc(1, *bytes);
  if (copy == NULL)
    return NULL;
  memcpy(copy, &file, sizeof file);
  if (size > 0)
    memcpy(copy + sizeof file, data, size);
  return copy;
}

static void read_kernels(const struct sim_metadata *metadata) {
  for (size_t i = 0; i < metadata->kernel_count; i++) {
    const struct sim_kernel_metadata *kernel = &metadata->kernels[i];
    FUZZ_REQUIRE(kernel->name != NULL && kernel->symbol != NULL);
    FUZZ_REQUIRE(kernel->argument_count <= SIM_ARGUMENTS_MAX);
    for (size_t a = 0; a < kernel->argument_count; a++) {
      const struct sim_argument *argument = &kernel->arguments[a];
      FUZZ_REQUIRE((uint64_t)argument->offset + argument->bytes <= kernel->kernarg_bytes);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const bool plain = sim_msgpack_is_plain(data, size);
  /* A value ends where it ends: bytes behind it change nothing, and a part of what is none is none. */
  uint8_t *more = calloc(1, size + 1);
  FUZZ_REQUIRE(more != NULL);
  if (size > 0)
    memcpy(more, data, size);
  FUZZ_REQUIRE(!plain || sim_msgpack_is_plain(more, size + 1));
  FUZZ_REQUIRE(plain || !sim_msgpack_is_plain(data, size / 2));
  free(more);
  if (!plain)
    return 0;
  size_t bytes;
  uint8_t *file = wrap(data, size, &bytes);
  FUZZ_REQUIRE(file != NULL);
  struct sim_metadata metadata;
  struct ckt_error error = {0};
  const int status = sim_metadata_read(file, bytes, &metadata, &error);
  if (status == CKT_OK) {
    read_kernels(&metadata);
    sim_metadata_free(&metadata);
  } else {
    FUZZ_REQUIRE(error.code == status && error.text[0] != '\0');
  }
  free(file);
  return 0;
}
