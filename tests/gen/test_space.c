/* Spaces: which points a product has, in which order and with which number; what `where` and the hardware leave out,
 * and why; points as lines; every way a space can be wrong, with the column it is wrong at. */
#include "gen/space.h"
#include "gen_test.h"

#define REST " warps=2x2x1 warp_tile=32x32x8 vector=8,8,8"

static struct ckt_space *space_of(const char *line) {
  const struct ckt_problem_defaults defaults = defaults_of(CKT_FP16);
  struct ckt_space *space;
  struct ckt_span fault;
  struct ckt_error error = {0};
  if (ckt_space_parse(ckt_span_of(line), &defaults, &space, &fault, &error) != CKT_OK)
    fail_msg("%s: %s", line, error.text);
  return space;
}

static bool next(struct ckt_space_walk *walk) {
  struct ckt_span fault;
  struct ckt_error error = {0};
  bool more = false;
  if (ckt_space_next(walk, &more, &fault, &error) != CKT_OK)
    fail_msg("%s", error.text);
  return more;
}

/* All points, kept or not, as "number:values" of one field, with the rule of those that are not kept. */
static void check_points(const char *line, const char *field, const char *expected) {
  struct ckt_space *space = space_of(line);
  struct ckt_text text = {0};
  struct ckt_space_walk walk;
  ckt_space_start(&walk, space, NULL, true);
  while (next(&walk)) {
    char *point = ckt_space_point_line(space, &walk.instance);
    const char *value = strstr(point, field);
    assert_non_null(value);
    value += strlen(field) + 1;
    ckt_text_printf(&text, "%s%d:%.*s%s%s", text.length > 0 ? " " : "", (int)walk.number,
                    (int)strcspn(value, " "), value, walk.rule != NULL ? "!" : "",
                    walk.rule != NULL ? walk.rule : "");
    free(point);
  }
  if (strcmp(ckt_text_string(&text), expected) != 0)
    fail_msg("%s:\n  %s instead of\n  %s", line, ckt_text_string(&text), expected);
  ckt_text_free(&text);
  ckt_space_free(space);
}

static void products_are_walked_in_order(void **state) {
  (void)state;
  check_points("tile={64,128}x64x32" REST, "tile", "0:64x64x32 1:128x64x32");
  check_points("tile={64,128}x{64,192}x32" REST, "tile", "0:64x64x32 1:64x192x32 2:128x64x32 3:128x192x32");
  check_points("tile={64x128,128x64}x{32,16}" REST, "tile",
               "0:64x128x32 1:64x128x16 2:128x64x32 3:128x64x16");
  check_points("tile={128x64x32,64x64x64}" REST, "tile", "0:128x64x32 1:64x64x64");
  check_points("tile=64..256*2x64x32" REST, "tile", "0:64x64x32 1:128x64x32 2:256x64x32");
  check_points("tile=64..256+64x64x32" REST, "tile", "0:64x64x32 1:128x64x32 2:192x64x32 3:256x64x32");
  check_points("tile={ 64, 128..256*2 }x64x32" REST, "tile", "0:64x64x32 1:128x64x32 2:256x64x32");
  check_points("tile=64..200*2x64x32" REST, "tile", "0:64x64x32 1:128x64x32");
  check_points("tile=64x64x32 warps=2x2x1 warp_tile=32x32x8 vector={(8,8,8),(1,1,4)}", "vector",
               "0:8,8,8 1:1,1,4");
  check_points("tile=64x64x32 warps=2x2x1 warp_tile=32x32x8 vector={8,4},8,{(2),1}", "vector",
               "0:8,8,2 1:8,8,1 2:4,8,2 3:4,8,1");
  check_points("tile=64x64x32 warps=2x2x1 warp_tile=32x32x8 vector=8,{(8,4),(4,2)}", "vector",
               "0:8,8,4 1:8,4,2");
  check_points("tile=64x64x32" REST " scheduler={interwave,intrawave}", "scheduler",
               "0:interwave 1:intrawave");
  check_points("tile=64x64x32" REST " two_stage={false,true}", "two_stage", "0:false 1:true");
  check_points("tile=64x64x32" REST " split_k=1..3", "split_k", "0:1 1:2 2:3");
  /* the set that stands last in the line is the fastest */
  check_points("scheduler={intrawave,interwave} tile={64,128}x64x32" REST, "tile",
               "0:64x64x32 1:128x64x32 2:64x64x32 3:128x64x32");
  check_points("tile={64}x64x32" REST, "tile", "0:64x64x32");
}

static void a_point_that_is_left_out_keeps_its_number(void **state) {
  (void)state;
  check_points("tile={64,96,128}x{64,80}x32" REST " where tile_m != 128", "tile",
               "0:64x64x32 1:64x80x32!tile_is_whole 2:96x64x32!tile_is_whole 3:96x80x32!tile_is_whole "
               "4:128x64x32!where 5:128x80x32!where");
  check_points("tile=64x64x32" REST " where tile_m in {64} # one point", "tile", "0:64x64x32");
  check_points("tile=64x64x32" REST " where false", "tile", "0:64x64x32!where");
  check_points("tile=64x64x32 warps=2x2x1 warp_tile=32x32x8 vector={8,3},8,8", "vector",
               "0:8,8,8 1:3,8,8!vector_width");
  check_points("tile=64x64x32" REST " block_size={128,256}", "block_size", "0:128!warps_cover_block 1:256");
}

static void a_plain_line_is_no_space(void **state) {
  (void)state;
  struct ckt_space *space = space_of("tile=65x64x32" REST);
  assert_true(ckt_space_is_plain(space));
  assert_int_equal(ckt_space_size(space), 1);
  ckt_space_free(space);
  check_points("tile=65x64x32" REST, "tile", "0:65x64x32"); /* what a person says is not judged here */
  space = space_of("tile=64x64x32" REST " where true");
  assert_false(ckt_space_is_plain(space));
  ckt_space_free(space);
  space = space_of("tile={64}x64x32" REST);
  assert_true(ckt_space_is_plain(space));
  ckt_space_free(space);
}

/* Without `all` the points are the same, and those alone that are kept. */
static void kept_points_are_a_part_of_all(void **state) {
  (void)state;
  static const char line[] = "tile=16..256+16x{64,128}x32 warps={1,2,4}x{1,2}x1 warp_tile={16x16x16,32x32x8} "
                             "vector={1,2,3,8},8,8 where tile_m*tile_n <= 16384 or threads == 64";
  struct ckt_space *space = space_of(line);
  assert_int_equal(ckt_space_size(space), 16 * 2 * 3 * 2 * 2 * 4);
  struct ckt_space_walk all, kept;
  ckt_space_start(&all, space, ckt_arch_find("gfx90a"), true);
  ckt_space_start(&kept, space, ckt_arch_find("gfx90a"), false);
  int64_t number = 0, count = 0;
  for (; next(&all); number++) {
    assert_int_equal(all.number, number);
    assert_int_equal(all.rule == NULL, all.reason[0] == '\0');
    if (all.rule != NULL)
      continue;
    assert_true(next(&kept));
    assert_int_equal(kept.number, number);
    char one[CKT_INSTANCE_KEY_MAX], other[CKT_INSTANCE_KEY_MAX];
    ckt_instance_key(&all.instance, one);
    ckt_instance_key(&kept.instance, other);
    assert_string_equal(one, other);
    assert_int_equal(kept.instance.block_size, 64 * kept.instance.warps[CKT_M] * kept.instance.warps[CKT_N]);
    count++;
  }
  assert_false(next(&kept));
  assert_false(next(&kept)); /* and it stays so */
  assert_int_equal(number, ckt_space_size(space));
  assert_in_range(count, 50, number / 2);
  ckt_space_free(space);
}

static void the_device_decides(void **state) {
  (void)state;
  /* 128 KiB of LDS: gfx950 alone has so much */
  static const char line[] = "tile={128,256}x256x128 warps=4x2x1 warp_tile=32x32x8 vector=8,8,8";
  struct ckt_space *space = space_of(line);
  static const struct {
    const char *arch;
    int kept;
  } cases[] = {{"gfx942", 0}, {"gfx950", 2}, {NULL, 2}};
  for (size_t i = 0; i < 3; i++) {
    struct ckt_space_walk walk;
    ckt_space_start(&walk, space, cases[i].arch != NULL ? ckt_arch_find(cases[i].arch) : NULL, false);
    int kept = 0;
    while (next(&walk))
      kept++;
    assert_int_equal(kept, cases[i].kept);
  }
  ckt_space_free(space);
}

static void points_are_lines(void **state) {
  (void)state;
  struct ckt_space *space =
      space_of("pipeline={v1,v3} warps=2x2x1 tile={64,128}x64x32 warp_tile=32x32x8 vector=8,8,8 # why");
  struct ckt_space_walk walk;
  ckt_space_start(&walk, space, NULL, false);
  while (next(&walk) && walk.number < 3)
    ;
  char *line = ckt_space_point_line(space, &walk.instance);
  assert_string_equal(line, "pipeline=v3 warps=2x2x1 tile=128x64x32 warp_tile=32x32x8 vector=8,8,8");
  char expected[CKT_INSTANCE_KEY_MAX], key[CKT_INSTANCE_KEY_MAX];
  const struct ckt_instance copy = instance_of(line, CKT_FP16);
  ckt_instance_key(&copy, key);
  ckt_instance_key(&walk.instance, expected);
  assert_string_equal(key, expected);
  free(line);
  ckt_space_free(space);
}

static void faults_are_named_with_their_column(void **state) {
  (void)state;
  static const struct {
    const char *line;
    size_t column;
    const char *said[2];
  } cases[] = {
      {"tile={64,128x64x32" REST, 6, {"'{' is not closed"}},
      {"tile=64,128}x64x32" REST, 12, {"'}' closes nothing"}},
      {"tile={64,(128}x64x32" REST, 6, {"is not closed"}},
      {"tile={}x64x32" REST, 7, {"\"\" is read, expected a number"}},
      {"tile={64,}x64x32" REST, 10, {"\"\" is read, expected a number"}},
      {"tile={64,a}x64x32" REST, 10, {"\"a\" is read, expected a number"}},
      {"tile={64,64}x64x32" REST, 10, {"\"64\" brings a value of tile that stands in the set already"}},
      {"tile={64,32..128*2}x64x32" REST, 10, {"\"32..128*2\" brings a value"}},
      {"tile={64x64,64x64}x32" REST, 13, {"\"64x64\" brings a value"}},
      {"tile={64,0}x64x32" REST, 6, {"tile has a number of 0", "1 or more"}},
      {"tile=-1..2x64x32" REST, 6, {"tile has a number of -1"}},
      {"tile={64,262145}x64x32" REST, 10, {"tile has a number of 262145", "at most 262144"}},
      {"tile=128..64x64x32" REST, 6, {"\"128..64\" is read", "smaller number to the larger"}},
      {"tile=64..128*1x64x32" REST, 14, {"\"1\" is read, expected a factor of 2"}},
      {"tile=1..2000x64x32" REST, 6, {"the set of tile has more than 1024 values"}},
      {"tile={64x64,64}x32" REST, 13, {"\"64\" is read, expected 2 numbers of tile"}},
      {"tile={64x64,64x64x64}x32" REST, 13, {"more than the 2 numbers"}},
      {"tile={64x64x64x64}" REST, 7, {"\"64x64x64x64\" in tile="}},
      {"tile={64x64}x64x32" REST, 6, {"tile=\"{64x64}x64x32\" cannot be read"}},
      {"tile={64,128}x64" REST, 6, {"MxNxK"}},
      {"tile={{64},128}x64x32" REST, 7, {"\"{64}\" is read"}},
      {"tile=64x64x32" REST " pipeline={v1,v7}", 71, {"\"v7\" in pipeline=\"{v1,v7}\"", "v1, v2"}},
      {"tile=64x64x32" REST " pipeline=v1..v3", 67, {"pipeline=\"v1..v3\""}},
      {"tile=64x64x32" REST " dtype={fp16,bf16}", 64, {"dtype is a set, but a list is read for one dtype"}},
      {"tile=64x64x32" REST " where", 63, {"the end is read"}},
      {"tile=64x64x32" REST " where tile_m", 64, {"\"tile_m\" is a number"}},
      {"tile=64x64x32" REST " where true where true", 69, {"\"where\" is read"}},
      {"where true tile=64x64x32" REST, 12, {"\"tile\" is read"}},
      {"tile=1..1000x1..1000x1..1000 split_k=1..2 warps=1x1x1 warp_tile=1x1x1 vector=1,1,1",
       22,
       {"more than 100000000 points together"}},
      {"tile={64,128}x64x32 warps=2x2x1 warp_tile=32x32x8", 1, {"vector is missing"}},
  };
  const struct ckt_problem_defaults defaults = defaults_of(CKT_FP16);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *line = cases[i].line;
    struct ckt_space *space;
    struct ckt_span fault;
    struct ckt_error error = {0};
    if (ckt_space_parse(ckt_span_of(line), &defaults, &space, &fault, &error) != CKT_E_INPUT)
      fail_msg("\"%s\" passed", line);
    assert_null(space);
    for (size_t part = 0; part < 2 && cases[i].said[part] != NULL; part++)
      assert_contains(error.text, cases[i].said[part]);
    const size_t column = (size_t)(fault.text - line) + 1;
    if (column != cases[i].column)
      fail_msg("\"%s\": column %zu instead of %zu (%s)", line, column, cases[i].column, error.text);
  }
}

static void what_cannot_be_computed_stops_the_walk(void **state) {
  (void)state;
  static const char line[] = "tile={64,128}x64x32" REST " where 1 / (tile_m - 128) == 0";
  struct ckt_space *space = space_of(line);
  struct ckt_space_walk walk;
  struct ckt_span fault;
  struct ckt_error error = {0};
  bool more;
  ckt_space_start(&walk, space, NULL, false);
  assert_int_equal(ckt_space_next(&walk, &more, &fault, &error), CKT_OK);
  assert_true(more);
  assert_int_equal(ckt_space_next(&walk, &more, &fault, &error), CKT_E_INPUT);
  assert_contains(error.text, "the divisor is 0");
  assert_ptr_equal(fault.text, strstr(line, "/ ("));
  ckt_space_free(space);
}

static void one_instance_is_not_many(void **state) {
  (void)state;
  const struct ckt_problem_defaults defaults = defaults_of(CKT_FP16);
  struct ckt_instance instance;
  struct ckt_error error = {0};
  assert_int_equal(ckt_instance_parse("tile={64,128}x64x{32,64,16}" REST, &defaults, &instance, NULL, &error),
                   CKT_E_INPUT);
  assert_contains(error.text, "a space of 6 instances, expected a single one");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_walked_in_order),
      cmocka_unit_test(a_point_that_is_left_out_keeps_its_number),
      cmocka_unit_test(a_plain_line_is_no_space),
      cmocka_unit_test(kept_points_are_a_part_of_all),
      cmocka_unit_test(the_device_decides),
      cmocka_unit_test(points_are_lines),
      cmocka_unit_test(faults_are_named_with_their_column),
      cmocka_unit_test(what_cannot_be_computed_stops_the_walk),
      cmocka_unit_test(one_instance_is_not_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
