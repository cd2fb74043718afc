/* The model of a CU on records made by hand, so that it does not depend on what compilers there are: matrix rates of
 * every device and type, dependent matrix instructions, oldest first, waits for memory, barriers, LDS, the L1, cut loops
 * against whole ones, records that end early, and that priorities and odd numbers of waves do not stop it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/hipsim/sim_model.h"
#include "bench/hipsim/sim_table.h"

/* ---- programs and records ---- */

enum { PROGRAM = 64 };

struct made {
  struct sim_inst program[PROGRAM];
  struct sim_code code;
  struct sim_kernel kernel;
  struct sim_cu_trace trace;
};

static void open_made(struct made *m, enum sim_arch arch, uint32_t waves) {
  memset(m, 0, sizeof *m);
  m->code = (struct sim_code){
      .base = 0x1000, .size = sizeof m->program / sizeof m->program[0] * 4, .arch = arch, .at = m->program};
  m->kernel = (struct sim_kernel){
      .name = "made", .code = &m->code, .entry = 0x1000, .vgprs = 128, .accum_offset = 128, .sgprs = 32};
  sim_cu_trace_open(&m->trace, NULL, UINT64_MAX);
  m->trace.waves = waves;
}

static void close_made(struct made *m) {
  sim_cu_trace_close(&m->trace);
}

static struct sim_inst instruction(enum sim_op op, unsigned dst, unsigned a, unsigned b, unsigned c) {
  return (struct sim_inst){.op = (uint16_t)op,
                           .next = 4,
                           .dst = (uint16_t)dst,
                           .sdst = SIM_NO_OPERAND,
                           .src = {(uint16_t)a, (uint16_t)b, (uint16_t)c},
                           .soffset = SIM_NO_OPERAND};
}

static void place(struct made *m, uint32_t at, struct sim_inst inst) {
  m->program[at] = inst;
}

static void place_plain(struct made *m, uint32_t at, enum sim_op op, int32_t imm) {
  m->program[at] = instruction(op, SIM_NO_OPERAND, SIM_NO_OPERAND, SIM_NO_OPERAND, SIM_NO_OPERAND);
  m->program[at].imm = imm;
}

/* The next step of a wave. Counts as the interpreter would. */
static void step(struct made *m, uint32_t wave, uint32_t at, uint32_t extra) {
  struct sim_cu_wave *w = &m->trace.wave[wave];
  if (w->count == w->capacity) {
    w->capacity = w->capacity * 2 + 64;
    w->steps = realloc(w->steps, w->capacity * sizeof *w->steps);
    assert_non_null(w->steps);
  }
  w->steps[w->count++] = (struct sim_cu_step){.at = at, .extra = extra};
  struct sim_counts *c = &m->trace.counts;
  const unsigned op = m->program[at].op;
  ++c->instructions;
  if (sim_class_of[op] == SIM_CLASS_MFMA) {
    ++c->mfma;
    c->mfma_cycles += sim_cycles_of[m->code.arch][op];
  } else if (sim_class_of[op] == SIM_CLASS_VALU) {
    ++c->valu;
    c->valu_cycles += sim_cycles_of[m->code.arch][op];
  } else if (sim_class_of[op] == SIM_CLASS_LDS) {
    ++c->lds;
    c->lds_cycles += extra & 0xffffu;
  } else if (sim_class_of[op] == SIM_CLASS_LOAD) {
    ++c->vmem_load;
    c->load_lines += m->trace.lines[extra];
    c->load_bytes += m->trace.lines[extra + 1];
  }
}

/* `count` neighbouring lines from `first` on; what a memory step's extra is then. */
static uint32_t lines(struct made *m, uint32_t first, uint32_t count) {
  struct sim_cu_trace *t = &m->trace;
  const uint32_t at = t->line_count;
  t->lines = realloc(t->lines, (at + count + 2) * sizeof *t->lines);
  assert_non_null(t->lines);
  t->lines[at] = count;
  t->lines[at + 1] = count * sim_arch_facts(m->code.arch)->line_bytes;
  for (uint32_t i = 0; i < count; ++i)
    t->lines[at + 2 + i] = first + i;
  t->line_count = t->line_capacity = at + count + 2;
  return at;
}

/* Clocks of `blocks` workgroups, `slots` at a time, with nothing cut. */
static uint64_t clocks_of(const struct made *m, uint32_t slots, uint32_t blocks,
                          struct sim_cu_result *result) {
  struct sim_cu_cut cut;
  struct sim_cu_result room;
  struct sim_cu_block *ends = calloc(blocks, sizeof *ends);
  assert_non_null(ends);
  sim_cu_cut_find(&m->trace, UINT32_MAX, &cut);
  const struct sim_cu_job job = {.arch = m->code.arch,
                                 .code = &m->code,
                                 .traces = &m->trace,
                                 .cuts = &cut,
                                 .trace_count = 1,
                                 .slots = slots,
                                 .blocks = blocks,
                                 .memory = {.l2_bytes = 64, .memory_bytes = 16}};
  assert_int_equal(sim_cu_replay(&job, ends, result != NULL ? result : &room), 0);
  const uint64_t clocks = (uint64_t)sim_cu_clocks(ends, blocks);
  free(ends);
  return clocks;
}

static double model_ns(const struct made *m, const char *device, uint64_t groups) {
  struct sim_model_input input = {.model = sim_model_find(device),
                                  .kernel = &m->kernel,
                                  .groups = groups,
                                  .block = m->trace.waves * SIM_LANES,
                                  .counts = m->trace.counts,
                                  .traces = &m->trace,
                                  .trace_count = 1};
  uint64_t *count = (uint64_t *)(void *)&input.counts;
  for (size_t i = 0; i < sizeof input.counts / sizeof *count; ++i)
    count[i] *= groups;
  struct sim_model_time time;
  sim_model_launch(&input, &time);
  assert_true(time.replayed);
  return time.ns;
}

/* ---- matrix instructions ---- */

/* Four independent accumulators, `n` times, then the end. */
static void make_matrix_loop(struct made *m, enum sim_op op, uint32_t n) {
  for (uint32_t i = 0; i < 4; ++i) {
    const unsigned c = SIM_AGPR0 + 32 * i;
    place(m, i, instruction(op, c, SIM_VGPR0, SIM_VGPR0 + 8, c));
  }
  place_plain(m, 4, SIM_OP_s_sub_i32, 0);
  place_plain(m, 5, SIM_OP_s_cmp_lg_u32, 0);
  place_plain(m, 6, SIM_OP_s_cbranch_scc1, 0);
  place_plain(m, 7, SIM_OP_s_endpgm, 0);
  for (uint32_t w = 0; w < m->trace.waves; ++w) {
    for (uint32_t i = 0; i < n; ++i)
      for (uint32_t at = 0; at < 7; ++at)
        step(m, w, at, 0);
    step(m, w, 7, 0);
  }
}

/* TFLOP/s of AMD's data sheets, of MI250X and MI250 halved. */
static const struct rate {
  const char *device;
  enum sim_op op;
  double flops, tflops;
} rates[] = {
#define F16(m, k) (2.0 * (m) * (m) * (k))
    {"mi100", SIM_OP_v_mfma_f32_32x32x8f16, F16(32, 8), 184.6},
    {"mi100", SIM_OP_v_mfma_f32_16x16x16f16, F16(16, 16), 184.6},
    {"mi100", SIM_OP_v_mfma_f32_32x32x4bf16, F16(32, 4), 92.3},
    {"mi100", SIM_OP_v_mfma_f32_32x32x2f32, F16(32, 2), 46.1},
    {"mi100", SIM_OP_v_mfma_i32_32x32x8i8, F16(32, 8), 184.6},
    {"mi250x", SIM_OP_v_mfma_f32_32x32x8f16, F16(32, 8), 191.5},
    {"mi250x", SIM_OP_v_mfma_f32_16x16x16f16, F16(16, 16), 191.5},
    {"mi250x", SIM_OP_v_mfma_f32_32x32x8bf16_1k, F16(32, 8), 191.5},
    {"mi250x", SIM_OP_v_mfma_f32_32x32x2f32, F16(32, 2), 47.9},
    {"mi250x", SIM_OP_v_mfma_f64_16x16x4f64, F16(16, 4), 47.9},
    {"mi250x", SIM_OP_v_mfma_i32_32x32x8i8, F16(32, 8), 191.5},
    {"mi250", SIM_OP_v_mfma_f32_32x32x8f16, F16(32, 8), 181.05},
    {"mi210", SIM_OP_v_mfma_f32_32x32x8f16, F16(32, 8), 181.0},
    {"mi210", SIM_OP_v_mfma_f32_16x16x4f32, F16(16, 4), 45.3},
    {"mi210", SIM_OP_v_mfma_f64_16x16x4f64, F16(16, 4), 45.3},
    {"mi300x", SIM_OP_v_mfma_f32_32x32x8_f16, F16(32, 8), 1307.4},
    {"mi300x", SIM_OP_v_mfma_f32_16x16x16_f16, F16(16, 16), 1307.4},
    {"mi300x", SIM_OP_v_mfma_f32_32x32x8_bf16, F16(32, 8), 1307.4},
    {"mi300x", SIM_OP_v_mfma_f32_32x32x4_xf32, F16(32, 4), 653.7},
    {"mi300x", SIM_OP_v_mfma_f32_32x32x2_f32, F16(32, 2), 163.4},
    {"mi300x", SIM_OP_v_mfma_f64_16x16x4_f64, F16(16, 4), 163.4},
    {"mi300x", SIM_OP_v_mfma_i32_32x32x16_i8, F16(32, 16), 2614.9},
    {"mi300a", SIM_OP_v_mfma_f32_32x32x8_f16, F16(32, 8), 980.6},
    {"mi325x", SIM_OP_v_mfma_f32_32x32x8_f16, F16(32, 8), 1307.4},
    {"mi355x", SIM_OP_v_mfma_f32_32x32x16_f16, F16(32, 16), 2516.6},
    {"mi355x", SIM_OP_v_mfma_f32_32x32x16_bf16, F16(32, 16), 2516.6},
    {"mi355x", SIM_OP_v_mfma_f32_16x16x32_f16, F16(16, 32), 2516.6},
    {"mi355x", SIM_OP_v_mfma_f32_32x32x2_f32, F16(32, 2), 157.3},
    {"mi355x", SIM_OP_v_mfma_f64_16x16x4_f64, F16(16, 4), 78.6},
    {"mi355x", SIM_OP_v_mfma_i32_32x32x32_i8, F16(32, 32), 5033.2},
    {"mi350x", SIM_OP_v_mfma_f32_32x32x16_f16, F16(32, 16), 2306.9},
#undef F16
};

static void matrix_rates_are_the_data_sheets(void **state) {
  (void)state;
  enum { TIMES = 400, ROUNDS = 12, WAVES = 4 };
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; ++i) {
    const struct sim_model_facts *model = sim_model_find(rates[i].device);
    assert_non_null(model);
    struct made m;
    open_made(&m, model->arch, WAVES);
    make_matrix_loop(&m, rates[i].op, TIMES);
    const uint64_t groups = (uint64_t)model->compute_units * ROUNDS;
    const double flops = rates[i].flops * 4 * TIMES * WAVES * (double)groups;
    const double tflops = flops / model_ns(&m, rates[i].device, groups) / 1000;
    if (tflops < 0.95 * rates[i].tflops || tflops > 1.005 * rates[i].tflops)
      print_error("%s %s: %.1f TFLOP/s of %.1f\n", rates[i].device, sim_info[rates[i].op].name, tflops,
                  rates[i].tflops);
    assert_true(tflops >= 0.95 * rates[i].tflops && tflops <= 1.005 * rates[i].tflops);
    close_made(&m);
  }
}

/* 16 passes: 64 clocks. A chain through the accumulator runs at the full rate; a result that is read as a factor, or by
 * the VALU, takes three wait states more. */
static void results_are_waited_for(void **state) {
  (void)state;
  enum { N = 50 };
  const unsigned c = SIM_AGPR0, v = SIM_VGPR0;
  const struct {
    struct sim_inst matrix, other;
    uint64_t clocks;
  } rows[] = {
      {instruction(SIM_OP_v_mfma_f32_32x32x8f16, c, v, v + 8, c),
       instruction(SIM_OP_v_mov_b32, v + 64, v + 65, SIM_NO_OPERAND, SIM_NO_OPERAND), 64},
      {instruction(SIM_OP_v_mfma_f32_32x32x8f16, c, c, v + 8, c),
       instruction(SIM_OP_v_mov_b32, v + 64, v + 65, SIM_NO_OPERAND, SIM_NO_OPERAND), 76},
      {instruction(SIM_OP_v_mfma_f32_32x32x8f16, c, v, v + 8, c),
       instruction(SIM_OP_v_accvgpr_read_b32, v + 64, c + 15, SIM_NO_OPERAND, SIM_NO_OPERAND), 80},
      {instruction(SIM_OP_v_mfma_f32_16x16x16f16, c, v, v + 8, c),
       instruction(SIM_OP_v_accvgpr_read_b32, v + 64, c + 3, SIM_NO_OPERAND, SIM_NO_OPERAND), 48},
      {instruction(SIM_OP_v_mfma_f32_16x16x16f16, c, v, v + 8, c),
       instruction(SIM_OP_v_accvgpr_read_b32, v + 64, c + 4, SIM_NO_OPERAND, SIM_NO_OPERAND), 32},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    struct made m;
    open_made(&m, SIM_GFX90A, 1);
    place(&m, 0, rows[i].matrix);
    place(&m, 1, rows[i].other);
    for (int n = 0; n < N; ++n) {
      step(&m, 0, 0, 0);
      step(&m, 0, 1, 0);
    }
    const uint64_t clocks = clocks_of(&m, 1, 1, NULL);
    assert_in_range(clocks, N * rows[i].clocks - rows[i].clocks, N * rows[i].clocks + 16);
    close_made(&m);
  }
}

/* ---- issue ---- */

static void make_valu(struct made *m, uint32_t n) {
  place(m, 0, instruction(SIM_OP_v_add_u32, SIM_VGPR0, SIM_VGPR0, SIM_VGPR0 + 1, SIM_NO_OPERAND));
  for (uint32_t w = 0; w < m->trace.waves; ++w)
    for (uint32_t i = 0; i < n; ++i)
      step(m, w, 0, 0);
}

static void valu_takes_four_clocks_a_simd(void **state) {
  (void)state;
  for (uint32_t waves = 1; waves <= 16; ++waves) {
    struct made m;
    struct sim_cu_result result;
    open_made(&m, SIM_GFX90A, waves);
    make_valu(&m, 100);
    const uint64_t clocks = clocks_of(&m, 1, 1, &result);
    const uint64_t most = (waves + 3) / 4; /* waves of the SIMD that has most */
    assert_in_range(clocks, 400 * most, 400 * most + 8);
    assert_int_equal(result.steps, 100 * waves);
    close_made(&m);
  }
}

static void scalar_and_vector_issue_together(void **state) {
  (void)state;
  struct made m;
  open_made(&m, SIM_GFX90A, 8);
  place(&m, 0, instruction(SIM_OP_v_add_u32, SIM_VGPR0, SIM_VGPR0, SIM_VGPR0 + 1, SIM_NO_OPERAND));
  place(&m, 1, instruction(SIM_OP_s_add_u32, 0, 0, 1, SIM_NO_OPERAND));
  for (uint32_t w = 0; w < 8; ++w)
    for (int i = 0; i < 100; ++i)
      step(&m, w, (w / 4 + (uint32_t)i) % 2, 0);
  assert_in_range(clocks_of(&m, 1, 1, NULL), 400, 420); /* two waves a SIMD, never the same unit at once */
  close_made(&m);
}

static void waits_and_barriers_hold(void **state) {
  (void)state;
  struct made m;
  struct sim_cu_result result;
  open_made(&m, SIM_GFX90A, 2);
  place(&m, 0,
        instruction(SIM_OP_global_load_dword, SIM_VGPR0, SIM_VGPR0 + 2, SIM_NO_OPERAND, SIM_NO_OPERAND));
  place_plain(&m, 1, SIM_OP_s_waitcnt, 0xf70); /* vmcnt(0) */
  place_plain(&m, 2, SIM_OP_s_barrier, 0);
  place_plain(&m, 3, SIM_OP_s_endpgm, 0);
  const uint32_t entry = lines(&m, 100, 4);
  step(&m, 0, 0, entry);
  step(&m, 0, 1, 0);
  for (uint32_t w = 0; w < 2; ++w) {
    step(&m, w, 2, 0);
    step(&m, w, 3, 0);
  }
  const uint64_t clocks = clocks_of(&m, 1, 1, &result);
  const uint32_t latency = sim_arch_facts(SIM_GFX90A)->l2_latency;
  assert_in_range(clocks, latency, latency + 60);
  assert_true(result.stall[SIM_CU_STALL_VMCNT] > latency - 20);
  assert_true(result.stall[SIM_CU_STALL_BARRIER] > latency - 20);
  close_made(&m);
}

/* vmcnt(1) lets the newest of two loads be under way. */
static void counters_wait_for_the_older_ones(void **state) {
  (void)state;
  uint64_t clocks[2];
  for (int i = 0; i < 2; ++i) {
    struct made m;
    open_made(&m, SIM_GFX90A, 1);
    place(&m, 0,
          instruction(SIM_OP_global_load_dword, SIM_VGPR0, SIM_VGPR0 + 2, SIM_NO_OPERAND, SIM_NO_OPERAND));
    place_plain(&m, 1, SIM_OP_s_waitcnt, i == 0 ? 0xf70 : 0xf71);
    place_plain(&m, 2, SIM_OP_s_nop, 0);
    step(&m, 0, 0, lines(&m, 100, 4));
    for (int n = 0; n < 40; ++n)
      step(&m, 0, 2, 0);
    step(&m, 0, 0, lines(&m, 200, 4));
    step(&m, 0, 1, 0);
    clocks[i] = clocks_of(&m, 1, 1, NULL);
    close_made(&m);
  }
  assert_in_range(clocks[0] - clocks[1], 140, 180);
}

static void the_l1_holds_what_fits(void **state) {
  (void)state;
  struct made m;
  struct sim_cu_result result;
  open_made(&m, SIM_GFX90A, 1);
  place(&m, 0,
        instruction(SIM_OP_global_load_dwordx4, SIM_VGPR0, SIM_VGPR0 + 8, SIM_NO_OPERAND, SIM_NO_OPERAND));
  for (int round = 0; round < 4; ++round)
    for (uint32_t i = 0; i < 8; ++i)
      step(&m, 0, 0, lines(&m, 16 * i, 16));
  clocks_of(&m, 1, 1, &result);
  assert_int_equal(result.l1_lines, 4 * 128);
  assert_int_equal(result.l1_hits, 3 * 128);
  for (int round = 0; round < 4; ++round)
    for (uint32_t i = 0; i < 64; ++i)
      step(&m, 0, 0, lines(&m, 4096 + 16 * i, 16)); /* 64 KiB */
  clocks_of(&m, 1, 1, &result);
  assert_int_equal(result.l1_hits, 3 * 128);
  close_made(&m);
}

static void lds_serves_one_after_another(void **state) {
  (void)state;
  enum { READS = 64, CLOCKS = 8 };
  struct made m;
  struct sim_cu_result result;
  open_made(&m, SIM_GFX90A, 8);
  place(&m, 0, instruction(SIM_OP_ds_read_b128, SIM_VGPR0, SIM_VGPR0 + 8, SIM_NO_OPERAND, SIM_NO_OPERAND));
  place_plain(&m, 1, SIM_OP_s_waitcnt, 0xc07f); /* lgkmcnt(0) */
  for (uint32_t w = 0; w < 8; ++w) {
    for (int i = 0; i < READS; ++i)
      step(&m, w, 0, CLOCKS);
    step(&m, w, 1, 0);
  }
  const uint64_t clocks = clocks_of(&m, 1, 1, &result);
  assert_in_range(clocks, 8 * READS * CLOCKS, 8 * READS * CLOCKS + 100);
  assert_int_equal(result.busy[SIM_CU_LDS], 8 * READS * CLOCKS);
  close_made(&m);
}

/* ---- many workgroups, cuts, records that end early ---- */

static void workgroups_follow_each_other(void **state) {
  (void)state;
  struct made m;
  open_made(&m, SIM_GFX90A, 4);
  make_valu(&m, 100);
  assert_in_range(clocks_of(&m, 1, 5, NULL), 2000, 2060);
  assert_in_range(clocks_of(&m, 5, 5, NULL), 2000, 2020);
  assert_in_range(clocks_of(&m, 2, 5, NULL), 2000, 2040);
  close_made(&m);
}

static void a_cut_loop_takes_as_long_as_the_whole(void **state) {
  (void)state;
  struct made m;
  struct sim_cu_cut cut;
  open_made(&m, SIM_GFX90A, 4);
  make_matrix_loop(&m, SIM_OP_v_mfma_f32_32x32x8f16, 1000);
  const uint64_t whole = clocks_of(&m, 2, 2, NULL);
  sim_cu_cut_find(&m.trace, 256, &cut);
  assert_true(cut.left_out > 0 && cut.steps < 4 * 400);
  struct sim_cu_block ends[2];
  struct sim_cu_result result;
  const struct sim_cu_job job = {.arch = SIM_GFX90A,
                                 .code = &m.code,
                                 .traces = &m.trace,
                                 .cuts = &cut,
                                 .trace_count = 1,
                                 .slots = 2,
                                 .blocks = 2,
                                 .memory = {.l2_bytes = 64, .memory_bytes = 16}};
  assert_int_equal(sim_cu_replay(&job, ends, &result), 0);
  assert_int_equal(result.steps, 2 * cut.steps);
  const double replayed = sim_cu_clocks(ends, 2);
  assert_true(replayed > 0.98 * (double)whole && replayed < 1.02 * (double)whole);
  close_made(&m);
}

static void short_loops_are_not_cut(void **state) {
  (void)state;
  struct made m;
  struct sim_cu_cut cut;
  open_made(&m, SIM_GFX90A, 4);
  make_matrix_loop(&m, SIM_OP_v_mfma_f32_32x32x8f16, 10);
  sim_cu_cut_find(&m.trace, 16, &cut);
  assert_true(cut.left_out == 0 && cut.steps == m.trace.counts.instructions);
  close_made(&m);
  open_made(&m, SIM_GFX90A, 0); /* nothing was recorded */
  sim_cu_cut_find(&m.trace, 16, &cut);
  assert_true(cut.left_out == 0 && cut.steps == 0);
  close_made(&m);
}

/* Wave 0 stops in front of a barrier that wave 1 has reached. */
static void a_record_that_ends_early_ends(void **state) {
  (void)state;
  struct made m;
  open_made(&m, SIM_GFX90A, 2);
  place_plain(&m, 0, SIM_OP_s_barrier, 0);
  place_plain(&m, 1, SIM_OP_s_nop, 15);
  step(&m, 0, 1, 0);
  step(&m, 1, 0, 0);
  step(&m, 1, 1, 0);
  assert_in_range(clocks_of(&m, 1, 1, NULL), 128, 200);
  close_made(&m);
}

static void priority_goes_first(void **state) {
  (void)state;
  struct made m;
  struct sim_cu_result result;
  open_made(&m, SIM_GFX90A, 8);
  make_valu(&m, 0);
  place_plain(&m, 1, SIM_OP_s_setprio, 3);
  for (uint32_t w = 4; w < 8; ++w)
    step(&m, w, 1, 0);
  for (uint32_t w = 0; w < 8; ++w)
    for (int i = 0; i < 100; ++i)
      step(&m, w, 0, 0);
  assert_in_range(clocks_of(&m, 1, 1, &result), 800, 820);
  assert_in_range(result.stall[SIM_CU_STALL_ISSUE], 4 * 380,
                  4 * 420); /* the younger ones, older by number, wait */
  close_made(&m);
}

static void limits_are_named(void **state) {
  (void)state;
  struct sim_kernel kernel = {.name = "k", .vgprs = 128, .accum_offset = 128, .sgprs = 32};
  assert_string_equal(sim_blocks_limiter(SIM_GFX90A, &kernel, 256, 0), "vgprs");
  assert_string_equal(sim_blocks_limiter(SIM_GFX90A, &kernel, 256, 32768), "lds");
  kernel.vgprs = 32;
  assert_string_equal(sim_blocks_limiter(SIM_GFX90A, &kernel, 256, 0), "waves");
  assert_string_equal(sim_blocks_limiter(SIM_GFX90A, &kernel, 128, 0), "waves");
  kernel.vgprs = 24;
  assert_string_equal(sim_blocks_limiter(SIM_GFX908, &kernel, 128, 0), "barriers");
}

static void samples_are_spread_and_few(void **state) {
  (void)state;
  uint64_t sample[SIM_MODEL_SAMPLES];
  for (uint64_t groups = 1; groups < 3000; groups += groups < 100 ? 1 : 97) {
    const uint32_t count = sim_model_samples(groups, sample);
    assert_in_range(count, 1, SIM_MODEL_SAMPLES);
    for (uint32_t i = 0; i < count; ++i) {
      assert_true(sample[i] < groups);
      assert_true(i == 0 || sample[i] > sample[i - 1]);
    }
    assert_true(count == 1 || (sample[0] == 0 && sample[count - 1] == groups - 1));
  }
  assert_int_equal(sim_model_samples(UINT64_C(1) << 60, sample), SIM_MODEL_SAMPLES);
  assert_true(sample[SIM_MODEL_SAMPLES - 1] == (UINT64_C(1) << 60) - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrix_rates_are_the_data_sheets),
      cmocka_unit_test(results_are_waited_for),
      cmocka_unit_test(valu_takes_four_clocks_a_simd),
      cmocka_unit_test(scalar_and_vector_issue_together),
      cmocka_unit_test(waits_and_barriers_hold),
      cmocka_unit_test(counters_wait_for_the_older_ones),
      cmocka_unit_test(the_l1_holds_what_fits),
      cmocka_unit_test(lds_serves_one_after_another),
      cmocka_unit_test(workgroups_follow_each_other),
      cmocka_unit_test(a_cut_loop_takes_as_long_as_the_whole),
      cmocka_unit_test(short_loops_are_not_cut),
      cmocka_unit_test(a_record_that_ends_early_ends),
      cmocka_unit_test(priority_goes_first),
      cmocka_unit_test(limits_are_named),
      cmocka_unit_test(samples_are_spread_and_few),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
