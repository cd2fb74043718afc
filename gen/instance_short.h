/* The short form of an instance, as ckProfiler's "Perf:" lines print it:
 *
 *   DeviceGroupedConvFwdMultipleABD_Xdl_CShuffle<256, 128, 128, 32, Default, 32, 32, 2, 2, 8, 8, 8, 1, 1>
 *
 * block size, M, N and K per block, specialization, M and N per XDL, M and N XDL per wave, the vectors A, B and C,
 * and how the result is shuffled. It is not enough to make a kernel from (no data type, no K1, no pipeline), but
 * enough to find the lines of a list that it may have come from. */
#ifndef CKT_GEN_INSTANCE_SHORT_H
#define CKT_GEN_INSTANCE_SHORT_H

#include "gen/instance.h"
#include "gen/span.h"

struct ckt_short_form {
  bool complete; /* all that is compared was understood: only of forward */
  int64_t block_size;
  int64_t tile[CKT_GEMM_DIMS];
  enum ckt_specialization specialization;
  int64_t xdl[2], repeat[2];
  int64_t vector[CKT_GEMM_OPERANDS];
};

/* True when the text is a short form, of whatever direction. */
bool ckt_short_form_read(struct ckt_span text, struct ckt_short_form *form);
/* True when the instance may be the one that the form shows. */
bool ckt_short_form_matches(const struct ckt_short_form *form, const struct ckt_instance *instance);

#endif
