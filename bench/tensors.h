/* The three tensors of a problem on the device.
 *
 * Each lies between two guards of a byte pattern that is NaN in every dtype. Whatever a kernel writes outside
 * a tensor changes a guard; what it reads there and uses makes its result NaN. The simulated device checks
 * every access itself and more sharply, so that there tensors have no guards. */
#ifndef CKT_BENCH_TENSORS_H
#define CKT_BENCH_TENSORS_H

#include "bench/hip_api.h"
#include "bench/reference.h"
#include "bench/verify.h"
#include "gen/measurement.h"
#include "kernels/conv_args.h"

enum { CKT_TENSOR_IN, CKT_TENSOR_WEI, CKT_TENSOR_OUT, CKT_TENSORS };

struct ckt_tensors {
  struct {
    char *base;   /* of the allocation */
    size_t bytes; /* of the tensor, without its guards */
  } tensor[CKT_TENSORS];
  size_t guard; /* bytes before and after a tensor */
  void *host;   /* room for the output and for one guard */
};

/* CKT_E_DEVICE with both numbers when the device has less free memory than the problem needs. */
int ckt_tensors_check_memory(const struct ckt_hip *hip, const struct ckt_problem *problem,
                             struct ckt_error *error);
/* Allocates on the current device and copies inputs and weights. */
int ckt_tensors_create(const struct ckt_hip *hip, const struct ckt_reference *reference,
                       struct ckt_tensors *tensors, struct ckt_error *error);
void ckt_tensors_free(const struct ckt_hip *hip, struct ckt_tensors *tensors);
/* Sets the addresses in the kernel's arguments. */
void ckt_tensors_bind(const struct ckt_tensors *tensors, struct ckt_conv_args *args);
/* Fills the output with NaN. */
hipError_t ckt_tensors_poison(const struct ckt_hip *hip, const struct ckt_tensors *tensors);

struct ckt_output_verdict {
  struct ckt_verdict verdict;
  char reason[CKT_MEASUREMENT_REASON_MAX]; /* "" when the output is right and the guards are whole */
};
/* Reads the output back and judges it. */
hipError_t ckt_tensors_verify(const struct ckt_hip *hip, const struct ckt_tensors *tensors,
                              const struct ckt_reference *reference, struct ckt_output_verdict *verdict);

#endif
