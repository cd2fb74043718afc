/* The CK Tile texts: every substituted text to the byte, for every word of an instance; names of all lists; how a
 * template is cut and read (words that touch, repeat or are missing, line ends, marks, bytes that are no text). */
#include "gen/emit_cktile.h"
#include "gen_test.h"

static struct ckt_line_outcome outcome_of(const struct ckt_instance *instance) {
  return (struct ckt_line_outcome){.line = 17, .status = CKT_OUTCOME_INSTANCE, .instance = *instance};
}

/* All numbers differ. */
static struct ckt_instance plain(void) {
  return (struct ckt_instance){.spatial = 2,
                               .dtype = CKT_FP16,
                               .tile = {256, 128, 32},
                               .warps = {3, 2, 1},
                               .warp_tile = {16, 15, 14},
                               .vector = {8, 4, 2},
                               .num_wave_groups = 5,
                               .num_groups_to_merge = 6};
}

/* A template of this content. */
static struct ckt_cktile_template template_of(const char *content, size_t length) {
  const struct scratch_file file = scratch_file(content, length);
  struct ckt_cktile_template template;
  struct ckt_error error = {0};
  if (ckt_cktile_template_read(file.path, &template, &error) != CKT_OK)
    fail_msg("%s", error.text);
  unlink(file.path);
  return template;
}

static void expect_of_template(const char *content, size_t length, const struct ckt_instance *instance,
                               const char *expected) {
  const struct ckt_cktile_names names =
      ckt_cktile_names_of(&(struct ckt_problem_defaults){CKT_FORWARD, CKT_FP16, 2});
  struct ckt_cktile_template template = template_of(content, length);
  const struct ckt_line_outcome outcome = outcome_of(instance);
  struct ckt_text text = {0};
  ckt_emit_cktile_source(&template, &names, &outcome, &text);
  assert_string_equal(ckt_text_string(&text), expected);
  ckt_text_free(&text);
  ckt_cktile_template_free(&template);
}

static void expect(const char *content, const struct ckt_instance *instance, const char *expected) {
  expect_of_template(content, strlen(content), instance, expected);
}

static void every_word_is_replaced(void **state) {
  (void)state;
  const struct ckt_instance instance = plain();
  expect("<gen_signature>", &instance, "<SIGNATURE_NHWGC_FP16_FWD>");
  expect("run_gen_instance_name(", &instance, "run_grouped_convolution_forward_tile_nhwgc_fp16_17(");
  expect("gen_specialization", &instance, "ckb::TileConvSpecialization::DEFAULT");
  expect("gen_thread_block;", &instance, "ckt::TileThreadBlock{.tile_size = {.m = 256, .n = 128, .k = 32}};");
  expect("gen_block_gemm_desc", &instance,
         "ckt::TileBlockGemm{\n"
         "                    .warps              = {.m = 3, .n = 2, .k = 1},\n"
         "                    .warp_tile          = {.m = 16, .n = 15, .k = 14},\n"
         "                    .double_smem_buffer = false,\n"
         "                    .num_wave_groups    = 5,\n"
         "                    .pipeline_version   = ckb::PipelineVersion::V1,\n"
         "                    .scheduler          = ckb::PipelineScheduler::INTRAWAVE}");
  expect("gen_block_transfer", &instance,
         "ckt::TileTransfer{.a_scalar_per_vector = 8, \n"
         "                .b_scalar_per_vector = 4, .c_scalar_per_vector = 2}");
  expect("gen_optimizations", &instance,
         "ckt::TileOptimizations{.num_groups_to_merge = 6, .split_image = false, .explicit_gemm = false, "
         ".two_stage = false}");
}

/* Each flag alone, so that none stands for another. */
static void flags_are_told_apart(void **state) {
  (void)state;
  struct ckt_instance instance = plain();
  instance.split_image = true;
  expect("gen_optimizations", &instance,
         "ckt::TileOptimizations{.num_groups_to_merge = 6, .split_image = true, .explicit_gemm = false, "
         ".two_stage = false}");
  instance = plain();
  instance.explicit_gemm = true;
  expect("gen_optimizations", &instance,
         "ckt::TileOptimizations{.num_groups_to_merge = 6, .split_image = false, .explicit_gemm = true, "
         ".two_stage = false}");
  instance = plain();
  instance.two_stage = true;
  expect("gen_optimizations", &instance,
         "ckt::TileOptimizations{.num_groups_to_merge = 6, .split_image = false, .explicit_gemm = false, "
         ".two_stage = true}");
}

static void words_of_an_instance_have_their_names(void **state) {
  (void)state;
  static const char *const specializations[] = {"DEFAULT", "FILTER_1X1_PAD0", "FILTER_1X1_STRIDE1_PAD0",
                                                "FILTER_3x3"};
  static const char *const pipelines[] = {"V1", "V2",       "V3",       "V4",     "V5",
                                          "V6", "ASYNC_V1", "ASYNC_V4", "WAVELET"};
  assert_int_equal(sizeof pipelines / sizeof *pipelines, CKT_PIPELINE_COUNT);
  struct ckt_instance instance = plain();
  char expected[512];
  for (int i = 0; i < 4; i++) {
    instance.specialization = (enum ckt_specialization)i;
    snprintf(expected, sizeof expected, "ckb::TileConvSpecialization::%s", specializations[i]);
    expect("gen_specialization", &instance, expected);
  }
  for (int i = 0; i < CKT_PIPELINE_COUNT; i++) {
    instance.pipeline = (enum ckt_pipeline)i;
    instance.scheduler = i % 2 == 0 ? CKT_INTRAWAVE : CKT_INTERWAVE;
    instance.double_smem_buffer = i % 3 == 0;
    snprintf(expected, sizeof expected,
             "ckt::TileBlockGemm{\n"
             "                    .warps              = {.m = 3, .n = 2, .k = 1},\n"
             "                    .warp_tile          = {.m = 16, .n = 15, .k = 14},\n"
             "                    .double_smem_buffer = %s,\n"
             "                    .num_wave_groups    = 5,\n"
             "                    .pipeline_version   = ckb::PipelineVersion::%s,\n"
             "                    .scheduler          = ckb::PipelineScheduler::%s}",
             i % 3 == 0 ? "true" : "false", pipelines[i], i % 2 == 0 ? "INTRAWAVE" : "INTERWAVE");
    expect("gen_block_gemm_desc", &instance, expected);
  }
}

/* By the script's rules a number has no limit and a version is any text. */
static void texts_that_no_number_holds(void **state) {
  (void)state;
  char large[] = "123456789012345678901234567890", version[] = "V9";
  struct ckt_exact_texts exact = {.numbers[CKT_NUMBER_TILE_N] = large, .pipeline = version};
  const struct ckt_instance instance = plain();
  struct ckt_line_outcome outcome = outcome_of(&instance);
  outcome.exact = &exact;
  static const char content[] = "gen_thread_block|gen_block_gemm_desc";
  struct ckt_cktile_template template = template_of(content, strlen(content));
  const struct ckt_cktile_names names =
      ckt_cktile_names_of(&(struct ckt_problem_defaults){CKT_FORWARD, CKT_FP16, 2});
  struct ckt_text text = {0};
  ckt_emit_cktile_source(&template, &names, &outcome, &text);
  assert_contains(ckt_text_string(&text),
                  "{.m = 256, .n = 123456789012345678901234567890, .k = 32}}|ckt::TileBlockGemm{");
  assert_contains(ckt_text_string(&text), "ckb::PipelineVersion::V9,");
  ckt_text_free(&text);
  ckt_cktile_template_free(&template);
}

static void a_template_is_cut_at_its_words_alone(void **state) {
  (void)state;
  const struct ckt_instance instance = plain();
  expect("", &instance, "");
  expect("no word\n", &instance, "no word\n");
  expect("no line end", &instance, "no line end");
  expect("gen_signaturegen_signature", &instance, "SIGNATURE_NHWGC_FP16_FWDSIGNATURE_NHWGC_FP16_FWD");
  expect("gen_gen_signature_", &instance, "gen_SIGNATURE_NHWGC_FP16_FWD_");
  expect("GEN_SIGNATURE gen_signatur gen_block gen_block_gemm gen_", &instance,
         "GEN_SIGNATURE gen_signatur gen_block gen_block_gemm gen_");
  expect("\n\ngen_instance_name\n", &instance, "\n\ngrouped_convolution_forward_tile_nhwgc_fp16_17\n");
}

static void a_template_is_read_as_text(void **state) {
  (void)state;
  const struct ckt_instance instance = plain();
  expect("a\r\nb\rc\n\r\n\r\rd\r", &instance, "a\nb\nc\n\n\n\nd\n");
  expect("\xef\xbb\xbf// \xe2\x82\xac gen_signature", &instance,
         "\xef\xbb\xbf// \xe2\x82\xac SIGNATURE_NHWGC_FP16_FWD"); /* a byte order mark is a character */
  expect_of_template("a\0gen_signature", 15, &instance, "a");     /* as far as a string shows it */
}

static void a_template_that_is_no_text_is_refused(void **state) {
  (void)state;
  static const char content[] = "fine\nso far \xff, not here\n";
  const struct scratch_file file = scratch_file(content, strlen(content));
  struct ckt_cktile_template template;
  struct ckt_error error = {0};
  assert_int_equal(ckt_cktile_template_read(file.path, &template, &error), CKT_E_INPUT);
  char place[96];
  snprintf(place, sizeof place, "%s:2:8: ", file.path);
  assert_int_equal(strncmp(error.text, place, strlen(place)), 0);
  assert_contains(error.text, "0xff");
  ckt_cktile_template_free(&template);
  unlink(file.path);
  assert_int_equal(ckt_cktile_template_read(file.path, &template, &error), CKT_E_IO);
  ckt_cktile_template_free(&template);
}

static void names_of_lists(void **state) {
  (void)state;
  const struct ckt_cktile_names longest =
      ckt_cktile_names_of(&(struct ckt_problem_defaults){CKT_BACKWARD_WEIGHT, CKT_BF16, 3});
  assert_string_equal(longest.config, "ndhwgc_bf16");
  assert_string_equal(longest.problem, "grouped_convolution_backward_weight_tile_ndhwgc_bf16");
  assert_string_equal(longest.signature, "SIGNATURE_NDHWGC_BF16_BWD_WEIGHT");
  const struct ckt_cktile_names data =
      ckt_cktile_names_of(&(struct ckt_problem_defaults){CKT_BACKWARD_DATA, CKT_FP32, 2});
  assert_string_equal(data.problem, "grouped_convolution_backward_data_tile_nhwgc_fp32");
  assert_string_equal(data.signature, "SIGNATURE_NHWGC_FP32_BWD_DATA");
}

static void calls_and_declarations(void **state) {
  (void)state;
  const struct ckt_cktile_names names =
      ckt_cktile_names_of(&(struct ckt_problem_defaults){CKT_BACKWARD_DATA, CKT_FP32, 2});
  const struct ckt_instance instance = plain();
  const struct ckt_line_outcome outcome = outcome_of(&instance);
  struct ckt_text text = {0};
  ckt_emit_cktile_call(&names, &outcome, &text);
  assert_string_equal(ckt_text_string(&text),
                      "run_alg(run_grouped_convolution_backward_data_tile_nhwgc_fp32_17);\n");
  ckt_text_clear(&text);
  ckt_emit_cktile_declaration(&names, &outcome, &text);
  assert_string_equal(
      ckt_text_string(&text),
      "std::tuple<bool, float, std::string> run_grouped_convolution_backward_data_tile_nhwgc_fp32_17(\n"
      "   const ckt::Args<SIGNATURE_NHWGC_FP32_BWD_DATA>& args,\n"
      "   const ckt::Inputs<SIGNATURE_NHWGC_FP32_BWD_DATA>& inputs,\n"
      "   const ckt::Outputs<SIGNATURE_NHWGC_FP32_BWD_DATA>& outputs,\n"
      "   const ck_tile::stream_config& s_conf);\n");
  ckt_text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_word_is_replaced),
      cmocka_unit_test(flags_are_told_apart),
      cmocka_unit_test(words_of_an_instance_have_their_names),
      cmocka_unit_test(texts_that_no_number_holds),
      cmocka_unit_test(a_template_is_cut_at_its_words_alone),
      cmocka_unit_test(a_template_is_read_as_text),
      cmocka_unit_test(a_template_that_is_no_text_is_refused),
      cmocka_unit_test(names_of_lists),
      cmocka_unit_test(calls_and_declarations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
