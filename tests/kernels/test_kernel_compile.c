/* Exercises: the kernels through the generator's source and real hipRTC, for the architecture named on the command
 * line (default gfx90a): every dtype, warp tile, specialization and scheduler, and tiles and vectors as instance lists
 * have them. Each must compile without scratch and declare the LDS of kernels/lds_layout.h; instances that differ in
 * one parameter must give different code; what a kernel cannot honour must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/headers.h"
#include "bench/rtc.h"
#include "gen/emit_hip.h"
#include "gen/instance.h"
#include "kernel_metadata.h"
#include "kernels/lds_layout.h"

static const char *target = "gfx90a";

struct toolchain {
  struct ckt_rtc *rtc;
  struct ckt_headers headers;
};

struct shape {
  int64_t tile[3], warps[2], warp_tile[3], vector[3];
};

static const struct shape shapes_16bit[] = {
    {{32, 16, 64}, {2, 1}, {16, 16, 16}, {8, 8, 2}},   {{64, 16, 16}, {1, 1}, {16, 16, 16}, {4, 1, 1}},
    {{64, 64, 32}, {1, 1}, {32, 32, 8}, {1, 1, 1}},    {{64, 128, 32}, {1, 2}, {32, 32, 8}, {8, 8, 8}},
    {{128, 256, 32}, {2, 2}, {32, 32, 8}, {8, 8, 8}},  {{256, 128, 32}, {2, 2}, {32, 32, 8}, {8, 8, 8}},
    {{128, 128, 64}, {2, 2}, {32, 32, 16}, {8, 8, 8}}, {{128, 128, 32}, {2, 2}, {32, 32, 8}, {1, 1, 8}},
    {{16, 16, 128}, {1, 1}, {16, 16, 32}, {8, 8, 4}},  {{64, 32, 32}, {1, 1}, {32, 32, 8}, {2, 4, 1}},
    {{16, 64, 16}, {1, 4}, {16, 16, 16}, {2, 1, 1}},
};

static const struct shape shapes_fp32[] = {
    {{32, 16, 64}, {2, 1}, {16, 16, 8}, {4, 4, 2}},   {{64, 16, 16}, {1, 1}, {16, 16, 4}, {4, 1, 1}},
    {{64, 64, 16}, {1, 1}, {32, 32, 4}, {1, 1, 1}},   {{128, 128, 64}, {2, 2}, {32, 32, 8}, {4, 4, 8}},
    {{256, 128, 16}, {2, 2}, {32, 32, 4}, {4, 4, 4}}, {{128, 256, 16}, {2, 2}, {32, 32, 4}, {4, 4, 4}},
    {{32, 64, 8}, {1, 2}, {32, 32, 2}, {2, 4, 8}},    {{16, 16, 128}, {1, 1}, {16, 16, 16}, {8, 8, 4}},
};

static struct ckt_instance instance_of(enum ckt_dtype dtype, const struct shape *shape) {
  struct ckt_instance instance = {
      .direction = CKT_FORWARD,
      .dtype = dtype,
      .spatial = 2,
      .warps = {shape->warps[0], shape->warps[1], 1},
      .num_wave_groups = 1,
      .num_groups_to_merge = 1,
      .split_k = 1,
      .block_size = shape->warps[0] * shape->warps[1] * 64,
  };
  memcpy(instance.tile, shape->tile, sizeof shape->tile);
  memcpy(instance.warp_tile, shape->warp_tile, sizeof shape->warp_tile);
  memcpy(instance.vector, shape->vector, sizeof shape->vector);
  return instance;
}

static int compile(const struct toolchain *tools, const struct ckt_instance *instance, struct ckt_text *code,
                   struct ckt_error *error) {
  struct ckt_text source = {0}, log = {0};
  int status = ckt_emit_hip(instance, &source, error);
  if (status == CKT_OK) {
    const struct ckt_rtc_request request = {.source = ckt_text_string(&source),
                                            .name = "instance.hip",
                                            .target = target,
                                            .headers = &tools->headers};
    status = ckt_rtc_compile(tools->rtc, &request, code, &log, error);
  }
  ckt_text_free(&log);
  ckt_text_free(&source);
  return status;
}

/* Compiles what must compile. */
static struct ckt_text code_of(const struct toolchain *tools, const struct ckt_instance *instance) {
  struct ckt_text code = {0};
  struct ckt_error error = {0};
  if (compile(tools, instance, &code, &error) != CKT_OK) {
    char key[CKT_INSTANCE_KEY_MAX];
    ckt_instance_key(instance, key);
    fail_msg("%s: %s", key, error.text);
  }
  return code;
}

static long long lds_of(const struct ckt_instance *instance) {
  const struct ckt_lds_shape shape = {.tile_m = instance->tile[CKT_M],
                                      .tile_n = instance->tile[CKT_N],
                                      .tile_k = instance->tile[CKT_K],
                                      .warps_m = instance->warps[CKT_M],
                                      .warps_n = instance->warps[CKT_N],
                                      .warp_tile_m = instance->warp_tile[CKT_M],
                                      .warp_tile_n = instance->warp_tile[CKT_N],
                                      .element_bytes = ckt_dtype_bytes(instance->dtype),
                                      .buffers = 1};
  return ckt_lds_bytes(shape);
}

static void check(const struct toolchain *tools, const struct ckt_instance *instance) {
  struct ckt_text code = code_of(tools, instance);
  char key[CKT_INSTANCE_KEY_MAX];
  ckt_instance_key(instance, key);
  struct kernel_metadata metadata;
  if (!kernel_metadata_read(code.data, code.length, &metadata))
    fail_msg("%s: comgr cannot read the metadata", key);
  ckt_text_free(&code);
  assert_string_equal(metadata.name, CKT_KERNEL_ENTRY);
  if (metadata.scratch_bytes != 0 || metadata.vgpr_spills != 0)
    fail_msg("%s: %ld bytes of scratch, %ld spilled VGPRs", key, metadata.scratch_bytes,
             metadata.vgpr_spills);
  if (metadata.lds_bytes != lds_of(instance))
    fail_msg("%s: %ld bytes of LDS, the formula says %lld", key, metadata.lds_bytes, lds_of(instance));
  assert_int_equal(metadata.max_workgroup, instance->block_size);
}

enum { SPECIALIZATIONS = 4, SCHEDULERS = 2 };

/* Every shape, with specialization and scheduler changing from one to the next. */
static void check_shapes(const struct toolchain *tools, enum ckt_dtype dtype, const struct shape *shapes,
                         size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct ckt_instance instance = instance_of(dtype, &shapes[i]);
    instance.specialization = (enum ckt_specialization)(i % SPECIALIZATIONS);
    instance.scheduler = (enum ckt_scheduler)((i / SPECIALIZATIONS + i) % SCHEDULERS);
    check(tools, &instance);
  }
}

/* The first shape with every specialization and scheduler. */
static void check_variants(const struct toolchain *tools, enum ckt_dtype dtype, const struct shape *shape) {
  for (int i = 0; i < SPECIALIZATIONS * SCHEDULERS; i++) {
    struct ckt_instance instance = instance_of(dtype, shape);
    instance.specialization = (enum ckt_specialization)(i / SCHEDULERS);
    instance.scheduler = (enum ckt_scheduler)(i % SCHEDULERS);
    check(tools, &instance);
  }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void fp16_compiles(void **state) {
  check_shapes(*state, CKT_FP16, shapes_16bit, COUNT(shapes_16bit));
  check_variants(*state, CKT_FP16, &shapes_16bit[0]);
}

static void bf16_compiles(void **state) {
  check_shapes(*state, CKT_BF16, shapes_16bit, COUNT(shapes_16bit));
  check_variants(*state, CKT_BF16, &shapes_16bit[3]);
}

static void fp32_compiles(void **state) {
  check_shapes(*state, CKT_FP32, shapes_fp32, COUNT(shapes_fp32));
  check_variants(*state, CKT_FP32, &shapes_fp32[0]);
}

/* One parameter changed at a time, from a 64x64x32 tile with vectors of 4. */
static const struct ckt_instance base = {.direction = CKT_FORWARD,
                                         .dtype = CKT_FP16,
                                         .spatial = 2,
                                         .tile = {64, 64, 32},
                                         .warps = {2, 1, 1},
                                         .warp_tile = {32, 32, 8},
                                         .vector = {4, 4, 4},
                                         .num_wave_groups = 1,
                                         .num_groups_to_merge = 1,
                                         .split_k = 1,
                                         .block_size = 128};

static void every_parameter_changes_the_code(void **state) {
  struct ckt_instance variants[16];
  size_t count = 0;
#define VARIANT(member, value) (variants[count] = base, variants[count++].member = (value))
  VARIANT(dtype, CKT_FP16);
  VARIANT(dtype, CKT_BF16);
  VARIANT(dtype, CKT_FP32);
  VARIANT(specialization, CKT_SPEC_FILTER_1X1_PAD0);
  VARIANT(specialization, CKT_SPEC_FILTER_1X1_STRIDE1_PAD0);
  VARIANT(specialization, CKT_SPEC_FILTER_3X3);
  VARIANT(scheduler, CKT_INTERWAVE);
  VARIANT(tile[CKT_M], 128);
  VARIANT(tile[CKT_N], 128);
  VARIANT(tile[CKT_K], 64);
  VARIANT(warp_tile[CKT_K], 16);
  VARIANT(vector[CKT_A], 2);
  VARIANT(vector[CKT_B], 8);
  VARIANT(vector[CKT_C], 1);
#undef VARIANT
  struct ckt_text codes[16];
  for (size_t i = 0; i < count; i++)
    codes[i] = code_of(*state, &variants[i]);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++)
      if (codes[i].length == codes[j].length && memcmp(codes[i].data, codes[j].data, codes[i].length) == 0)
        fail_msg("variants %zu and %zu gave the same code", i, j);
  for (size_t i = 0; i < count; i++)
    ckt_text_free(&codes[i]);
}

static void refuses(const struct toolchain *tools, const struct ckt_instance *instance, const char *word) {
  struct ckt_text code = {0};
  struct ckt_error error = {0};
  const int status = compile(tools, instance, &code, &error);
  ckt_text_free(&code);
  assert_int_equal(status, CKT_E_COMPILE);
  if (strstr(error.text, word) == NULL)
    fail_msg("'%s' does not say '%s'", error.text, word);
}

static void what_cannot_be_honoured_is_refused(void **state) {
#define REFUSED(member, value, word)                                                                         \
  do {                                                                                                       \
    struct ckt_instance instance = base;                                                                     \
    instance.member = (value);                                                                               \
    refuses(*state, &instance, word);                                                                        \
  } while (0)
  REFUSED(pipeline, CKT_PIPELINE_V3, "pipeline");
  REFUSED(warps[CKT_K], 2, "waves along K");
  REFUSED(double_smem_buffer, true, "double LDS buffer");
  REFUSED(num_wave_groups, 2, "wave groups");
  REFUSED(num_groups_to_merge, 8, "merged groups");
  REFUSED(split_image, true, "split image");
  REFUSED(two_stage, true, "two stages");
  REFUSED(split_k, 2, "split K");
  REFUSED(block_size, 256, "thread for every lane");
  REFUSED(spatial, 3, "2D");
  REFUSED(tile[CKT_M], 96, "waves divide tile_m");
  REFUSED(tile[CKT_K], 36, "warp_tile_k divides tile_k");
  REFUSED(warp_tile[CKT_K], 4, "warp_tile_k is a multiple");
  REFUSED(vector[CKT_A], 64, "vector does not cross");
#undef REFUSED
}

static int open_toolchain(void **state) {
  static struct toolchain tools;
  struct ckt_error error = {0};
  if (ckt_headers_load(NULL, &tools.headers, &error) != CKT_OK ||
      ckt_rtc_open(NULL, &tools.rtc, &error) != CKT_OK) {
    print_error("%s\n", error.text);
    return -1;
  }
  *state = &tools;
  return 0;
}

static int close_toolchain(void **state) {
  struct toolchain *tools = *state;
  ckt_rtc_close(&tools->rtc);
  ckt_headers_free(&tools->headers);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1)
    target = argv[1];
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fp16_compiles),
      cmocka_unit_test(bf16_compiles),
      cmocka_unit_test(fp32_compiles),
      cmocka_unit_test(every_parameter_changes_the_code),
      cmocka_unit_test(what_cannot_be_honoured_is_refused),
  };
  return cmocka_run_group_tests(tests, open_toolchain, close_toolchain);
}
