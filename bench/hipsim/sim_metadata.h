/* A code object's metadata (LLVM AMDGPUUsage, "Code Object V3 Metadata" and its successors), read through AMD's
 * code object manager, which is bound at run time. */
#ifndef SIM_METADATA_H
#define SIM_METADATA_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* What an argument of a kernel is filled with. */
#define SIM_ARGUMENT_KINDS(ROW)                                                                              \
  ROW(HIDDEN_GLOBAL_OFFSET_X, "hidden_global_offset_x")                                                      \
  ROW(HIDDEN_GLOBAL_OFFSET_Y, "hidden_global_offset_y")                                                      \
  ROW(HIDDEN_GLOBAL_OFFSET_Z, "hidden_global_offset_z")                                                      \
  ROW(HIDDEN_BLOCK_COUNT_X, "hidden_block_count_x")                                                          \
  ROW(HIDDEN_BLOCK_COUNT_Y, "hidden_block_count_y")                                                          \
  ROW(HIDDEN_BLOCK_COUNT_Z, "hidden_block_count_z")                                                          \
  ROW(HIDDEN_GROUP_SIZE_X, "hidden_group_size_x")                                                            \
  ROW(HIDDEN_GROUP_SIZE_Y, "hidden_group_size_y")                                                            \
  ROW(HIDDEN_GROUP_SIZE_Z, "hidden_group_size_z")                                                            \
  ROW(HIDDEN_REMAINDER_X, "hidden_remainder_x")                                                              \
  ROW(HIDDEN_REMAINDER_Y, "hidden_remainder_y")                                                              \
  ROW(HIDDEN_REMAINDER_Z, "hidden_remainder_z")                                                              \
  ROW(HIDDEN_GRID_DIMS, "hidden_grid_dims")                                                                  \
  ROW(HIDDEN_DYNAMIC_LDS_SIZE, "hidden_dynamic_lds_size")

enum sim_argument_kind {
  SIM_ARGUMENT_EXPLICIT,
#define ROW(name, text) SIM_ARGUMENT_##name,
  SIM_ARGUMENT_KINDS(ROW)
#undef ROW
      SIM_ARGUMENT_HIDDEN_OTHER, /* stays zero: printf buffer, heaps, queues and the like */
};

struct sim_argument {
  enum sim_argument_kind kind;
  uint32_t offset, bytes;
};

enum { SIM_ARGUMENTS_MAX = 4096 };

struct sim_kernel_metadata {
  char *name;   /* as the source has it */
  char *symbol; /* of the descriptor, "NAME.kd" */
  struct sim_argument *arguments;
  size_t argument_count;
  uint32_t kernarg_bytes, lds_bytes, scratch_bytes, max_block;
  uint32_t vgprs, agprs, sgprs; /* as compiled; agprs is 0 where the key is missing */
  uint32_t wave_size;
  uint32_t dynamic_stack; /* 1: calls that the compiler could not bound */
};

struct sim_metadata {
  struct sim_kernel_metadata *kernels;
  size_t kernel_count;
};

/* CKT_E_TOOLCHAIN: no code object manager; CKT_E_INPUT: the metadata cannot be read. */
int sim_metadata_read(const uint8_t *bytes, size_t size, struct sim_metadata *metadata,
                      struct ckt_error *error);
void sim_metadata_free(struct sim_metadata *metadata);

#endif
