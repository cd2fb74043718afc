#include "gen/emit_hip.h"

#include <inttypes.h>

/* Names as kernels/types.hpp spells them. */
static const char *const specialization_names[] = {[CKT_SPEC_DEFAULT] = "general",
                                                   [CKT_SPEC_FILTER_1X1_PAD0] = "filter_1x1_pad0",
                                                   [CKT_SPEC_FILTER_1X1_STRIDE1_PAD0] =
                                                       "filter_1x1_stride1_pad0",
                                                   [CKT_SPEC_FILTER_3X3] = "filter_3x3"};

static void emit_number(struct ckt_text *source, const char *name, int64_t value) {
  ckt_text_printf(source, "  static constexpr int %s = %" PRId64 ";\n", name, value);
}

/* A quantity for each GEMM dimension: tile_m, tile_n, tile_k. */
static void emit_triple(struct ckt_text *source, const char *name, const int64_t values[3],
                        const char letters[3]) {
  for (int i = 0; i < 3; i++)
    ckt_text_printf(source, "  static constexpr int %s_%c = %" PRId64 ";\n", name, letters[i], values[i]);
}

static void emit_flag(struct ckt_text *source, const char *name, bool value) {
  ckt_text_printf(source, "  static constexpr bool %s = %s;\n", name, value ? "true" : "false");
}

static void emit_word(struct ckt_text *source, const char *type, const char *name, const char *word) {
  ckt_text_printf(source, "  static constexpr ckt::%s %s = ckt::%s::%s;\n", type, name, type, word);
}

static void emit_members(const struct ckt_instance *instance, struct ckt_text *source) {
  static const char gemm[] = {'m', 'n', 'k'}, operands[] = {'a', 'b', 'c'};
  emit_number(source, "spatial", instance->spatial);
  emit_word(source, "dtype", "type", ckt_dtype_word(instance->dtype));
  emit_word(source, "specialization", "spec", specialization_names[instance->specialization]);
  emit_word(source, "pipeline", "pipe", ckt_pipeline_word(instance->pipeline));
  emit_word(source, "scheduler", "sched", ckt_scheduler_word(instance->scheduler));
  emit_triple(source, "tile", instance->tile, gemm);
  emit_triple(source, "warps", instance->warps, gemm);
  emit_triple(source, "warp_tile", instance->warp_tile, gemm);
  emit_triple(source, "vector", instance->vector, operands);
  emit_number(source, "block_size", instance->block_size);
  emit_number(source, "num_wave_groups", instance->num_wave_groups);
  emit_number(source, "num_groups_to_merge", instance->num_groups_to_merge);
  emit_number(source, "split_k", instance->split_k);
  emit_flag(source, "double_smem_buffer", instance->double_smem_buffer);
  emit_flag(source, "split_image", instance->split_image);
  emit_flag(source, "explicit_gemm", instance->explicit_gemm);
  emit_flag(source, "two_stage", instance->two_stage);
}

int ckt_emit_hip(const struct ckt_instance *instance, struct ckt_text *source, struct ckt_error *error) {
  if (instance->direction != CKT_FORWARD)
    return ckt_fail(error, CKT_E_UNSUPPORTED, "%s: no kernel to emit yet, only forward",
                    ckt_direction_word(instance->direction));
  char key[CKT_INSTANCE_KEY_MAX];
  ckt_instance_key(instance, key);
  ckt_text_printf(source, "// %s\n#include \"conv_forward.hpp\"\n\nnamespace {\nstruct instance {\n", key);
  emit_members(instance, source);
  ckt_text_append(source,
                  "};\n} // namespace\n\n"
                  "extern \"C\" __global__ void __launch_bounds__(instance::block_size)\n" CKT_KERNEL_ENTRY
                  "(const ckt_conv_args args) {\n"
                  "  ckt::conv_forward<instance>(args);\n"
                  "}\n");
  return ckt_text_status(source, error);
}
