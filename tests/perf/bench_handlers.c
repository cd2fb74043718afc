/* Prints what the handlers of vector instructions take: nanoseconds a wave-instruction, for each variant of this host. With
 * arguments: instructions as text, instead of the list below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "tests/hipsim/alu_wave.h"
#include "tests/hipsim/isa/isa_assemble.h"

static const char *const usual[] = {
    "v_mov_b32 v10, v2",
    "v_add_u32 v10, v2, v4",
    "v_add_u32 v10, s2, v4",
    "v_lshl_add_u32 v10, v2, v4, v6",
    "v_mul_lo_u32 v10, v2, v4",
    "v_mad_u64_u32 v[10:11], s[10:11], v2, v4, v[6:7]",
    "v_add_co_u32 v10, vcc, v2, v4",
    "v_perm_b32 v10, v2, v4, v6",
    "v_perm_b32 v10, v2, v4, s2",
    "v_bfe_u32 v10, v2, v4, v6",
    "v_cndmask_b32 v10, v2, v4, vcc",
    "v_cmp_lt_u32 vcc, v2, v4",
    "v_cmp_lt_f32 vcc, v2, v4",
    "v_cmp_lt_f16 vcc, v2, v4",
    "v_add_f32 v10, v2, v4",
    "v_mul_f32 v10, v2, v4",
    "v_fma_f32 v10, v2, v4, v6",
    "v_mac_f32 v10, v2, v4",
    "v_fmac_f32 v10, v2, v4",
    "v_max_f32 v10, v2, v4",
    "v_med3_f32 v10, v2, v4, v6",
    "v_add_f64 v[10:11], v[2:3], v[4:5]",
    "v_fma_f64 v[10:11], v[2:3], v[4:5], v[6:7]",
    "v_add_f16 v10, v2, v4",
    "v_max_f16 v10, v2, v4",
    "v_fma_f16 v10, v2, v4, v6",
    "v_mad_f16 v10, v2, v4, v6",
    "v_pk_add_f16 v10, v2, v4",
    "v_pk_mul_f16 v10, v2, v4",
    "v_pk_max_f16 v10, v2, v4",
    "v_pk_fma_f16 v10, v2, v4, v6",
    "v_pk_add_u16 v10, v2, v4",
    "v_pk_fma_f32 v[10:11], v[2:3], v[4:5], v[6:7]",
    "v_fma_mix_f32 v10, v2, v4, v6 op_sel_hi:[1,1,1]",
    "v_dot2_f32_f16 v10, v2, v4, v6",
    "v_dot4_i32_i8 v10, v2, v4, v6",
    "v_cvt_f16_f32 v10, v2",
    "v_cvt_f32_f16 v10, v2",
    "v_cvt_pkrtz_f16_f32 v10, v2, v4",
    "v_cvt_i32_f32 v10, v2",
    "v_cvt_u32_f32 v10, v2",
    "v_rcp_f32 v10, v2",
    "v_rsq_f32 v10, v2",
    "v_sqrt_f32 v10, v2",
    "v_exp_f32 v10, v2",
    "v_log_f32 v10, v2",
    "v_sin_f32 v10, v2",
    "v_exp_f16 v10, v2",
    "v_log_f16 v10, v2",
    "v_rcp_f64 v[10:11], v[2:3]",
    "v_ldexp_f32 v10, v2, v4",
    "v_frexp_mant_f32 v10, v2",
    "v_div_scale_f32 v10, vcc, v2, v4, v6",
    "v_div_fmas_f32 v10, v2, v4, v6",
    "v_div_fixup_f32 v10, v2, v4, v6",
    "v_rndne_f32 v10, v2",
    "v_or_b32_sdwa v10, v2, v4 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1",
    "v_mov_b32_dpp v10, v2 row_shr:1 row_mask:0xf bank_mask:0xf"};

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Ordinary numbers, in every format that reads them: f32 and the f16 of their upper half. */
static void fill(struct alu_wave *a) {
  for (unsigned r = 2; r < 10; r++)
    for (unsigned l = 0; l < SIM_LANES; l++)
      a->w.v[r][l] = 0x3f003c00 + r * 0x00210021 + l * 0x00012001;
  sim_write_s64(&a->w, SIM_VCC_LO, UINT64_C(0x123456789abcdef0));
  sim_write_s64(&a->w, 2, 0x07060302);
}

static double nanoseconds(sim_handler *const *handlers, const struct isa_code *code) {
  struct alu_wave a;
  struct sim_inst inst;
  sim_decode(code->words, ISA_WORDS, SIM_GFX90A, &inst);
  alu_open(&a, handlers);
  fill(&a);
  a.w.now = &inst;
  double best = 1e9;
  for (unsigned part = 0; part < 20; part++) {
    enum { RUNS = 4000 };
    double begin = seconds();
    for (unsigned i = 0; i < RUNS; i++)
      handlers[inst.op](&a.w, &inst);
    double each = (seconds() - begin) / RUNS * 1e9;
    best = each < best ? each : best;
  }
  alu_free(&a);
  return best;
}

int main(int argc, char **argv) {
  const char *const *texts = argc > 1 ? (const char *const *)argv + 1 : usual;
  size_t count = argc > 1 ? (size_t)argc - 1 : sizeof usual / sizeof *usual;
  static char lines[256][ISA_TEXT];
  static struct isa_code code[256];
  for (size_t i = 0; i < count && i < 256; i++)
    snprintf(lines[i], sizeof lines[i], "%s", texts[i]);
  if (!isa_assemble(SIM_GFX90A, (const char(*)[ISA_TEXT])lines, count, code))
    return 1;
  for (size_t i = 0; i < count; i++) {
    for (sim_handler *const *const *v = alu_variants(); *v; v++)
      printf("%8.1f", nanoseconds(*v, &code[i]));
    printf("  %s\n", lines[i]);
  }
  return 0;
}
