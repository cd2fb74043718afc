/* The ELF file of a code object, read with distrust: every offset is checked against the file before it is used.
 * Layout: LLVM AMDGPUUsage, "ELF Code Object". */
#ifndef SIM_ELF_H
#define SIM_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/hipsim/sim_machine.h"
#include "common/error.h"

/* A code object in memory, borrowed: the bytes must stay while the struct is used. They may lie at any address. */
struct sim_elf {
  const uint8_t *bytes;
  size_t size;
  Elf64_Ehdr header;
  uint64_t image_bytes; /* addresses 0..image_bytes hold every PT_LOAD segment */
  uint64_t dynsym, dynsym_count, dynstr, dynstr_bytes; /* places in the file */
};

/* The longest image and file that are read. */
#define SIM_ELF_LIMIT ((uint64_t)1 << 30)

/* Picks the code object for `arch` out of `image`, which may be a code object or a clang offload bundle.
 * size 0: as long as its headers say (hipModuleLoadData is not told). CKT_E_UNSUPPORTED: it is for another
 * device; CKT_E_INPUT: it is not a code object. */
int sim_elf_pick(const void *image, size_t size, enum sim_arch arch, const uint8_t **bytes, size_t *length,
                 struct ckt_error *error);

/* Checks the headers. Codes as above. */
int sim_elf_open(const uint8_t *bytes, size_t size, enum sim_arch arch, struct sim_elf *elf,
                 struct ckt_error *error);

/* Program header number `index` (of elf->header.e_phnum), its ranges checked by sim_elf_open. */
void sim_elf_segment(const struct sim_elf *elf, size_t index, Elf64_Phdr *segment);

/* Dynamic symbol number `index` (of elf->dynsym_count); *name is NUL-terminated and in the file. -1: its name is not. */
int sim_elf_symbol(const struct sim_elf *elf, uint64_t index, Elf64_Sym *symbol, const char **name);

/* Applies the dynamic relocations to the image that was loaded at `base`; `memory` is where it lies now. */
int sim_elf_relocate(const struct sim_elf *elf, uint8_t *memory, uint64_t base, struct ckt_error *error);

#endif
