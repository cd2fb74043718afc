/* What a code object says of the registers and memory its kernel takes, and what that means for occupancy.
 *
 * Read from the kernel descriptor in the ELF file, so that it is the same on every device and needs none. */
#ifndef CKT_BENCH_CODE_FACTS_H
#define CKT_BENCH_CODE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/arch.h"

/* Registers as the hardware allocates them, rounded up to its granule. */
struct ckt_code_facts {
  int64_t vgprs, agprs, sgprs;
  int64_t lds_bytes, scratch_bytes; /* of a workgroup; of a work-item */
};

/* False when the bytes are no ELF file of ours or have no such kernel: then *facts is untouched. */
bool ckt_code_facts_read(const void *code, size_t length, const char *kernel, const struct ckt_arch *arch,
                         struct ckt_code_facts *facts);

/* Workgroups of `threads` that fit a compute unit at once, by registers, LDS and waves; 0: not even one. */
int64_t ckt_workgroups_per_cu(const struct ckt_code_facts *facts, const struct ckt_arch *arch,
                              int64_t threads);

#endif
