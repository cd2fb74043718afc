/* Device memory (sim_memory): alignment, exact ends, red zones, poison, use after free, reuse of addresses, capacity,
 * blocks of several parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/hipsim/sim_memory.h"

#define MIB ((uint64_t)1 << 20)

static int open_memory(void **state) {
  *state = sim_memory_create(256 * MIB);
  return *state != NULL ? 0 : -1;
}

static int close_memory(void **state) {
  struct sim_memory *memory = *state;
  sim_memory_free(&memory);
  assert_null(memory);
  return 0;
}

static uint64_t buffer(struct sim_memory *memory, uint64_t bytes) {
  return sim_memory_allocate(memory, bytes, SIM_SPAN_BUFFER, true);
}

static void ends_are_exact(void **state) {
  struct sim_memory *memory = *state;
  const uint64_t sizes[] = {1, 255, 4096, 65536, 65537, 3 * MIB + 5};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    const uint64_t a = buffer(memory, sizes[i]);
    assert_true(a != 0 && a % SIM_MEMORY_ALIGNMENT == 0);
    const struct sim_span *span = sim_memory_span(memory, a);
    assert_non_null(span);
    assert_true(span->begin == a && span->end == a + sizes[i] && span->writable &&
                span->kind == SIM_SPAN_BUFFER);
    assert_ptr_equal(sim_memory_span(memory, a + sizes[i] - 1), span);
    assert_null(sim_memory_span(memory, a + sizes[i]));
    assert_null(sim_memory_span(memory, a - 1));
    assert_ptr_equal(sim_memory_nearest(memory, a + sizes[i]), span);
    memset((void *)(uintptr_t)a, 1, sizes[i]);
  }
}

static void red_zones_are_wide(void **state) {
  struct sim_memory *memory = *state;
  uint64_t last_end = 0;
  for (int i = 0; i < 100; ++i) {
    const uint64_t a = buffer(memory, 65536);
    assert_true(a >= last_end + 4096);
    for (uint64_t away = 1; away <= 4096; ++away) {
      assert_null(sim_memory_span(memory, a - away));
      assert_null(sim_memory_span(memory, a + 65536 + away - 1));
    }
    last_end = a + 65536;
  }
}

static void fresh_memory_is_poisoned(void **state) {
  const uint8_t *bytes = (const uint8_t *)(uintptr_t)buffer(*state, 5000);
  for (size_t i = 0; i < 5000; ++i)
    assert_int_equal(bytes[i], SIM_MEMORY_POISON);
}

static void freed_spans_are_remembered(void **state) {
  struct sim_memory *memory = *state;
  const uint64_t a = buffer(memory, 1000), b = buffer(memory, 1000);
  const uint32_t id = sim_memory_span(memory, a)->id;
  assert_int_equal(sim_memory_release(memory, a + 8), -1);
  assert_int_equal(sim_memory_release(memory, a), 0);
  assert_int_equal(sim_memory_release(memory, a), -1);
  assert_null(sim_memory_span(memory, a + 10));
  const struct sim_span *freed = sim_memory_nearest(memory, a + 10);
  assert_non_null(freed);
  assert_true(freed->kind == SIM_SPAN_FREE && freed->id == id);
  assert_int_equal(sim_memory_nearest(memory, a + 1000)->kind, SIM_SPAN_BUFFER);
  assert_int_not_equal(buffer(memory, 1000), a);
  assert_int_equal(sim_memory_release(memory, b), 0);
}

static void capacity_is_kept(void **state) {
  struct sim_memory *memory = *state;
  assert_int_equal(buffer(memory, 0), 0);
  assert_int_equal(buffer(memory, 257 * MIB), 0);
  assert_int_equal(buffer(memory, UINT64_MAX), 0);
  assert_int_equal(buffer(memory, UINT64_MAX - 4000), 0);
  const uint64_t a = buffer(memory, 200 * MIB);
  assert_int_not_equal(a, 0);
  assert_int_equal(sim_memory_used(memory), 200 * MIB);
  assert_int_equal(buffer(memory, 57 * MIB), 0);
  const uint64_t b = buffer(memory, 56 * MIB);
  assert_int_not_equal(b, 0);
  assert_int_equal(sim_memory_release(memory, a), 0);
  assert_int_equal(sim_memory_release(memory, b), 0);
  assert_int_equal(sim_memory_used(memory), 0);
}

/* The arena is 64 GiB larger than twice the capacity: 2,000 rounds of 100 MiB go round it more than once. */
static void addresses_come_round(void **state) {
  struct sim_memory *memory = *state;
  const uint64_t kept = buffer(memory, 10);
  uint64_t first = 0;
  int seen_again = 0;
  for (int i = 0; i < 2000; ++i) {
    const uint64_t a = buffer(memory, 100 * MIB);
    assert_int_not_equal(a, 0);
    if (i == 0)
      first = a;
    else if (a <= first)
      ++seen_again;
    assert_true(a > kept + 4096 || a + 100 * MIB + 4096 < kept);
    assert_int_equal(sim_memory_release(memory, a), 0);
  }
  assert_true(seen_again > 0);
  assert_int_equal(sim_memory_span(memory, kept)->end - kept, 10);
}

static void parts_are_apart(void **state) {
  struct sim_memory *memory = *state;
  const struct sim_part parts[] = {{.offset = 0, .bytes = 100, .kind = SIM_SPAN_CODE},
                                   {.offset = 4096, .bytes = 8, .kind = SIM_SPAN_CODE, .writable = true}};
  const uint64_t a = sim_memory_allocate_parts(memory, 5000, parts, 2);
  assert_int_not_equal(a, 0);
  assert_false(sim_memory_span(memory, a + 99)->writable);
  assert_null(sim_memory_span(memory, a + 100));
  assert_null(sim_memory_span(memory, a + 4095));
  assert_true(sim_memory_span(memory, a + 4096)->writable);
  assert_null(sim_memory_span(memory, a + 4104));
  assert_int_equal(sim_memory_release(memory, a + 4096), -1);
  assert_int_equal(sim_memory_release(memory, a), 0);
  assert_null(sim_memory_span(memory, a));
  assert_null(sim_memory_span(memory, a + 4096));
}

static void other_addresses_are_in_no_span(void **state) {
  struct sim_memory *memory = *state;
  assert_null(sim_memory_nearest(memory, 0));
  const uint64_t a = buffer(memory, 10);
  const uint64_t outside[] = {0, 1, UINT64_MAX, (uint64_t)1 << 63, (uintptr_t)&memory};
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; ++i) {
    assert_null(sim_memory_span(memory, outside[i]));
    assert_int_equal(sim_memory_release(memory, outside[i]), -1);
    assert_int_equal(sim_memory_nearest(memory, outside[i])->begin, a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_memory, close_memory)
      TEST(ends_are_exact),           TEST(red_zones_are_wide),
      TEST(fresh_memory_is_poisoned), TEST(capacity_is_kept),
      TEST(addresses_come_round),     TEST(freed_spans_are_remembered),
      TEST(parts_are_apart),          TEST(other_addresses_are_in_no_span),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
