/* What a code object says of its first kernel, read with AMD's own library (comgr). */
#ifndef CKT_TESTS_KERNELS_KERNEL_METADATA_H
#define CKT_TESTS_KERNELS_KERNEL_METADATA_H

#include <stdbool.h>
#include <stddef.h>

struct kernel_metadata {
  char name[64];
  long lds_bytes;     /* .group_segment_fixed_size */
  long scratch_bytes; /* .private_segment_fixed_size */
  long vgpr_spills;   /* .vgpr_spill_count */
  long vgprs;         /* .vgpr_count */
  long max_workgroup; /* .max_flat_workgroup_size */
};

/* False when comgr cannot read it or a field is missing. */
bool kernel_metadata_read(const void *code, size_t length, struct kernel_metadata *metadata);

#endif
