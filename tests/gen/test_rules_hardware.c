/* The hardware's rules: each one broken alone, named by its word, and kept right beside the break; what needs no
 * architecture yet; vectors along the dimension that each direction reads. */
#include "gen/rules_hardware.h"
#include "gen_test.h"

#define REST "warps=2x2x1 warp_tile=32x32x8 vector=8,8,8"

static const struct rule_case {
  const char *line;
  enum ckt_dtype dtype;
  const char *arch; /* NULL: not known yet */
  const char *rule; /* NULL: none is broken */
  const char *said;
} cases[] = {
    {"tile=128x128x32 " REST, CKT_FP16, "gfx908", NULL, ""},
    {"tile=65536x128x32 " REST, CKT_FP16, "gfx90a", "lds", "gfx90a has 65536"},
    {"tile=65600x128x32 " REST, CKT_FP16, "gfx90a", "number_range", "tile M of 65600"},
    {"tile=128x128x32 " REST " block_size=128", CKT_FP16, NULL, "warps_cover_block", "are 256 threads"},
    {"tile=128x128x32 " REST " block_size=256", CKT_FP16, NULL, NULL, ""},
    {"tile=512x128x16 warps=8x4x1 warp_tile=16x16x16 vector=8,8,8", CKT_FP16, NULL, "block_size", "2048"},
    {"tile=512x128x16 warps=4x4x1 warp_tile=16x16x16 vector=8,8,8", CKT_FP16, NULL, NULL, ""},
    {"tile=128x128x32 warps=2x2x1 warp_tile=64x64x8 vector=8,8,8", CKT_FP16, NULL, "matrix_instruction",
     "64x64"},
    {"tile=128x128x32 warps=2x2x1 warp_tile=32x32x2 vector=8,8,8", CKT_FP16, NULL, "matrix_instruction",
     "K of 2"},
    {"tile=128x128x32 warps=2x2x1 warp_tile=32x32x2 vector=8,8,8", CKT_FP32, NULL, NULL, ""},
    {"tile=96x128x32 " REST, CKT_FP16, NULL, "tile_is_whole", "tile M of 96 is not a multiple of 64"},
    {"tile=128x96x32 " REST, CKT_FP16, NULL, "tile_is_whole", "tile N of 96"},
    {"tile=128x128x36 " REST, CKT_FP16, NULL, "tile_is_whole", "tile K of 36"},
    {"tile=128x128x32 warps=2x2x1 warp_tile=32x32x8 vector=6,8,8", CKT_FP16, NULL, "vector_width", "A of 6"},
    {"tile=128x128x32 warps=2x2x1 warp_tile=32x32x8 vector=8,16,8", CKT_FP16, NULL, "vector_width",
     "B of 16"},
    {"tile=128x128x4 warps=2x2x1 warp_tile=32x32x4 vector=8,4,8", CKT_FP32, NULL, "vector_cover",
     "vector A of 8 does not divide tile K of 4"},
    {"tile=128x128x4 warps=2x2x1 warp_tile=32x32x4 vector=4,4,8", CKT_FP32, NULL, NULL, ""},
    /* (256 + 256) x 128 x 2 bytes are 128 KiB: more than 64, less than 160 */
    {"tile=256x256x128 warps=4x2x1 warp_tile=32x32x8 vector=8,8,8", CKT_FP16, "gfx942", "lds",
     "131072 bytes of LDS are needed, gfx942 has 65536"},
    {"tile=256x256x128 warps=4x2x1 warp_tile=32x32x8 vector=8,8,8", CKT_FP16, NULL, NULL, ""},
    {"tile=512x256x128 warps=4x4x1 warp_tile=32x32x8 vector=8,8,8", CKT_FP16, NULL, "lds", "196608"},
    /* 512 x 256 / 256 lanes */
    {"tile=512x256x8 " REST, CKT_FP16, "gfx950", "accumulators", "512 accumulators a lane"},
    {"tile=256x256x8 " REST, CKT_FP16, "gfx950", NULL, ""},
    {"tile=256x512x16 warps=4x2x1 warp_tile=32x32x8 vector=8,8,8", CKT_FP16, "gfx908", "accumulators",
     "gfx908 has 128 in a workgroup of 512"},
    /* two waves a SIMD: 256 of 512 registers, and 256 accumulators are all of them */
    {"tile=256x512x16 warps=4x2x1 warp_tile=32x32x8 vector=8,8,8", CKT_FP16, "gfx90a", "registers",
     "registers a lane are needed, gfx90a has 256"},
};

static void each_rule_is_broken_and_kept(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct rule_case *c = &cases[i];
    const struct ckt_instance instance = instance_of(c->line, c->dtype);
    const struct ckt_arch *arch = c->arch != NULL ? ckt_arch_find(c->arch) : NULL;
    char reason[CKT_REASON_MAX];
    const struct ckt_hardware_rule *broken = ckt_hardware_broken(&instance, arch, reason);
    if ((broken == NULL) != (c->rule == NULL) || (broken != NULL && strcmp(broken->word, c->rule) != 0))
      fail_msg("\"%s\" breaks %s (%s), expected %s", c->line, broken != NULL ? broken->word : "nothing",
               reason, c->rule != NULL ? c->rule : "nothing");
    assert_contains(reason, c->said);
    assert_int_equal(reason[0] == '\0', broken == NULL);
    assert_ptr_equal(ckt_hardware_broken(&instance, arch, NULL), broken);
  }
}

static void every_rule_has_a_case(void **state) {
  (void)state;
  for (size_t rule = 0; rule < ckt_hardware_rule_count; rule++) {
    size_t found = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
      found += cases[i].rule != NULL && strcmp(cases[i].rule, ckt_hardware_rules[rule].word) == 0;
    if (found == 0)
      fail_msg("no case breaks %s", ckt_hardware_rules[rule].word);
    assert_true(strlen(ckt_hardware_rules[rule].sentence) > 10);
  }
}

/* Without an architecture exactly that is let through which one of them can run. */
static void an_unknown_architecture_is_any_of_them(void **state) {
  (void)state;
  size_t count = 0, kept = 0;
  const struct ckt_arch *archs = ckt_arch_list(&count);
  struct ckt_instance instance = instance_of("tile=128x128x32 " REST, CKT_FP16);
  for (int m = 32; m <= 512; m *= 2)
    for (int n = 32; n <= 512; n *= 2)
      for (int k = 8; k <= 256; k *= 2)
        for (int waves = 0; waves < 16; waves++) {
          const int64_t tile[] = {m, n, k}, warps[] = {1 << (waves & 3), 1 << (waves >> 2), 1};
          memcpy(instance.tile, tile, sizeof tile);
          memcpy(instance.warps, warps, sizeof warps);
          instance.block_size = 64 * warps[0] * warps[1];
          bool on_some = false;
          for (size_t i = 0; i < count; i++)
            on_some |= ckt_hardware_broken(&instance, &archs[i], NULL) == NULL;
          assert_int_equal(on_some, ckt_hardware_broken(&instance, NULL, NULL) == NULL);
          kept += on_some;
        }
  assert_in_range(kept, 100, 2000); /* of 2,400 */
}

/* A tile of 64x64x12 in fp32: 8 divides M and N, but not K. */
static void vectors_lie_along_what_a_direction_reads(void **state) {
  (void)state;
  static const struct {
    enum ckt_direction direction;
    const char *said[CKT_GEMM_OPERANDS]; /* with 8 for A, for B, for C, and 4 for the others */
  } directions[] = {{CKT_FORWARD, {"vector A", "vector B", NULL}},
                    {CKT_BACKWARD_DATA, {"vector A", NULL, NULL}},
                    {CKT_BACKWARD_WEIGHT, {NULL, NULL, NULL}}};
  for (size_t i = 0; i < 3; i++)
    for (int operand = 0; operand < CKT_GEMM_OPERANDS; operand++) {
      struct ckt_instance instance =
          instance_of("tile=64x64x12 warps=2x2x1 warp_tile=32x32x4 vector=4,4,4", CKT_FP32);
      instance.direction = directions[i].direction;
      instance.vector[operand] = 8;
      char reason[CKT_REASON_MAX];
      const struct ckt_hardware_rule *broken = ckt_hardware_broken(&instance, NULL, reason);
      assert_int_equal(broken == NULL, directions[i].said[operand] == NULL);
      if (broken != NULL)
        assert_contains(reason, directions[i].said[operand]);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_rule_is_broken_and_kept),
      cmocka_unit_test(every_rule_has_a_case),
      cmocka_unit_test(an_unknown_architecture_is_any_of_them),
      cmocka_unit_test(vectors_lie_along_what_a_direction_reads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
