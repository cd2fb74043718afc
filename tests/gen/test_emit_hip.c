/* The emitted HIP source: its text for one instance; every field changes it; same instance, same bytes, from
 * whatever form of line; appended behind what is there; other directions are refused. */
#include "gen/emit_hip.h"
#include "gen_test.h"

#define BASE "tile=128x64x32 warps=4x2x1 warp_tile=32x32x8 vector=8,4,2"

static struct ckt_text source_of(const char *line, enum ckt_dtype dtype) {
  const struct ckt_instance instance = instance_of(line, dtype);
  struct ckt_text source = {0};
  struct ckt_error error = {0};
  assert_int_equal(ckt_emit_hip(&instance, &source, &error), CKT_OK);
  return source;
}

static void source_states_every_quantity(void **state) {
  (void)state;
  struct ckt_text source = source_of(BASE " spec=filter3x3 scheduler=interwave", CKT_BF16);
  static const char *const lines[] = {
      "#include \"conv_forward.hpp\"\n",
      "namespace {\nstruct instance {\n",
      "  static constexpr int spatial = 2;\n",
      "  static constexpr ckt::dtype type = ckt::dtype::bf16;\n",
      "  static constexpr ckt::specialization spec = ckt::specialization::filter_3x3;\n",
      "  static constexpr ckt::pipeline pipe = ckt::pipeline::v1;\n",
      "  static constexpr ckt::scheduler sched = ckt::scheduler::interwave;\n",
      "  static constexpr int tile_m = 128;\n  static constexpr int tile_n = 64;\n"
      "  static constexpr int tile_k = 32;\n",
      "  static constexpr int warps_m = 4;\n  static constexpr int warps_n = 2;\n"
      "  static constexpr int warps_k = 1;\n",
      "  static constexpr int warp_tile_m = 32;\n  static constexpr int warp_tile_n = 32;\n"
      "  static constexpr int warp_tile_k = 8;\n",
      "  static constexpr int vector_a = 8;\n  static constexpr int vector_b = 4;\n"
      "  static constexpr int vector_c = 2;\n",
      "  static constexpr int block_size = 512;\n",
      "  static constexpr int num_wave_groups = 1;\n",
      "  static constexpr int num_groups_to_merge = 1;\n",
      "  static constexpr int split_k = 1;\n",
      "  static constexpr bool double_smem_buffer = false;\n",
      "  static constexpr bool split_image = false;\n",
      "  static constexpr bool explicit_gemm = false;\n",
      "  static constexpr bool two_stage = false;\n",
      "extern \"C\" __global__ void __launch_bounds__(instance::block_size)\n"
      "ckt_conv(const ckt_conv_args args) {\n  ckt::conv_forward<instance>(args);\n}\n",
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    assert_contains(ckt_text_string(&source), lines[i]);
  assert_int_equal(strncmp(ckt_text_string(&source), "// direction=forward dtype=bf16 ", 32), 0);
  ckt_text_free(&source);
}

static void same_instance_same_bytes(void **state) {
  (void)state;
  struct ckt_text first = source_of(BASE, CKT_FP16);
  struct ckt_text second =
      source_of("  vector=8,4,2 warp_tile=32x32x8 pipeline=v1 warps=4x2x1 tile=128x64x32 # again", CKT_FP16);
  assert_string_equal(ckt_text_string(&first), ckt_text_string(&second));
  ckt_text_free(&first);
  ckt_text_free(&second);
}

/* What follows the comment with the key differs too: no quantity is only talked about. */
static void every_field_changes_the_code(void **state) {
  (void)state;
  static const char *const variants[] = {
      BASE,
      BASE " spec=filter1x1_pad0",
      BASE " spec=filter1x1_stride1_pad0",
      BASE " spec=filter3x3",
      BASE " pipeline=v2",
      BASE " pipeline=async_v1",
      BASE " scheduler=interwave",
      BASE " double_smem_buffer=true",
      BASE " num_wave_groups=2",
      BASE " num_groups_to_merge=2",
      BASE " split_image=true",
      BASE " explicit_gemm=true",
      BASE " two_stage=true",
      BASE " split_k=2",
      BASE " block_size=64",
      "tile=256x64x32 warps=4x2x1 warp_tile=32x32x8 vector=8,4,2",
      "tile=128x64x32 warps=2x2x1 warp_tile=32x32x8 vector=8,4,2 block_size=512",
      "tile=128x64x32 warps=4x2x1 warp_tile=32x32x16 vector=8,4,2",
      "tile=128x64x32 warps=4x2x1 warp_tile=32x32x8 vector=8,4,4",
  };
  enum { COUNT = sizeof variants / sizeof *variants };
  struct ckt_text sources[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    sources[i] = source_of(variants[i], CKT_FP32);
    const char *code = strchr(ckt_text_string(&sources[i]), '\n');
    for (size_t j = 0; j < i; j++)
      assert_string_not_equal(code, strchr(ckt_text_string(&sources[j]), '\n'));
  }
  for (size_t i = 0; i < COUNT; i++)
    ckt_text_free(&sources[i]);
}

static void source_is_appended(void **state) {
  (void)state;
  const struct ckt_instance instance = instance_of(BASE, CKT_FP16);
  struct ckt_text source = {0};
  struct ckt_error error = {0};
  ckt_text_append(&source, "// before\n");
  assert_int_equal(ckt_emit_hip(&instance, &source, &error), CKT_OK);
  assert_int_equal(strncmp(ckt_text_string(&source), "// before\n// direction=", 23), 0);
  ckt_text_free(&source);
}

static void failures_are_said(void **state) {
  (void)state;
  struct ckt_instance instance = instance_of(BASE, CKT_FP16);
  struct ckt_text source;
  struct ckt_error error = {0};
  ckt_text_init(&source, 100); /* too small a limit */
  assert_int_equal(ckt_emit_hip(&instance, &source, &error), CKT_E_NOMEM);
  ckt_text_free(&source);
  instance.direction = CKT_BACKWARD_DATA;
  assert_int_equal(ckt_emit_hip(&instance, &source, &error), CKT_E_UNSUPPORTED);
  assert_contains(error.text, "backward_data");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(source_states_every_quantity),
      cmocka_unit_test(same_instance_same_bytes),
      cmocka_unit_test(every_field_changes_the_code),
      cmocka_unit_test(source_is_appended),
      cmocka_unit_test(failures_are_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
