#include "gen/derived.h"

#include "common/number.h"
/* The one header of kernels/ that gen reads: how much LDS a kernel declares is said in one place. */
#include "kernels/lds_layout.h"

#define SIMDS          4 /* of a compute unit; the waves of a workgroup share them (CDNA ISA guides) */
#define REGISTER_BYTES 4
#define FOR_ADDRESSES  32
/* ckt_lds_shape's limit. */
#define SHAPE_MAX 65536

int64_t ckt_instance_threads(const struct ckt_instance *instance) {
  const int64_t *warps = instance->warps;
  return CKT_WAVE_LANES * warps[CKT_M] * warps[CKT_N] * warps[CKT_K];
}

/* Numbers that would overflow the formula belong to no kernel. */
static bool lds_can_be_computed(const struct ckt_instance *instance) {
  for (int i = 0; i < CKT_GEMM_DIMS; i++)
    if (instance->tile[i] < 1 || instance->tile[i] > SHAPE_MAX || instance->warps[i] < 1 ||
        instance->warps[i] > SHAPE_MAX || instance->warp_tile[i] < 1 ||
        instance->warp_tile[i] > instance->tile[i] / instance->warps[i])
      return false;
  return true;
}

int64_t ckt_instance_lds_bytes(const struct ckt_instance *instance) {
  if (!lds_can_be_computed(instance))
    return -1;
  const struct ckt_lds_shape shape = {.tile_m = instance->tile[CKT_M],
                                      .tile_n = instance->tile[CKT_N],
                                      .tile_k = instance->tile[CKT_K],
                                      .warps_m = instance->warps[CKT_M],
                                      .warps_n = instance->warps[CKT_N],
                                      .warp_tile_m = instance->warp_tile[CKT_M],
                                      .warp_tile_n = instance->warp_tile[CKT_N],
                                      .element_bytes = ckt_dtype_bytes(instance->dtype),
                                      .buffers = instance->double_smem_buffer ? 2 : 1};
  return ckt_lds_bytes(shape);
}

int64_t ckt_instance_accumulators(const struct ckt_instance *instance) {
  const int64_t lanes = CKT_WAVE_LANES * instance->warps[CKT_M] * instance->warps[CKT_N];
  return lanes > 0 ? instance->tile[CKT_M] * instance->tile[CKT_N] / lanes : -1;
}

int64_t ckt_instance_working_registers(const struct ckt_instance *instance) {
  if (instance->block_size < 1)
    return -1;
  const int64_t staged = (instance->tile[CKT_M] + instance->tile[CKT_N]) * instance->tile[CKT_K] *
                         ckt_dtype_bytes(instance->dtype) / (instance->block_size * REGISTER_BYTES);
  return staged + FOR_ADDRESSES;
}

int64_t ckt_instance_waves_a_simd(const struct ckt_instance *instance) {
  const int64_t waves = instance->block_size / CKT_WAVE_LANES;
  return waves > 1 ? ckt_ceil_div_i64(waves, SIMDS) : 1;
}
