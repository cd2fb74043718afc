#include "bench/code_facts.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

/* Offsets and bits of the descriptor: LLVM, AMDGPUUsage, "Kernel Descriptor", "compute_pgm_rsrc1" and
 * "compute_pgm_rsrc3 for GFX90A, GFX942". */
enum {
  DESCRIPTOR_BYTES = 64,
  AT_GROUP_SEGMENT = 0,
  AT_PRIVATE_SEGMENT = 4,
  AT_RSRC3 = 44,
  AT_RSRC1 = 48,
};

/* The CDNA compute unit: CDNA1 to CDNA3 ISA guides, "Vector GPRs" and "LDS"; AMDGPUUsage, "Occupancy". */
enum {
  LANES = 64,
  SIMDS = 4,
  REGISTERS_UNIFIED = 512, /* VGPRs and AGPRs of a lane together */
  REGISTERS_APART = 256,   /* of each kind */
  GRANULE_UNIFIED = 8,
  GRANULE_APART = 4,
  GRANULE_LDS = 512,
  WAVES_UNIFIED = 8, /* most waves of a SIMD */
  WAVES_APART = 10,
  WORKGROUPS_WITH_BARRIER = 16, /* most workgroups of a CU that have more than one wave */
};

/* A file in memory; every access is checked against its length. */
struct image {
  const unsigned char *bytes;
  uint64_t length;
};

static bool image_copy(const struct image *image, uint64_t offset, void *to, uint64_t size) {
  if (offset > image->length || size > image->length - offset)
    return false;
  memcpy(to, image->bytes + offset, (size_t)size);
  return true;
}

static bool read_header(const struct image *image, Elf64_Ehdr *header) {
  return image_copy(image, 0, header, sizeof *header) && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
         header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
         header->e_shentsize == sizeof(Elf64_Shdr);
}

static bool read_section(const struct image *image, const Elf64_Ehdr *header, uint64_t index,
                         Elf64_Shdr *section) {
  uint64_t offset;
  return index < header->e_shnum &&
         !__builtin_add_overflow(header->e_shoff, index * sizeof *section, &offset) &&
         image_copy(image, offset, section, sizeof *section);
}

static bool name_is(const struct image *image, const Elf64_Shdr *strings, uint64_t at, const char *name) {
  const uint64_t size = strlen(name) + 1;
  uint64_t offset;
  return at < strings->sh_size && size <= strings->sh_size - at &&
         !__builtin_add_overflow(strings->sh_offset, at, &offset) && offset <= image->length &&
         size <= image->length - offset && memcmp(image->bytes + offset, name, (size_t)size) == 0;
}

/* The file offset of what a symbol stands for; code objects give addresses, and the section tells how far the two
 * are apart. */
static bool symbol_offset(const struct image *image, const Elf64_Ehdr *header, const Elf64_Sym *symbol,
                          uint64_t *offset) {
  Elf64_Shdr section;
  if (!read_section(image, header, symbol->st_shndx, &section) || symbol->st_value < section.sh_addr)
    return false;
  return !__builtin_add_overflow(section.sh_offset, symbol->st_value - section.sh_addr, offset);
}

static bool find_in_table(const struct image *image, const Elf64_Ehdr *header, const Elf64_Shdr *table,
                          const char *name, uint64_t *offset) {
  Elf64_Shdr strings;
  if (!read_section(image, header, table->sh_link, &strings))
    return false;
  for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table->sh_size; at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    uint64_t where;
    if (__builtin_add_overflow(table->sh_offset, at, &where) ||
        !image_copy(image, where, &symbol, sizeof symbol))
      return false;
    if (name_is(image, &strings, symbol.st_name, name))
      return symbol_offset(image, header, &symbol, offset);
  }
  return false;
}

static bool find_symbol(const struct image *image, const char *name, uint64_t *offset) {
  Elf64_Ehdr header;
  Elf64_Shdr section;
  if (!read_header(image, &header))
    return false;
  for (uint64_t i = 0; read_section(image, &header, i, &section); i++)
    if ((section.sh_type == SHT_DYNSYM || section.sh_type == SHT_SYMTAB) &&
        find_in_table(image, &header, &section, name, offset))
      return true;
  return false;
}

static uint32_t word_at(const unsigned char *descriptor, int offset) {
  uint32_t word;
  memcpy(&word, descriptor + offset, sizeof word);
  return word;
}

static struct ckt_code_facts facts_of(const unsigned char *descriptor, bool unified) {
  const uint32_t rsrc1 = word_at(descriptor, AT_RSRC1);
  const int64_t granule = unified ? GRANULE_UNIFIED : GRANULE_APART;
  const int64_t allocated = ((int64_t)(rsrc1 & 0x3f) + 1) * granule;
  struct ckt_code_facts facts = {
      .vgprs = allocated,
      .agprs = -1, /* apart, the descriptor has the larger of the two counts only */
      .sgprs = ((int64_t)(rsrc1 >> 6 & 0xf) / 2 + 1) * 16,
      .lds_bytes = word_at(descriptor, AT_GROUP_SEGMENT),
      .scratch_bytes = word_at(descriptor, AT_PRIVATE_SEGMENT),
  };
  if (unified) { /* AGPRs begin at the accumulator offset */
    const int64_t offset = ((int64_t)(word_at(descriptor, AT_RSRC3) & 0x3f) + 1) * 4;
    facts.vgprs = offset < allocated ? offset : allocated;
    facts.agprs = allocated - facts.vgprs;
  }
  return facts;
}

bool ckt_code_facts_read(const void *code, size_t length, const char *kernel, const struct ckt_arch *arch,
                         struct ckt_code_facts *facts) {
  const struct image image = {code, length};
  unsigned char descriptor[DESCRIPTOR_BYTES];
  char name[512];
  uint64_t offset;
  const int written = snprintf(name, sizeof name, "%s.kd", kernel);
  if (written < 0 || (size_t)written >= sizeof name || !find_symbol(&image, name, &offset) ||
      !image_copy(&image, offset, descriptor, sizeof descriptor))
    return false;
  *facts = facts_of(descriptor, arch->unified_registers);
  return true;
}

static int64_t round_up(int64_t value, int64_t granule) {
  return (value + granule - 1) / granule * granule;
}

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* Waves that one SIMD holds. */
static int64_t waves_per_simd(const struct ckt_code_facts *facts, bool unified) {
  if (!unified)
    return least(WAVES_APART, REGISTERS_APART / round_up(facts->vgprs, GRANULE_APART));
  return least(WAVES_UNIFIED, REGISTERS_UNIFIED / round_up(facts->vgprs + facts->agprs, GRANULE_UNIFIED));
}

int64_t ckt_workgroups_per_cu(const struct ckt_code_facts *facts, const struct ckt_arch *arch,
                              int64_t threads) {
  const int64_t waves = (threads + LANES - 1) / LANES;
  int64_t fit = SIMDS * waves_per_simd(facts, arch->unified_registers) / waves;
  if (waves > 1)
    fit = least(fit, WORKGROUPS_WITH_BARRIER);
  if (facts->lds_bytes > 0)
    fit = least(fit, arch->lds_bytes / round_up(facts->lds_bytes, GRANULE_LDS));
  return fit;
}
