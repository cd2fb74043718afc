/* The short form of ckProfiler's results: what is one, and which instances may have printed it. */
#include "gen/instance_reader.h"
#include "gen/instance_short.h"
#include "gen_test.h"

#define SHORT                                                                                                \
  "DeviceGroupedConvFwdMultipleABD_Xdl_CShuffle<256, 128, 64, 32, Default, 32, 32, 2, 1, 8, 4, 2, 1, 1>"

static bool read_short(const char *text, struct ckt_short_form *form) {
  return ckt_short_form_read(ckt_span_of(text), form);
}

static void short_forms_are_told_from_other_texts(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool is_short, complete;
  } cases[] = {
      {SHORT, true, true},
      {"  " SHORT " ", true, true},
      {"DeviceGroupedConvFwd<256,128,64,32,OddC,32,32,2,1,8,4,2>", true, true},
      {"DeviceGroupedConvFwd<256,128,64,32,OddC,32,32,2,1,8,4>", true, false},
      {"DeviceGroupedConvBwdWeight_Xdl<256, 128, 64, 32, Filter1x1Pad0, 8, 2, 1>", true, false},
      {"GroupedConvFwd<256,128,64,32,OddC,32,32,2,1,8,4,2>", false, false},
      {"DeviceGroupedConvFwd<256,128,64,32,Other,32,32,2,1,8,4,2>", false, false},
      {"DeviceGroupedConvFwd<256,128,64,OddC,32>", false, false},
      {"DeviceGroupedConvFwd<2,NHWGC,GKYXC,EmptyTuple,NHWGK>", false, false},
      {"DeviceGroupedConvFwd<256,128,64,32,OddC,32,32,2,1,8,4,2> 1.5 ms", false, false},
      {"DeviceGroupedConvFwd", false, false},
      {"", false, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct ckt_short_form form;
    if (read_short(cases[i].text, &form) != cases[i].is_short || form.complete != cases[i].complete)
      fail_msg("\"%s\" is taken for something else", cases[i].text);
  }
}

static void what_is_shown_must_agree(void **state) {
  (void)state;
  struct ckt_short_form form;
  assert_true(read_short(SHORT, &form));
  static const struct {
    const char *line;
    bool matches;
  } cases[] = {
      {"tile=128x64x32 warps=2x2x1 warp_tile=32x32x8 vector=8,4,2", true},
      {"tile=128x64x32 warps=2x2x1 warp_tile=32x32x16 vector=8,4,2 pipeline=v3", true}, /* not shown */
      {"tile=64x64x32 warps=1x2x1 warp_tile=32x32x8 vector=8,4,2 block_size=256", false},
      {"tile=128x128x32 warps=2x4x1 warp_tile=32x32x8 vector=8,4,2 block_size=256", false},
      {"tile=128x64x64 warps=2x2x1 warp_tile=32x32x8 vector=8,4,2", false},
      {"tile=128x64x32 warps=4x1x1 warp_tile=32x32x8 vector=8,4,2", false}, /* repeats 1x2 */
      {"tile=128x64x32 warps=2x2x1 warp_tile=16x16x16 vector=8,4,2", false},
      {"tile=128x64x32 warps=2x2x1 warp_tile=32x32x8 vector=4,4,2", false},
      {"tile=128x64x32 warps=2x2x1 warp_tile=32x32x8 vector=8,8,2", false},
      {"tile=128x64x32 warps=2x2x1 warp_tile=32x32x8 vector=8,4,1", false},
      {"tile=128x64x32 warps=2x2x1 warp_tile=32x32x8 vector=8,4,2 block_size=512", false},
      {"tile=128x64x32 warps=2x2x1 warp_tile=32x32x8 vector=8,4,2 spec=filter3x3", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct ckt_instance instance = instance_of(cases[i].line, CKT_FP16);
    if (ckt_short_form_matches(&form, &instance) != cases[i].matches)
      fail_msg("\"%s\" %s", cases[i].line, cases[i].matches ? "does not match" : "matches");
  }
  struct ckt_instance other = instance_of(cases[0].line, CKT_FP16);
  other.direction = CKT_BACKWARD_DATA;
  assert_false(ckt_short_form_matches(&form, &other));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_forms_are_told_from_other_texts),
      cmocka_unit_test(what_is_shown_must_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
