/* What the generator knows of each GPU architecture: limits that decide whether an instance can be built. */
#ifndef CKT_GEN_ARCH_H
#define CKT_GEN_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct ckt_arch {
  const char *name;         /* "gfx90a" */
  int64_t lds_bytes;        /* LDS a workgroup may use */
  int64_t vector_registers; /* VGPRs a lane may use at one wave a SIMD, AGPRs not counted unless unified */
  int64_t accumulators;     /* AGPRs a lane may use */
  bool unified_registers;   /* VGPRs and AGPRs share one file of 512 */
  bool bf16_1k;             /* MFMA on 4-element bf16 operands (gfx90a and later) */
};

/* The base of a target is its architecture: "gfx90a:sramecc+:xnack-" is gfx90a. NULL when it is not known. */
const struct ckt_arch *ckt_arch_find(const char *target);
/* All of them, for messages and tests. */
const struct ckt_arch *ckt_arch_list(size_t *count);
/* CKT_E_USAGE naming the word and the architectures that are known. */
int ckt_arch_parse(const char *target, const struct ckt_arch **arch, struct ckt_error *error);

#endif
