#include "bench/hipsim/sim_elf.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/hipsim/sim_device.h"
#include "bench/hipsim/sim_msgpack.h"

/* LLVM AMDGPUUsage, "ELF Header". */
enum {
  MACHINE_AMDGPU = 224,
  OSABI_AMDGPU_HSA = 64,
  ABI_V3 = 1,
  ABI_V4 = 2,
  ABI_V6 = 4,
  FLAG_MACH = 0xff,
  FLAG_XNACK = 0x300,
  FLAG_XNACK_ON = 0x300,
  FLAG_SRAMECC = 0xc00,
  FLAG_SRAMECC_OFF = 0x800,
};

/* [offset, offset + length) lies in a file of `size` bytes. */
static bool fits(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

static int bad(struct ckt_error *error, const char *what) {
  return ckt_fail(error, CKT_E_INPUT, "code object: %s; compile it again", what);
}

/* Whether pages are there to be read, for an image whose size no one told: msync refuses what is not mapped. */
static bool is_mapped(const uint8_t *bytes, uint64_t length) {
  const uintptr_t page = 4096, begin = (uintptr_t)bytes / page * page;
  return msync((void *)begin, (uintptr_t)bytes + length - begin, MS_ASYNC) == 0;
}

/* What was handed over: `size` bytes, or, where no one told, as far as pages go. */
struct image {
  const uint8_t *bytes;
  size_t size;
  bool told;
};

static bool has(const struct image *image, uint64_t offset, uint64_t length) {
  return fits(offset, length, image->size) && (image->told || is_mapped(image->bytes + offset, length));
}

/* ---- bundles (clang documentation, "Clang Offload Bundler", binary format) ---- */

static const char bundle_magic[] = "__CLANG_OFFLOAD_BUNDLE__";
enum { BUNDLE_MAGIC = sizeof bundle_magic - 1, BUNDLE_ENTRIES_MAX = 4096, BUNDLE_ID_MAX = 256 };

struct bundle_entry {
  uint64_t offset, bytes, id_bytes;
};

/* "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-": the target follows the last "--". A feature that is named must
 * be as the device has it. */
static bool entry_is_for(const char *id, size_t length, const struct sim_arch_facts *arch) {
  char text[BUNDLE_ID_MAX + 1];
  if (length > BUNDLE_ID_MAX || length < 3 || memcmp(id, "hip", 3) != 0)
    return false;
  memcpy(text, id, length);
  text[length] = '\0';
  const char *target = strstr(text, "--");
  if (target == NULL)
    return false;
  target += 2;
  const size_t name = strlen(arch->name);
  if (strncmp(target, arch->name, name) != 0 || (target[name] != '\0' && target[name] != ':'))
    return false;
  return strstr(target, ":xnack+") == NULL && strstr(target, ":sramecc-") == NULL;
}

static int pick_entry(const struct image *image, enum sim_arch arch, const uint8_t **bytes, size_t *length,
                      struct ckt_error *error) {
  const struct sim_arch_facts *facts = sim_arch_facts(arch);
  uint64_t count, at = BUNDLE_MAGIC;
  if (!has(image, at, sizeof count))
    return bad(error, "the bundle ends in its header");
  memcpy(&count, image->bytes + at, sizeof count);
  at += sizeof count;
  if (count > BUNDLE_ENTRIES_MAX)
    return bad(error, "the bundle names more entries than any has");
  for (uint64_t i = 0; i < count; ++i) {
    struct bundle_entry entry;
    if (!has(image, at, sizeof entry))
      return bad(error, "the bundle ends in its list of entries");
    memcpy(&entry, image->bytes + at, sizeof entry);
    at += sizeof entry;
    if (entry.id_bytes > BUNDLE_ID_MAX || !has(image, at, entry.id_bytes))
      return bad(error, "an entry of the bundle has no proper name");
    const char *id = (const char *)image->bytes + at;
    at += entry.id_bytes;
    if (!entry_is_for(id, entry.id_bytes, facts))
      continue;
    if (!has(image, entry.offset, entry.bytes))
      return bad(error, "an entry of the bundle lies outside of it");
    *bytes = image->bytes + entry.offset;
    *length = entry.bytes;
    return CKT_OK;
  }
  return ckt_fail(error, CKT_E_UNSUPPORTED, "code object: none of the %llu entries of the bundle is for %s",
                  (unsigned long long)count, facts->target);
}

/* ---- sizes ---- */

/* How long a code object is by its own headers; 0: it has none that make sense. */
static uint64_t own_size(const uint8_t *bytes) {
  Elf64_Ehdr header;
  if (!is_mapped(bytes, sizeof header))
    return 0;
  memcpy(&header, bytes, sizeof header);
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > SIM_ELF_LIMIT)
    return 0;
  uint64_t end = header.e_shoff + (uint64_t)header.e_shnum * sizeof(Elf64_Shdr);
  if (!is_mapped(bytes, end))
    return 0;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    memcpy(&section, bytes + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_offset > SIM_ELF_LIMIT || section.sh_size > SIM_ELF_LIMIT)
      return 0;
    const uint64_t section_end = section.sh_offset + (section.sh_type == SHT_NOBITS ? 0 : section.sh_size);
    if (section_end > end)
      end = section_end;
  }
  return is_mapped(bytes, end) ? end : 0;
}

int sim_elf_pick(const void *image, size_t size, enum sim_arch arch, const uint8_t **bytes, size_t *length,
                 struct ckt_error *error) {
  const uint8_t *start = image;
  const bool told = size != 0;
  if (!told)
    size = SIM_ELF_LIMIT;
  *bytes = start;
  *length = size;
  if (size >= BUNDLE_MAGIC && strncmp((const char *)start, bundle_magic, BUNDLE_MAGIC) == 0)
    return pick_entry(&(struct image){start, size, told}, arch, bytes, length, error);
  if (told)
    return CKT_OK;
  if (strncmp((const char *)start, ELFMAG, SELFMAG) != 0)
    return bad(error, "the image begins neither as an ELF file nor as an offload bundle");
  *length = own_size(start);
  return *length != 0 ? CKT_OK : bad(error, "its section headers point out of the image");
}

/* ---- headers ---- */

static int check_target(const struct sim_elf *elf, enum sim_arch arch, struct ckt_error *error) {
  const struct sim_arch_facts *facts = sim_arch_facts(arch);
  const uint32_t flags = elf->header.e_flags;
  if ((flags & FLAG_MACH) != facts->machine) {
    const char *found = "another processor";
    for (int other = 0; other < SIM_ARCHS; ++other)
      if (sim_arch_facts((enum sim_arch)other)->machine == (flags & FLAG_MACH))
        found = sim_arch_facts((enum sim_arch)other)->name;
    return ckt_fail(error, CKT_E_UNSUPPORTED,
                    "code object: it is for %s (machine 0x%x), the device is %s; compile for %s", found,
                    flags & FLAG_MACH, facts->name, facts->target);
  }
  if (elf->header.e_ident[EI_ABIVERSION] < ABI_V4)
    return CKT_OK;
  if ((flags & FLAG_XNACK) == FLAG_XNACK_ON || (flags & FLAG_SRAMECC) == FLAG_SRAMECC_OFF)
    return ckt_fail(error, CKT_E_UNSUPPORTED,
                    "code object: its features (e_flags 0x%x) are not those of the device; compile for %s",
                    flags, facts->target);
  return CKT_OK;
}

static int check_header(const struct sim_elf *elf, struct ckt_error *error) {
  const Elf64_Ehdr *h = &elf->header;
  if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
    return bad(error, "it does not begin as an ELF file");
  if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB)
    return bad(error, "it is not a 64-bit little-endian ELF file");
  if (h->e_machine != MACHINE_AMDGPU || h->e_ident[EI_OSABI] != OSABI_AMDGPU_HSA)
    return ckt_fail(error, CKT_E_INPUT,
                    "code object: ELF machine %u with OS ABI %u is not an AMD GPU's (224 with 64)",
                    h->e_machine, h->e_ident[EI_OSABI]);
  if (h->e_ident[EI_ABIVERSION] < ABI_V3 || h->e_ident[EI_ABIVERSION] > ABI_V6)
    return ckt_fail(error, CKT_E_INPUT,
                    "code object: ABI version %u is not one of 1 (code object v3) to 4 (v6)",
                    h->e_ident[EI_ABIVERSION]);
  if (h->e_type != ET_DYN)
    return bad(error, "it is not linked (ELF type is not ET_DYN)");
  if (h->e_phentsize != sizeof(Elf64_Phdr) ||
      !fits(h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr), elf->size))
    return bad(error, "its program headers lie outside of the file");
  return CKT_OK;
}

void sim_elf_segment(const struct sim_elf *elf, size_t index, Elf64_Phdr *segment) {
  memcpy(segment, elf->bytes + elf->header.e_phoff + index * sizeof *segment, sizeof *segment);
}

static int check_segments(struct sim_elf *elf, struct ckt_error *error) {
  uint64_t end = 0;
  for (size_t i = 0; i < elf->header.e_phnum; ++i) {
    Elf64_Phdr segment;
    sim_elf_segment(elf, i, &segment);
    if (segment.p_type != PT_NOTE && segment.p_type != PT_LOAD && segment.p_type != PT_DYNAMIC)
      continue;
    if (!fits(segment.p_offset, segment.p_filesz, elf->size))
      return bad(error, "a segment lies outside of the file");
    if (segment.p_type != PT_LOAD)
      continue;
    if (segment.p_filesz > segment.p_memsz || !fits(segment.p_vaddr, segment.p_memsz, SIM_ELF_LIMIT))
      return bad(error, "a segment's addresses do not make sense");
    if (segment.p_vaddr < end)
      return bad(error, "its segments overlap or are out of order");
    end = segment.p_vaddr + segment.p_memsz;
  }
  elf->image_bytes = end;
  return end != 0 ? CKT_OK : bad(error, "it has no segment to load");
}

static int find_symbols(struct sim_elf *elf, struct ckt_error *error) {
  const Elf64_Ehdr *h = &elf->header;
  if (h->e_shentsize != sizeof(Elf64_Shdr) ||
      !fits(h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr), elf->size))
    return bad(error, "its section headers lie outside of the file");
  for (unsigned i = 0; i < h->e_shnum; ++i) {
    Elf64_Shdr section, strings;
    memcpy(&section, elf->bytes + h->e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_DYNSYM)
      continue;
    if (section.sh_link >= h->e_shnum || !fits(section.sh_offset, section.sh_size, elf->size))
      return bad(error, "its symbols lie outside of the file");
    memcpy(&strings, elf->bytes + h->e_shoff + section.sh_link * sizeof strings, sizeof strings);
    if (!fits(strings.sh_offset, strings.sh_size, elf->size))
      return bad(error, "its symbols' names lie outside of the file");
    elf->dynsym = section.sh_offset;
    elf->dynsym_count = section.sh_size / sizeof(Elf64_Sym);
    elf->dynstr = strings.sh_offset;
    elf->dynstr_bytes = strings.sh_size;
    return CKT_OK;
  }
  return bad(error, "it has no dynamic symbols");
}

/* ---- notes (LLVM AMDGPUUsage, "Note Records") ---- */

enum { NOTE_METADATA = 32, NOTE_ALIGNMENT = 4 };

/* Every note of a run lies in it, and metadata is what its reader can bear. */
static int check_notes(const struct sim_elf *elf, uint64_t at, uint64_t length, struct ckt_error *error) {
  const uint64_t end = at + length;
  while (at < end) {
    Elf64_Nhdr note;
    if (!fits(at, sizeof note, end))
      return bad(error, "its notes end within one");
    memcpy(&note, elf->bytes + at, sizeof note);
    at += sizeof note;
    const uint64_t name_bytes =
        ((uint64_t)note.n_namesz + NOTE_ALIGNMENT - 1) / NOTE_ALIGNMENT * NOTE_ALIGNMENT;
    const uint64_t content_bytes =
        ((uint64_t)note.n_descsz + NOTE_ALIGNMENT - 1) / NOTE_ALIGNMENT * NOTE_ALIGNMENT;
    if (!fits(at, name_bytes, end) || !fits(at + name_bytes, note.n_descsz, end))
      return bad(error, "its notes end within one");
    if (note.n_type == NOTE_METADATA && !sim_msgpack_is_plain(elf->bytes + at + name_bytes, note.n_descsz))
      return bad(error, "its kernel metadata is damaged");
    at += name_bytes + content_bytes;
  }
  return CKT_OK;
}

/* Notes are found by segments and by sections; the reader of the metadata may look at either. */
static int check_all_notes(const struct sim_elf *elf, struct ckt_error *error) {
  for (size_t i = 0; i < elf->header.e_phnum; ++i) {
    Elf64_Phdr segment;
    sim_elf_segment(elf, i, &segment);
    if (segment.p_type != PT_NOTE)
      continue;
    if (segment.p_align > NOTE_ALIGNMENT)
      return bad(error, "its notes are not aligned to 4 bytes");
    CKT_TRY(check_notes(elf, segment.p_offset, segment.p_filesz, error));
  }
  for (size_t i = 0; i < elf->header.e_shnum; ++i) {
    Elf64_Shdr section;
    memcpy(&section, elf->bytes + elf->header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_NOTE)
      continue;
    if (section.sh_addralign > NOTE_ALIGNMENT || !fits(section.sh_offset, section.sh_size, elf->size))
      return bad(error, "its notes do not lie in the file as they should");
    CKT_TRY(check_notes(elf, section.sh_offset, section.sh_size, error));
  }
  return CKT_OK;
}

int sim_elf_open(const uint8_t *bytes, size_t size, enum sim_arch arch, struct sim_elf *elf,
                 struct ckt_error *error) {
  memset(elf, 0, sizeof *elf);
  elf->bytes = bytes;
  elf->size = size;
  if (size < sizeof elf->header)
    return bad(error, "it is shorter than an ELF header");
  if (size > SIM_ELF_LIMIT)
    return bad(error, "it is larger than 1 GiB");
  memcpy(&elf->header, bytes, sizeof elf->header);
  CKT_TRY(check_header(elf, error));
  CKT_TRY(check_target(elf, arch, error));
  CKT_TRY(check_segments(elf, error));
  CKT_TRY(find_symbols(elf, error));
  return check_all_notes(elf, error);
}

int sim_elf_symbol(const struct sim_elf *elf, uint64_t index, Elf64_Sym *symbol, const char **name) {
  memcpy(symbol, elf->bytes + elf->dynsym + index * sizeof *symbol, sizeof *symbol);
  if (symbol->st_name >= elf->dynstr_bytes)
    return -1;
  *name = (const char *)elf->bytes + elf->dynstr + symbol->st_name;
  return memchr(*name, '\0', elf->dynstr_bytes - symbol->st_name) != NULL ? 0 : -1;
}

/* ---- relocations (LLVM AMDGPUUsage, "Relocation Records") ---- */

enum { RELOCATION_NONE = 0, RELOCATION_ABS64 = 3, RELOCATION_RELATIVE64 = 13 };

static const char *const relocation_names[] = {"R_AMDGPU_NONE",
                                               "R_AMDGPU_ABS32_LO",
                                               "R_AMDGPU_ABS32_HI",
                                               "R_AMDGPU_ABS64",
                                               "R_AMDGPU_REL32",
                                               "R_AMDGPU_REL64",
                                               "R_AMDGPU_ABS32",
                                               "R_AMDGPU_GOTPCREL",
                                               "R_AMDGPU_GOTPCREL32_LO",
                                               "R_AMDGPU_GOTPCREL32_HI",
                                               "R_AMDGPU_REL32_LO",
                                               "R_AMDGPU_REL32_HI",
                                               "reserved",
                                               "R_AMDGPU_RELATIVE64",
                                               "R_AMDGPU_REL16"};

/* S + A of an ABS64. A symbol that no one defines is an error: there is nothing to link against. */
static int symbol_value(const struct sim_elf *elf, uint64_t index, uint64_t base, uint64_t *value,
                        struct ckt_error *error) {
  Elf64_Sym symbol;
  const char *name;
  if (index >= elf->dynsym_count || sim_elf_symbol(elf, index, &symbol, &name) != 0)
    return bad(error, "a relocation names a symbol that is not there");
  if (symbol.st_shndx == SHN_UNDEF || symbol.st_value > elf->image_bytes)
    return ckt_fail(error, CKT_E_INPUT,
                    "code object: symbol '%.200s' is used and not defined; define it in the kernel's source",
                    name);
  *value = base + symbol.st_value;
  return CKT_OK;
}

static int relocate_one(const struct sim_elf *elf, const Elf64_Rela *rela, uint8_t *memory, uint64_t base,
                        struct ckt_error *error) {
  const uint32_t type = (uint32_t)ELF64_R_TYPE(rela->r_info);
  if (type == RELOCATION_NONE)
    return CKT_OK;
  if (type != RELOCATION_ABS64 && type != RELOCATION_RELATIVE64)
    return ckt_fail(error, CKT_E_INPUT,
                    "code object: dynamic relocation %s (%u) is not supported, only RELATIVE64 and ABS64 are",
                    type < sizeof relocation_names / sizeof relocation_names[0] ? relocation_names[type]
                                                                                : "of unknown type",
                    type);
  if (!fits(rela->r_offset, sizeof(uint64_t), elf->image_bytes))
    return bad(error, "a relocation lies outside of the image");
  uint64_t value = base;
  if (type == RELOCATION_ABS64)
    CKT_TRY(symbol_value(elf, ELF64_R_SYM(rela->r_info), base, &value, error));
  value += (uint64_t)rela->r_addend;
  memcpy(memory + rela->r_offset, &value, sizeof value);
  return CKT_OK;
}

/* The relocations are found through their sections: the same table that DT_RELA points at. */
int sim_elf_relocate(const struct sim_elf *elf, uint8_t *memory, uint64_t base, struct ckt_error *error) {
  for (unsigned i = 0; i < elf->header.e_shnum; ++i) {
    Elf64_Shdr section;
    memcpy(&section, elf->bytes + elf->header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type == SHT_REL)
      return bad(error, "it has relocations without addends, which no code object has");
    if (section.sh_type != SHT_RELA || (section.sh_flags & SHF_ALLOC) == 0)
      continue;
    if (!fits(section.sh_offset, section.sh_size, elf->size))
      return bad(error, "its relocations lie outside of the file");
    for (uint64_t r = 0; r < section.sh_size / sizeof(Elf64_Rela); ++r) {
      Elf64_Rela rela;
      memcpy(&rela, elf->bytes + section.sh_offset + r * sizeof rela, sizeof rela);
      CKT_TRY(relocate_one(elf, &rela, memory, base, error));
    }
  }
  return CKT_OK;
}
