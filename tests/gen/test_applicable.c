/* Applicability: every rule once refused, with the numbers its sentence must name, and once passed right beside
 * the refusal; LDS against figures worked out by hand; the architectures. */
#include "gen/derived.h"
#include "gen_test.h"

#define WAVES   "warps=2x2x1 warp_tile=32x32x8 "
#define GOOD    "tile=128x128x32 " WAVES "vector=8,8,8"
#define SPEC_64 "2,64,64,14,14,3,3,1,1,1,1"

static const struct ckt_arch *arch(const char *name) {
  const struct ckt_arch *found = ckt_arch_find(name);
  assert_non_null(found);
  return found;
}

struct build_case {
  const char *line;
  enum ckt_dtype dtype;
  const char *arch;
  const char *said[2]; /* none: it can be built */
};

static const struct build_case build_cases[] = {
    {GOOD, CKT_FP16, "gfx90a", {NULL}},
    {GOOD " scheduler=interwave", CKT_BF16, "gfx908", {NULL}},
    /* not there yet */
    {GOOD " pipeline=v3", CKT_FP16, "gfx90a", {"pipeline v3: not built yet"}},
    {GOOD " pipeline=async_v4", CKT_FP16, "gfx90a", {"pipeline async_v4: not built yet"}},
    {GOOD " num_groups_to_merge=8",
     CKT_FP16,
     "gfx90a",
     {"merged groups (8 in one workgroup): not built yet"}},
    {GOOD " num_wave_groups=2", CKT_FP16, "gfx90a", {"2 wave groups: not built yet"}},
    {GOOD " split_k=4", CKT_FP16, "gfx90a", {"split K of 4: not built yet"}},
    {GOOD " split_image=true", CKT_FP16, "gfx90a", {"split image: not built yet"}},
    {GOOD " explicit_gemm=true", CKT_FP16, "gfx90a", {"explicit GEMM: not built yet"}},
    {GOOD " two_stage=true", CKT_FP16, "gfx90a", {"two stages: not built yet"}},
    {GOOD " double_smem_buffer=true", CKT_FP16, "gfx90a", {"a double LDS buffer: not built yet"}},
    {GOOD " specialize_shape=true", CKT_FP16, "gfx90a", {"specialised shapes: not built yet"}},
    {"tile=128x128x32 warps=1x2x2 warp_tile=32x32x8 vector=8,8,8",
     CKT_FP16,
     "gfx90a",
     {"2 waves along K: not built yet"}},
    /* waves, block, tile */
    {GOOD " block_size=128",
     CKT_FP16,
     "gfx90a",
     {"2x2x1 waves of 64 lanes are 256 threads", "block size is 128"}},
    {"tile=256x256x16 warps=8x4x1 warp_tile=32x32x8 vector=8,8,8",
     CKT_FP16,
     "gfx90a",
     {"block size of 2048", "1024 threads"}},
    {"tile=256x256x16 warps=4x4x1 warp_tile=32x32x8 vector=8,8,8", CKT_FP16, "gfx90a", {NULL}},
    {"tile=96x128x32 " WAVES "vector=8,8,8", CKT_FP16, "gfx90a", {"tile M of 96 is not a multiple of 64"}},
    {"tile=128x32x32 " WAVES "vector=8,8,8", CKT_FP16, "gfx90a", {"tile N of 32 is not a multiple of 64"}},
    {"tile=128x128x20 " WAVES "vector=4,4,4", CKT_FP16, "gfx90a", {"tile K of 20 is not a multiple of 8"}},
    {"tile=70000x128x32 " WAVES "vector=8,8,8", CKT_FP16, "gfx90a", {"tile M of 70000", "65536"}},
    /* matrix instruction */
    {"tile=128x128x32 warps=2x2x1 warp_tile=32x16x8 vector=8,8,8",
     CKT_FP16,
     "gfx90a",
     {"32x16", "32x32 or 16x16"}},
    {"tile=128x128x32 warps=2x2x1 warp_tile=64x64x8 vector=8,8,8", CKT_FP16, "gfx90a", {"64x64"}},
    {"tile=128x128x32 warps=2x2x1 warp_tile=32x32x4 vector=8,8,8",
     CKT_FP16,
     "gfx90a",
     {"warp tile K of 4 is not 1, 2, 4, ... times 8", "32x32 matrix instruction of fp16"}},
    {"tile=128x128x32 warps=2x2x1 warp_tile=16x16x8 vector=8,8,8",
     CKT_BF16,
     "gfx90a",
     {"K of 8 is not 1, 2, 4, ... times 16", "bf16"}},
    {"tile=64x64x32 warps=2x2x1 warp_tile=32x32x4 vector=8,8,8", CKT_FP32, "gfx90a", {NULL}},
    {"tile=64x64x32 warps=2x2x1 warp_tile=16x16x4 vector=8,8,8", CKT_FP32, "gfx90a", {NULL}},
    {"tile=64x64x32 warps=2x2x1 warp_tile=16x16x2 vector=8,8,8",
     CKT_FP32,
     "gfx90a",
     {"K of 2 is not 1, 2, 4, ... times 4"}},
    {"tile=64x64x48 warps=2x2x1 warp_tile=32x32x24 vector=8,8,8",
     CKT_FP16,
     "gfx90a",
     {"K of 24 is not 1, 2, 4, ... times 8"}},
    {"tile=64x64x48 warps=2x2x1 warp_tile=32x32x16 vector=8,8,8", CKT_FP16, "gfx90a", {NULL}},
    /* vectors */
    {"tile=128x128x32 " WAVES "vector=3,8,8", CKT_FP16, "gfx90a", {"vector A of 3 is not 1, 2, 4 or 8"}},
    {"tile=128x128x32 " WAVES "vector=8,8,16", CKT_FP16, "gfx90a", {"vector C of 16 is not 1, 2, 4 or 8"}},
    {"tile=128x128x12 warps=2x2x1 warp_tile=32x32x4 vector=4,8,8",
     CKT_FP32,
     "gfx90a",
     {"vector B of 8 does not divide tile K of 12"}},
    {"tile=128x128x12 warps=2x2x1 warp_tile=32x32x4 vector=4,4,8", CKT_FP32, "gfx90a", {NULL}},
    /* LDS: (256 + 256) * 128 * 2 bytes are 128 KiB */
    {"tile=256x256x128 warps=4x2x1 warp_tile=32x32x8 vector=8,8,8",
     CKT_FP16,
     "gfx942",
     {"131072 bytes of LDS", "gfx942 has 65536"}},
    {"tile=256x256x128 warps=4x2x1 warp_tile=32x32x8 vector=8,8,8", CKT_FP16, "gfx950", {NULL}},
    {"tile=128x128x64 " WAVES "vector=8,8,8", CKT_FP32, "gfx90a", {NULL}}, /* exactly 64 KiB */
    {"tile=192x128x64 " WAVES "vector=8,8,8", CKT_FP32, "gfx90a", {"81920 bytes of LDS"}},
    /* registers */
    {"tile=256x256x16 " WAVES "vector=8,8,8", CKT_FP16, "gfx90a", {NULL}}, /* 256 accumulators */
    {"tile=512x256x8 " WAVES "vector=8,8,8",
     CKT_FP16,
     "gfx90a",
     {"512 accumulators a lane", "gfx90a has 256"}},
    {"tile=256x256x16 warps=4x2x1 warp_tile=32x32x8 vector=8,8,8", CKT_FP16, "gfx908", {NULL}},
    {"tile=256x512x16 warps=4x2x1 warp_tile=32x32x8 vector=8,8,8",
     CKT_FP16,
     "gfx908",
     {"256 accumulators a lane", "gfx908 has 128 in a workgroup of 512 threads"}},
    {"tile=256x512x16 warps=4x2x1 warp_tile=32x32x8 vector=8,8,8",
     CKT_FP16,
     "gfx90a",
     {"registers a lane are needed", "gfx90a has 256 in a workgroup of 512 threads"}},
};

static void instances_are_judged_alone(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof build_cases / sizeof *build_cases; i++) {
    const struct build_case *c = &build_cases[i];
    const struct ckt_instance instance = instance_of(c->line, c->dtype);
    char reason[CKT_REASON_MAX];
    const bool built = ckt_buildable(&instance, arch(c->arch), reason);
    if (built != (c->said[0] == NULL))
      fail_msg("\"%s\" on %s: %s", c->line, c->arch, built ? "passed" : reason);
    for (size_t part = 0; part < 2 && c->said[part] != NULL; part++)
      assert_contains(reason, c->said[part]);
    assert_int_equal(reason[0] == '\0', built);
  }
}

static void directions_and_dimensions_that_are_not_built(void **state) {
  (void)state;
  char reason[CKT_REASON_MAX];
  struct ckt_instance instance = instance_of(GOOD, CKT_FP16);
  instance.direction = CKT_BACKWARD_DATA;
  assert_false(ckt_buildable(&instance, arch("gfx90a"), reason));
  assert_string_equal(reason, "backward_data: not built yet");
  instance.direction = CKT_FORWARD;
  instance.spatial = 3;
  assert_false(ckt_buildable(&instance, arch("gfx90a"), reason));
  assert_string_equal(reason, "3 spatial dimensions: not built yet");
}

/* Numbers that no list of ours can hold, but an odd line of another's list. */
static void nonsense_is_refused_before_it_is_computed_with(void **state) {
  (void)state;
  char reason[CKT_REASON_MAX];
  const struct ckt_instance good = instance_of(GOOD, CKT_FP16);
  struct ckt_instance instance = good;
  instance.warps[CKT_K] = 0;
  assert_false(ckt_buildable(&instance, arch("gfx90a"), reason));
  assert_contains(reason, "waves K of 0 is not between 1 and 65536");
  instance = good;
  instance.vector[CKT_B] = -8;
  assert_false(ckt_buildable(&instance, arch("gfx90a"), reason));
  assert_contains(reason, "vector B of -8");
  for (int i = 0; i < 3; i++) {
    instance.tile[i] = instance.warps[i] = instance.warp_tile[i] = INT64_MAX;
    assert_int_equal(ckt_instance_lds_bytes(&instance), -1);
    assert_false(ckt_buildable(&instance, arch("gfx90a"), reason));
  }
}

struct problem_case {
  const char *line, *spec;
  const char *said[2]; /* none: it applies */
};

#define SMALL   "tile=32x32x32 warps=1x1x1 warp_tile=32x32x8 "
#define TINY    "tile=16x16x16 warps=1x1x1 warp_tile=16x16x16 "
#define PAD0    SMALL "vector=1,1,1 spec=filter1x1_pad0"
#define STRIDE1 SMALL "vector=1,1,1 spec=filter1x1_stride1_pad0"
#define THREE   SMALL "vector=1,1,1 spec=filter3x3"

static const struct problem_case problem_cases[] = {
    {GOOD, SPEC_64, {NULL}},
    /* vectors against the channels of a group */
    {SMALL "vector=8,8,1", "2,5,7,9,9,3,3", {"vector A of 8 does not divide C=5"}},
    {SMALL "vector=1,4,1", "2,6,7,9,9,3,3", {"vector B of 4 does not divide C=6"}},
    {SMALL "vector=2,2,4", "2,6,7,9,9,3,3", {"vector C of 4 does not divide K=7"}},
    {SMALL "vector=1,1,1", "2,5,7,9,9,3,3", {NULL}},
    {SMALL "vector=8,8,8", "2,16,16,9,9,3,3,1,1,1,1,1,1,4", {"vector A of 8 does not divide C=4 per group"}},
    {SMALL "vector=4,4,4", "2,16,16,9,9,3,3,1,1,1,1,1,1,4", {NULL}},
    /* specializations */
    {PAD0, "1,8,8,8,8,1,1", {NULL}},
    {PAD0, "1,8,8,8,8,1,1,2,2", {NULL}},
    {PAD0, "1,8,8,8,8,1,3", {"filter1x1_pad0 takes filters of 1", "has 3"}},
    {PAD0, "1,8,8,8,8,1,1,1,1,0,1", {"filter1x1_pad0 takes no padding", "pad of 1"}},
    {PAD0, "n=1,c=8,k=8,hi=8,wi=8,y=1,x=1,rpy=2", {"takes no padding", "pad of 2"}},
    {STRIDE1, "1,8,8,8,8,1,1", {NULL}},
    {STRIDE1, "1,8,8,8,8,1,1,1,1,0,0,5,5", {NULL}},
    {STRIDE1, "1,8,8,8,8,1,1,1,2", {"filter1x1_stride1_pad0 takes stride 1 only", "has 2"}},
    {STRIDE1, "1,8,8,8,8,1,1,1,1,1,0", {"takes no padding"}},
    {STRIDE1, "1,8,8,8,8,3,1", {"takes filters of 1"}},
    {THREE, "1,8,8,8,8,3,3,2,2,1,1", {NULL}},
    {THREE, "1,8,8,8,8,3,1", {"filter3x3 takes filters of 3", "has 1"}},
    {THREE, "1,8,8,8,8,5,5", {"filter3x3 takes filters of 3", "has 5"}},
    /* 32-bit offsets: 2^31 bytes are one too many */
    {SMALL "vector=1,1,1", "1,1,1,32768,32768,1,1,16,16", {"input of 2147483648 bytes needs 64-bit offsets"}},
    {SMALL "vector=1,1,1", "1,1,1,32767,32768,1,1,16,16", {NULL}},
    {SMALL "vector=1,1,1", "1,32768,32768,1,1,1,1", {"weight of 2147483648 bytes"}},
    {SMALL "vector=1,1,1", "32768,1,32768,1,1,1,1", {"output of 2147483648 bytes"}},
    /* 32-bit coordinates */
    {SMALL "vector=1,1,1",
     "1,1,1,4,4,1,1,2000000000,1,1000000000,0",
     {"a padded input extent of 2000000004 needs 64-bit coordinates"}},
    {SMALL "vector=1,1,1",
     "1,1,1,4,4,2,1,1,1,500000000,0,1000000000,1",
     {"a filter of 2 with dilation 1000000000 on a padded input of 1000000004 needs 64-bit coordinates"}},
    {SMALL "vector=1,1,1", "1,1,1,4,4,1,1,1,1,0,0,2000000000,1", {NULL}}, /* one tap: no dilation */
    {SMALL "vector=1,1,1", "1,1,1,4,4,1,1,2000000000,1", {"a stride of 2000000000 needs 64-bit coordinates"}},
    {SMALL "vector=1,1,1", "1,1,1,4,4,1,1,900000000,1", {NULL}},
    /* one launch: 2^26 workgroups of 64 threads are one too many */
    {TINY "vector=1,1,1", "1073741792,1,1,1,1,1,1", {NULL}},
    {TINY "vector=1,1,1", "1073741823,1,1,1,1,1,1", {"67108864x1 tiles with 64 threads each", "2^32"}},
    {TINY "vector=1,1,1", "1,131070,131070,1,1,1,1,1,1,0,0,1,1,65535", {NULL}},
    {TINY "vector=1,1,1",
     "1,131072,131072,1,1,1,1,1,1,0,0,1,1,65536",
     {"65536 groups are more than the 65535"}},
};

static void instances_are_held_against_problems(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof problem_cases / sizeof *problem_cases; i++) {
    const struct problem_case *c = &problem_cases[i];
    const struct ckt_instance instance = instance_of(c->line, CKT_FP16);
    const struct ckt_problem problem = problem_of(c->spec, CKT_FP16);
    char reason[CKT_REASON_MAX];
    const bool applies = ckt_applicable(&instance, &problem, arch("gfx90a"), reason);
    if (applies != (c->said[0] == NULL))
      fail_msg("\"%s\" for %s: %s", c->line, c->spec, applies ? "passed" : reason);
    for (size_t part = 0; part < 2 && c->said[part] != NULL; part++)
      assert_contains(reason, c->said[part]);
    assert_int_equal(reason[0] == '\0', applies);
  }
}

static void instance_and_problem_are_of_one_kind(void **state) {
  (void)state;
  const struct ckt_instance instance = instance_of(GOOD, CKT_FP16);
  const struct ckt_problem problem = problem_of(SPEC_64, CKT_FP16);
  char reason[CKT_REASON_MAX];
  struct ckt_problem other = problem;
  other.dtype = CKT_BF16;
  assert_false(ckt_applicable(&instance, &other, arch("gfx90a"), reason));
  assert_string_equal(reason, "the instance is for fp16, the problem is bf16");
  other = problem;
  other.direction = CKT_BACKWARD_WEIGHT;
  assert_false(ckt_applicable(&instance, &other, arch("gfx90a"), reason));
  assert_string_equal(reason, "the instance is for forward, the problem is backward_weight");
  other = problem;
  other.spatial = 3;
  assert_false(ckt_applicable(&instance, &other, arch("gfx90a"), reason));
  assert_string_equal(reason, "the instance is for 2D, the problem is 3D");
  struct ckt_instance refused = instance;
  refused.pipeline = CKT_PIPELINE_V2;
  assert_false(ckt_applicable(&refused, &problem, arch("gfx90a"), reason));
  assert_string_equal(reason, "pipeline v2: not built yet");
}

static void lds_is_counted(void **state) {
  (void)state;
  static const struct {
    const char *line;
    enum ckt_dtype dtype;
    int64_t bytes;
  } cases[] = {
      {GOOD, CKT_FP16, (128 + 128) * 32 * 2},
      {GOOD, CKT_FP32, (128 + 128) * 32 * 4},
      {GOOD " double_smem_buffer=true", CKT_FP16, (128 + 128) * 32 * 2 * 2},
      /* the output strip is larger than the main loop's tiles: 64 x 64 elements against (64 + 64) x 8 */
      {"tile=64x64x8 " WAVES "vector=8,8,8", CKT_FP16, 64 * 64 * 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct ckt_instance instance = instance_of(cases[i].line, cases[i].dtype);
    assert_int_equal(ckt_instance_lds_bytes(&instance), cases[i].bytes);
  }
}

static void architectures_are_found_by_their_base(void **state) {
  (void)state;
  size_t count = 0;
  const struct ckt_arch *all = ckt_arch_list(&count);
  assert_int_equal(count, 4);
  for (size_t i = 0; i < count; i++)
    assert_ptr_equal(ckt_arch_find(all[i].name), &all[i]);
  assert_ptr_equal(ckt_arch_find("gfx90a:sramecc+:xnack-"), ckt_arch_find("gfx90a"));
  assert_int_equal(arch("gfx950")->lds_bytes, 160 * 1024);
  assert_int_equal(arch("gfx942")->lds_bytes, 64 * 1024);
  assert_false(arch("gfx908")->unified_registers);
  static const char *const unknown[] = {"gfx1234", "gfx90", "gfx90aa", "", ":xnack-"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    const struct ckt_arch *found;
    struct ckt_error error = {0};
    assert_int_equal(ckt_arch_parse(unknown[i], &found, &error), CKT_E_USAGE);
    assert_null(found);
    assert_contains(error.text, unknown[i]);
    assert_contains(error.text, "gfx908, gfx90a, gfx942 or gfx950");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instances_are_judged_alone),
      cmocka_unit_test(directions_and_dimensions_that_are_not_built),
      cmocka_unit_test(nonsense_is_refused_before_it_is_computed_with),
      cmocka_unit_test(instances_are_held_against_problems),
      cmocka_unit_test(instance_and_problem_are_of_one_kind),
      cmocka_unit_test(lds_is_counted),
      cmocka_unit_test(architectures_are_found_by_their_base),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
