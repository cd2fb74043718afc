/* Exercises: the LDS formula of kernels/lds_layout.h (sizes that instances must have, strips of the epilogue) and its
 * swizzle: it permutes a row, and rows that are read together meet different banks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/lds_layout.h"

static struct ckt_lds_shape shape_of(long long m, long long n, long long k, long long warps_m,
                                     long long warps_n, long long warp_tile, long long bytes) {
  return (struct ckt_lds_shape){.tile_m = m,
                                .tile_n = n,
                                .tile_k = k,
                                .warps_m = warps_m,
                                .warps_n = warps_n,
                                .warp_tile_m = warp_tile,
                                .warp_tile_n = warp_tile,
                                .element_bytes = bytes,
                                .buffers = 1};
}

/* Worked out by hand from the header's description. */
static void sizes(void **state) {
  (void)state;
  assert_int_equal(ckt_lds_bytes(shape_of(128, 128, 32, 2, 2, 32, 2)), 16384);
  assert_int_equal(ckt_lds_bytes(shape_of(256, 128, 32, 2, 2, 32, 2)), 24576);
  assert_int_equal(ckt_lds_bytes(shape_of(128, 128, 64, 2, 2, 32, 4)),
                   65536); /* fills the LDS of gfx90a exactly */
  /* Shallow tiles: one strip of 64 x 64 fp32 is larger than the main loop's (128 + 128) x 8. */
  assert_int_equal(ckt_lds_main_bytes(shape_of(128, 128, 8, 2, 2, 32, 4)), 8192);
  assert_int_equal(ckt_lds_bytes(shape_of(128, 128, 8, 2, 2, 32, 4)), 16384);
}

static void two_buffers_double_the_main_loop(void **state) {
  (void)state;
  struct ckt_lds_shape shape = shape_of(128, 128, 32, 2, 2, 32, 2);
  shape.buffers = 2;
  assert_int_equal(ckt_lds_bytes(shape), 32768);
}

static void strips_divide_the_tile_and_cost_no_lds(void **state) {
  (void)state;
  static const long long tiles_n[] = {16, 32, 48, 64, 96, 128, 160, 192, 256};
  for (size_t i = 0; i < sizeof tiles_n / sizeof *tiles_n; i++)
    for (long long k = 16; k <= 64; k *= 2) {
      const struct ckt_lds_shape shape = shape_of(64, tiles_n[i], k, 1, 1, 16, 2);
      const long long all = tiles_n[i] / 16, repeats = ckt_lds_strip_repeats(shape);
      assert_true(repeats >= 1 && repeats <= all);
      assert_int_equal(all % repeats, 0);
      assert_true(repeats == 1 || ckt_lds_strip_bytes(shape, repeats) <= ckt_lds_main_bytes(shape));
      assert_true(ckt_lds_bytes(shape) >= ckt_lds_strip_bytes(shape, repeats));
    }
}

/* Every granule of a row goes to a place of its own inside the row. */
static void check_row(unsigned row, long long row_bytes, long long granule) {
  bool taken[512] = {false};
  const unsigned swizzle = ckt_lds_swizzle(row, row_bytes, granule);
  assert_int_equal(swizzle % granule, 0);
  for (unsigned byte = 0; byte < row_bytes; byte += (unsigned)granule) {
    const unsigned place = byte ^ swizzle;
    assert_true(place < row_bytes);
    assert_false(taken[place / granule]);
    taken[place / granule] = true;
  }
}

static void swizzle_permutes_each_row(void **state) {
  (void)state;
  for (long long granule = 8; granule <= 16; granule *= 2)
    for (long long row_bytes = granule; row_bytes <= 1024; row_bytes += granule)
      for (unsigned row = 0; row < 64; row++)
        check_row(row, row_bytes, granule);
}

/* 128 / granule consecutive rows, the same column: all 32 banks once. This holds for the row lengths that a tile_k of
 * 8 to 128 gives, powers of two. */
static void check_banks(unsigned first_row, unsigned column, long long row_bytes, long long granule) {
  bool bank[16] = {false};
  for (unsigned row = first_row; row < first_row + CKT_LDS_BANK_BYTES / granule; row++) {
    const long long place = row * row_bytes + (column ^ ckt_lds_swizzle(row, row_bytes, granule));
    const long long group = place % CKT_LDS_BANK_BYTES / granule;
    assert_false(bank[group]);
    bank[group] = true;
  }
}

static void rows_read_together_meet_different_banks(void **state) {
  (void)state;
  for (long long granule = 8; granule <= 16; granule *= 2)
    for (long long row_bytes = 16; row_bytes <= 512; row_bytes *= 2)
      for (unsigned row = 0; row < 64; row += CKT_LDS_BANK_BYTES / (unsigned)granule)
        for (unsigned column = 0; column < row_bytes; column += (unsigned)granule)
          check_banks(row, column, row_bytes, granule);
}

/* The kernels add a multiple of 16 rows to an address without swizzling again. */
static void swizzle_repeats_after_16_rows(void **state) {
  (void)state;
  for (long long granule = 8; granule <= 16; granule *= 2)
    for (long long row_bytes = granule; row_bytes <= 1024; row_bytes += granule)
      for (unsigned row = 0; row < 64; row++)
        assert_int_equal(ckt_lds_swizzle(row, row_bytes, granule),
                         ckt_lds_swizzle(row + 16, row_bytes, granule));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes),
      cmocka_unit_test(two_buffers_double_the_main_loop),
      cmocka_unit_test(strips_divide_the_tile_and_cost_no_lds),
      cmocka_unit_test(swizzle_permutes_each_row),
      cmocka_unit_test(rows_read_together_meet_different_banks),
      cmocka_unit_test(swizzle_repeats_after_16_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
