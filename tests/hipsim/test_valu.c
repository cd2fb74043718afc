/* Vector ALU instructions (sim_valu*.c), one at a time on a hand-made wave: results at edge values, modifiers, SDWA, DPP,
 * packed halves, masks of compares and carries, partial and empty EXEC, denormal modes. Expected values follow the
 * instruction descriptions of the CDNA2 ISA guide and IEEE 754. Every handler variant of the host is tested. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "alu_wave.h"

/* Sources a, b, c lie in v[2:3], v[4:5], v[6:7]; the result is expected in v0 or v[0:1]. */
struct vector_case {
  const char *text;
  uint32_t words[3];
  uint64_t a, b, c, expected;
};

static const struct vector_case narrow[] = {
    {"v_add_u32_e32 v0, v2, v4", {0x68000902}, 0xffffffff, 0x2, 0x0, 0x1},
    {"v_add_u32_e64 v0, v2, v4 clamp", {0xd1348000, 0x00020902}, 0xffffffff, 0x2, 0x0, 0xffffffff},
    {"v_sub_u32_e64 v0, v2, v4 clamp", {0xd1358000, 0x00020902}, 0x1, 0x2, 0x0, 0x0},
    {"v_add_i32 v0, v2, v4 clamp", {0xd29c8000, 0x00020902}, 0x7fffffff, 0x1, 0x0, 0x7fffffff},
    {"v_subrev_u32_e32 v0, v2, v4", {0x6c000902}, 0x3, 0xa, 0x0, 0x7},
    {"v_mul_lo_u32 v0, v2, v4", {0xd2850000, 0x00020902}, 0x10001, 0x10001, 0x0, 0x20001},
    {"v_mul_hi_u32 v0, v2, v4", {0xd2860000, 0x00020902}, 0xffffffff, 0xffffffff, 0x0, 0xfffffffe},
    {"v_mul_hi_i32 v0, v2, v4", {0xd2870000, 0x00020902}, 0xffffffff, 0x5, 0x0, 0xffffffff},
    {"v_mul_i32_i24_e32 v0, v2, v4", {0x0c000902}, 0xff000005, 0xffffff, 0x0, 0xfffffffb},
    {"v_mul_u32_u24_e32 v0, v2, v4", {0x10000902}, 0xff000005, 0x1000003, 0x0, 0xf},
    {"v_mad_u32_u24 v0, v2, v4, v6", {0xd1c30000, 0x041a0902}, 0xff000005, 0x3, 0x7, 0x16},
    {"v_mad_i32_i24 v0, v2, v4, v6", {0xd1c20000, 0x041a0902}, 0xffffff, 0x3, 0x7, 0x4},
    {"v_ashrrev_i32_e32 v0, v2, v4", {0x22000902}, 0x21, 0x80000000, 0x0, 0xc0000000},
    {"v_lshlrev_b32_e32 v0, v2, v4", {0x24000902}, 0x24, 0x1, 0x0, 0x10},
    {"v_lshl_add_u32 v0, v2, v4, v6", {0xd1fd0000, 0x041a0902}, 0x3, 0x4, 0x5, 0x35},
    {"v_add_lshl_u32 v0, v2, v4, v6", {0xd1fe0000, 0x041a0902}, 0x3, 0x4, 0x2, 0x1c},
    {"v_add3_u32 v0, v2, v4, v6", {0xd1ff0000, 0x041a0902}, 0xffffffff, 0x1, 0x9, 0x9},
    {"v_bfe_u32 v0, v2, v4, v6", {0xd1c80000, 0x041a0902}, 0xabcd1234, 0x8, 0x8, 0x12},
    {"v_bfe_u32 v0, v2, v4, v6", {0xd1c80000, 0x041a0902}, 0xabcd1234, 0x8, 0x20, 0x0},
    {"v_bfe_i32 v0, v2, v4, v6", {0xd1c90000, 0x041a0902}, 0xabcd8234, 0x8, 0x8, 0xffffff82},
    {"v_bfe_i32 v0, v2, v4, v6", {0xd1c90000, 0x041a0902}, 0x80000000, 0x1f, 0x5, 0xffffffff},
    {"v_bfi_b32 v0, v2, v4, v6", {0xd1ca0000, 0x041a0902}, 0xffff, 0x12345678, 0xabcdef01, 0xabcd5678},
    {"v_perm_b32 v0, v2, v4, v6", {0xd1ed0000, 0x041a0902}, 0x77665544, 0x33221100, 0xc070500, 0x775500},
    {"v_perm_b32 v0, v2, v4, v6", {0xd1ed0000, 0x041a0902}, 0x80000000, 0x8000, 0xd080b09, 0xffffff00},
    {"v_alignbit_b32 v0, v2, v4, v6", {0xd1ce0000, 0x041a0902}, 0x12345678, 0x9abcdef0, 0x8, 0x789abcde},
    {"v_bfrev_b32_e32 v0, v2", {0x7e005902}, 0x1, 0x0, 0x0, 0x80000000},
    {"v_ffbh_u32_e32 v0, v2", {0x7e005b02}, 0x0, 0x0, 0x0, 0xffffffff},
    {"v_ffbl_b32_e32 v0, v2", {0x7e005d02}, 0x100, 0x0, 0x0, 0x8},
    {"v_med3_i32 v0, v2, v4, v6", {0xd1d70000, 0x041a0902}, 0x5, 0xffffffff, 0x3, 0x3},
    {"v_xad_u32 v0, v2, v4, v6", {0xd1f30000, 0x041a0902}, 0x6, 0x3, 0xa, 0xf},
    {"v_sad_u32 v0, v2, v4, v6", {0xd1dc0000, 0x041a0902}, 0x5, 0x9, 0x1, 0x5},
    {"v_add_f32_e32 v0, v2, v4", {0x02000902}, 0x3fc00000, 0x40100000, 0x0, 0x40700000},
    {"v_add_f32_e64 v0, -v2, |v4|", {0xd1010200, 0x20020902}, 0x3fc00000, 0xc0100000, 0x0, 0x3f400000},
    {"v_mul_f32_e64 v0, v2, v4 clamp", {0xd1058000, 0x00020902}, 0x40400000, 0x40000000, 0x0, 0x3f800000},
    {"v_mul_f32_e32 v0, 0.5, v4", {0x0a0008f0}, 0x0, 0x40400000, 0x0, 0x3fc00000},
    {"v_fma_f32 v0, v2, v4, v6", {0xd1cb0000, 0x041a0902}, 0x3f800800, 0x3f800800, 0xbf800000, 0x3a000400},
    {"v_mad_f32 v0, v2, v4, v6", {0xd1c10000, 0x041a0902}, 0x3f800800, 0x3f800800, 0xbf800000, 0x3a000000},
    {"v_min_f32_e32 v0, v2, v4", {0x14000902}, 0x7fc00000, 0x3f800000, 0x0, 0x3f800000},
    {"v_min_f32_e32 v0, v2, v4", {0x14000902}, 0x0, 0x80000000, 0x0, 0x80000000},
    {"v_max_f32_e32 v0, v2, v4", {0x16000902}, 0x80000000, 0x0, 0x0, 0x0},
    {"v_max_f32_e32 v0, v2, v4", {0x16000902}, 0x7f800001, 0x3f800000, 0x0, 0x7fc00001},
    {"v_med3_f32 v0, v2, v4, v6", {0xd1d60000, 0x041a0902}, 0x40400000, 0xbf800000, 0x40000000, 0x40000000},
    {"v_cvt_u32_f32_e32 v0, v2", {0x7e000f02}, 0xbfc00000, 0x0, 0x0, 0x0},
    {"v_cvt_u32_f32_e32 v0, v2", {0x7e000f02}, 0x4f9502f9, 0x0, 0x0, 0xffffffff},
    {"v_cvt_u32_f32_e32 v0, v2", {0x7e000f02}, 0x4f32d05e, 0x0, 0x0, 0xb2d05e00},
    {"v_cvt_u32_f32_e32 v0, v2", {0x7e000f02}, 0x7fc00000, 0x0, 0x0, 0x0},
    {"v_cvt_i32_f32_e32 v0, v2", {0x7e001102}, 0xcf32d05e, 0x0, 0x0, 0x80000000},
    {"v_cvt_i32_f32_e32 v0, v2", {0x7e001102}, 0x4f32d05e, 0x0, 0x0, 0x7fffffff},
    {"v_cvt_i32_f32_e32 v0, v2", {0x7e001102}, 0xc039999a, 0x0, 0x0, 0xfffffffe},
    {"v_cvt_f32_u32_e32 v0, v2", {0x7e000d02}, 0xffffffff, 0x0, 0x0, 0x4f800000},
    {"v_cvt_f32_i32_e32 v0, v2", {0x7e000b02}, 0xffffffff, 0x0, 0x0, 0xbf800000},
    {"v_cvt_f16_f32_e32 v0, v2", {0x7e001502}, 0x477fef00, 0x0, 0x0, 0x7bff},
    {"v_cvt_f16_f32_e32 v0, v2", {0x7e001502}, 0x477ff000, 0x0, 0x0, 0x7c00},
    {"v_cvt_f16_f32_e32 v0, v2", {0x7e001502}, 0x33800000, 0x0, 0x0, 0x1},
    {"v_cvt_f16_f32_e32 v0, v2", {0x7e001502}, 0x33000000, 0x0, 0x0, 0x0},
    {"v_cvt_f16_f32_e32 v0, v2", {0x7e001502}, 0x3f801000, 0x0, 0x0, 0x3c00},
    {"v_cvt_f16_f32_e32 v0, v2", {0x7e001502}, 0x3f803000, 0x0, 0x0, 0x3c02},
    {"v_cvt_f16_f32_e32 v0, v2", {0x7e001502}, 0x7fc00000, 0x0, 0x0, 0x7e00},
    {"v_cvt_f32_f16_e32 v0, v2", {0x7e001702}, 0x1, 0x0, 0x0, 0x33800000},
    {"v_cvt_f32_f16_e32 v0, v2", {0x7e001702}, 0xfc00, 0x0, 0x0, 0xff800000},
    {"v_cvt_f32_f16_e32 v0, v2", {0x7e001702}, 0x3555, 0x0, 0x0, 0x3eaaa000},
    {"v_rcp_f32_e32 v0, v2", {0x7e004502}, 0x40800000, 0x0, 0x0, 0x3e800000},
    {"v_rcp_iflag_f32_e32 v0, v2", {0x7e004702}, 0x0, 0x0, 0x0, 0x7f800000},
    {"v_sqrt_f32_e32 v0, v2", {0x7e004f02}, 0x41100000, 0x0, 0x0, 0x40400000},
    {"v_rsq_f32_e32 v0, v2", {0x7e004902}, 0x40800000, 0x0, 0x0, 0x3f000000},
    {"v_exp_f32_e32 v0, v2", {0x7e004102}, 0x40400000, 0x0, 0x0, 0x41000000},
    {"v_log_f32_e32 v0, v2", {0x7e004302}, 0x41000000, 0x0, 0x0, 0x40400000},
    {"v_rndne_f32_e32 v0, v2", {0x7e003d02}, 0x40200000, 0x0, 0x0, 0x40000000},
    {"v_fract_f32_e32 v0, v2", {0x7e003702}, 0xbe800000, 0x0, 0x0, 0x3f400000},
    {"v_ldexp_f32 v0, v2, v4", {0xd2880000, 0x00020902}, 0x3fc00000, 0x3, 0x0, 0x41400000},
    {"v_frexp_exp_i32_f32_e32 v0, v2", {0x7e006702}, 0x41000000, 0x0, 0x0, 0x4},
    {"v_frexp_mant_f32_e32 v0, v2", {0x7e006902}, 0x41000000, 0x0, 0x0, 0x3f000000},
    {"v_add_f16_e32 v0, v2, v4", {0x3e000902}, 0xdead3e00, 0xbeef4000, 0x0, 0x4300},
    {"v_fma_f16 v0, v2, v4, v6", {0xd2060000, 0x041a0902}, 0x3c01, 0x3c01, 0xbc00, 0xaaaa1800},
    {"v_pack_b32_f16 v0, v2, v4", {0xd2a00000, 0x00020902}, 0xffff1234, 0xffff5678, 0x0, 0x56781234},
    {"v_mul_lo_u16_e32 v0, v2, v4", {0x52000902}, 0x10003, 0x20005, 0x0, 0xf},
    {"v_max_i16_e32 v0, v2, v4", {0x60000902}, 0x8000, 0x1, 0x0, 0x1},
    {"v_lshlrev_b16_e32 v0, v2, v4", {0x54000902}, 0x4, 0xffff, 0x0, 0xfff0},
    {"v_pk_add_f16 v0, v2, v4", {0xd38f4000, 0x18020902}, 0x40003c00, 0x44004200, 0x0, 0x46004400},
    {"v_pk_mul_f16 v0, v2, v4 op_sel:[1,0] op_sel_hi:[0,1]",
     {0xd3904800, 0x10020902},
     0x40003c00,
     0x44004200,
     0x0,
     0x44004600},
    {"v_pk_fma_f16 v0, v2, v4, v6 neg_lo:[1,0,0]",
     {0xd38e4000, 0x3c1a0902},
     0x40003c00,
     0x44004200,
     0x3c003c00,
     0x4880c000},
    {"v_pk_add_u16 v0, v2, v4 clamp", {0xd38ac000, 0x18020902}, 0xffff0001, 0x20003, 0x0, 0xffff0004},
    {"v_pk_mul_lo_u16 v0, v2, v4", {0xd3814000, 0x18020902}, 0x30002, 0x50004, 0x0, 0xf0008},
    {"v_fma_mix_f32 v0, v2, v4, v6 op_sel_hi:[1,0,0]",
     {0xd3a00000, 0x0c1a0902},
     0x4000,
     0x40400000,
     0x3f800000,
     0x40e00000},
    {"v_dot2_f32_f16 v0, v2, v4, v6",
     {0xd3a34000, 0x1c1a0902},
     0x40003c00,
     0x44004200,
     0x3f000000,
     0x41380000},
    {"v_or_b32_sdwa v0, v2, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:BYTE_0",
     {0x280008f9, 0x00050602},
     0x12345678,
     0xffffff80,
     0x0,
     0x12b4},
    {"v_add_u32_sdwa v0, v2, sext(v4) dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 "
     "src1_sel:BYTE_0",
     {0x680008f9, 0x08031502},
     0x5000000,
     0xff,
     0x0,
     0x4aaaa},
    {"v_mov_b32_e32 v0, 0x3fc00000", {0x7e0002ff, 0x3fc00000}, 0x0, 0x0, 0x0, 0x3fc00000},
    {"v_div_fixup_f32 v0, v2, v4, v6", {0xd1de0000, 0x041a0902}, 0x41100000, 0x0, 0xbf800000, 0xff800000},
    {"v_cvt_pkrtz_f16_f32 v0, v2, v4", {0xd2960000, 0x00020902}, 0x477fef00, 0x3f803000, 0x0, 0x3c017bff},
};

static const struct vector_case wide[] = {
    {"v_lshlrev_b64 v[0:1], v2, v[4:5]",
     {0xd28f0000, 0x00020902},
     0x24,
     0x12345678,
     0x0,
     UINT64_C(0x2345678000000000)},
    {"v_ashrrev_i64 v[0:1], v2, v[4:5]",
     {0xd2910000, 0x00020902},
     0x4,
     UINT64_C(0x8000000000000000),
     0x0,
     UINT64_C(0xf800000000000000)},
    {"v_add_f64 v[0:1], v[2:3], v[4:5]",
     {0xd2800000, 0x00020902},
     UINT64_C(0x3ff8000000000000),
     UINT64_C(0x4004000000000000),
     0x0,
     UINT64_C(0x4010000000000000)},
    {"v_mul_f64 v[0:1], v[2:3], -v[4:5]",
     {0xd2810000, 0x40020902},
     UINT64_C(0x3ff8000000000000),
     UINT64_C(0x4000000000000000),
     0x0,
     UINT64_C(0xc008000000000000)},
    {"v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]",
     {0xd1cc0000, 0x041a0902},
     UINT64_C(0x4008000000000000),
     UINT64_C(0x4000000000000000),
     UINT64_C(0x3ff0000000000000),
     UINT64_C(0x401c000000000000)},
    {"v_max_f64 v[0:1], v[2:3], v[4:5]",
     {0xd2830000, 0x00020902},
     UINT64_C(0x7ff8000000000000),
     UINT64_C(0x4000000000000000),
     0x0,
     UINT64_C(0x4000000000000000)},
    {"v_cvt_f64_i32_e32 v[0:1], v2", {0x7e000902}, 0xfffffffe, 0x0, 0x0, UINT64_C(0xc000000000000000)},
    {"v_cvt_f64_f32_e32 v[0:1], v2", {0x7e002102}, 0x3dcccccd, 0x0, 0x0, UINT64_C(0x3fb99999a0000000)},
    {"v_rcp_f64_e32 v[0:1], v[2:3]",
     {0x7e004b02},
     UINT64_C(0x4010000000000000),
     0x0,
     0x0,
     UINT64_C(0x3fd0000000000000)},
    {"v_ldexp_f64 v[0:1], v[2:3], v4",
     {0xd2840000, 0x00020902},
     UINT64_C(0x3ff8000000000000),
     0xffffffff,
     0x0,
     UINT64_C(0x3fe8000000000000)},
    {"v_mad_u64_u32 v[0:1], s[10:11], v2, v4, v[6:7]",
     {0xd1e80a00, 0x041a0902},
     0xffffffff,
     0xffffffff,
     0x5,
     UINT64_C(0xfffffffe00000006)},
    {"v_mad_i64_i32 v[0:1], s[10:11], v2, v4, v[6:7]", {0xd1e90a00, 0x041a0902}, 0xffffffff, 0x3, 0x5, 0x2},
    {"v_pk_add_f32 v[0:1], v[2:3], v[4:5]",
     {0xd3b24000, 0x18020902},
     UINT64_C(0x400000003f800000),
     UINT64_C(0x41a0000041200000),
     0x0,
     UINT64_C(0x41b0000041300000)},
    {"v_pk_mul_f32 v[0:1], v[2:3], v[4:5] op_sel:[1,0] op_sel_hi:[0,1]",
     {0xd3b14800, 0x10020902},
     UINT64_C(0x400000003f800000),
     UINT64_C(0x41a0000041200000),
     0x0,
     UINT64_C(0x41a0000041a00000)},
    {"v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] neg_lo:[1,0,0]",
     {0xd3b04000, 0x3c1a0902},
     UINT64_C(0x400000003f800000),
     UINT64_C(0x41a0000041200000),
     UINT64_C(0x3f8000003f800000),
     UINT64_C(0x42240000c1100000)},
    {"v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,0]",
     {0xd3b34800, 0x18020902},
     UINT64_C(0x200000001),
     UINT64_C(0x400000003),
     0x0,
     UINT64_C(0x300000002)},
};

static void load(struct alu_wave *a, const struct vector_case *c) {
  alu_set(a, 2, c->a);
  alu_set(a, 4, c->b);
  alu_set(a, 6, c->c);
}

static uint64_t result(const struct alu_wave *a, unsigned lane, bool wide_result) {
  return a->w.v[0][lane] | (wide_result ? (uint64_t)a->w.v[1][lane] << 32 : 0);
}

/* Lanes in the mask hold the result, the others what was there. */
static void check_case(const struct vector_case *c, bool wide_result, uint64_t exec) {
  const uint64_t old = wide_result ? UINT64_C(0xaaaaaaaaaaaaaaaa) : 0xaaaaaaaa;
  for (sim_handler *const *const *v = alu_variants(); *v; v++) {
    struct alu_wave a;
    alu_open(&a, *v);
    load(&a, c);
    sim_write_s64(&a.w, SIM_EXEC_LO, exec);
    alu_run(&a, c->words, c->text);
    for (unsigned l = 0; l < SIM_LANES; l++) {
      uint64_t expected = exec >> l & 1 ? c->expected : old;
      if (result(&a, l, wide_result) != expected)
        fail_msg("%s of 0x%llx, 0x%llx, 0x%llx: lane %u has 0x%llx, expected 0x%llx (variant %d)", c->text,
                 (unsigned long long)c->a, (unsigned long long)c->b, (unsigned long long)c->c, l,
                 (unsigned long long)result(&a, l, wide_result), (unsigned long long)expected,
                 (int)(v - alu_variants()));
    }
    alu_free(&a);
  }
}

static void results(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
    check_case(&narrow[i], false, UINT64_MAX);
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    check_case(&wide[i], true, UINT64_MAX);
}

static void only_active_lanes_are_written(void **state) {
  (void)state;
  static const uint64_t masks[] = {0, 1, UINT64_C(1) << 63, UINT64_C(0x5555555555555555),
                                   UINT64_C(0xffffffff00000000)};
  for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
      check_case(&narrow[i], false, masks[m]);
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
      check_case(&wide[i], true, masks[m]);
  }
}

/* v[2] holds the lane's number in each of these. */
static void open_counting(struct alu_wave *a, sim_handler *const *handlers) {
  alu_open(a, handlers);
  for (unsigned l = 0; l < SIM_LANES; l++)
    a->w.v[2][l] = l;
}

static void compares_write_masks(void **state) {
  (void)state;
  /* v_cmp_gt_u32_e32 vcc, 10, v2; v_cmp_le_u32_e64 s[10:11], v2, 3; v_cmpx_lt_i32_e32 vcc, v2, v4 */
  static const uint32_t short_form[] = {0x7d98048a, 0, 0}, long_form[] = {0xd0cb000a, 0x00010702, 0},
                        to_exec[] = {0x7da20902, 0, 0};
  for (sim_handler *const *const *v = alu_variants(); *v; v++) {
    struct alu_wave a;
    open_counting(&a, *v);
    alu_run(&a, short_form, "v_cmp_gt_u32_e32 vcc, 10, v2");
    assert_true(sim_read_s64(&a.w, SIM_VCC_LO) == 0x3ff);
    sim_write_s64(&a.w, SIM_EXEC_LO, UINT64_C(0xfffffffffffffff6)); /* bits of inactive lanes are zero */
    alu_run(&a, long_form, "v_cmp_le_u32_e64 s[10:11], v2, 3");
    assert_true(sim_read_s64(&a.w, 10) == 6);
    sim_write_s64(&a.w, SIM_EXEC_LO, UINT64_MAX);
    alu_set(&a, 4, 0);
    for (unsigned l = 0; l < SIM_LANES; l++)
      a.w.v[4][l] = 40;
    alu_run(&a, to_exec, "v_cmpx_lt_i32_e32 vcc, v2, v4");
    assert_true(sim_exec(&a.w) == UINT64_C(0xffffffffff));
    alu_free(&a);
  }
}

static void carries_chain(void **state) {
  (void)state;
  /* v_add_co_u32_e32 v0, vcc, v2, v4; v_addc_co_u32_e32 v1, vcc, v3, v5, vcc */
  static const uint32_t low[] = {0x32000902, 0, 0}, high[] = {0x38020b03, 0, 0};
  for (sim_handler *const *const *v = alu_variants(); *v; v++) {
    struct alu_wave a;
    alu_open(&a, *v);
    alu_set(&a, 2, UINT64_C(0xfffffffff));
    alu_set(&a, 4, UINT64_C(0x100000001));
    a.w.v[2][5] = 7; /* one lane that does not carry */
    alu_run(&a, low, "v_add_co_u32_e32 v0, vcc, v2, v4");
    assert_true(sim_read_s64(&a.w, SIM_VCC_LO) == ~(UINT64_C(1) << 5));
    alu_run(&a, high, "v_addc_co_u32_e32 v1, vcc, v3, v5, vcc");
    assert_int_equal(a.w.v[0][0], 0);
    assert_int_equal(a.w.v[1][0], 0x11);
    assert_int_equal(a.w.v[0][5], 8);
    assert_int_equal(a.w.v[1][5], 0x10);
    assert_true(sim_read_s64(&a.w, SIM_VCC_LO) == 0);
    alu_free(&a);
  }
}

static void lanes_are_moved(void **state) {
  (void)state;
  /* row_shr:1, with and without bound_ctrl; quad_perm:[3,2,1,0] */
  static const uint32_t shifted[] = {0x7e0002fa, 0xff011102, 0}, bound[] = {0x7e0002fa, 0xff091102, 0},
                        quads[] = {0x7e0002fa, 0xff001b02, 0}, last_row[] = {0x7e0002fa, 0x8f001b02, 0};
  for (sim_handler *const *const *v = alu_variants(); *v; v++) {
    struct alu_wave a;
    open_counting(&a, *v);
    alu_run(&a, shifted, "v_mov_b32_dpp v0, v2 row_shr:1 row_mask:0xf bank_mask:0xf");
    assert_int_equal(a.w.v[0][16], 0xaaaaaaaa);
    assert_int_equal(a.w.v[0][17], 16);
    alu_run(&a, bound, "v_mov_b32_dpp v0, v2 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0");
    assert_int_equal(a.w.v[0][16], 0);
    alu_run(&a, quads, "v_mov_b32_dpp v0, v2 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf");
    assert_int_equal(a.w.v[0][4], 7);
    assert_int_equal(a.w.v[0][63], 60);
    memset(a.w.v[0], 0, sizeof a.w.v[0]);
    alu_run(&a, last_row, NULL);
    assert_int_equal(a.w.v[0][40], 0);
    assert_int_equal(a.w.v[0][48], 51);
    alu_free(&a);
  }
}

static void single_lanes(void **state) {
  (void)state;
  /* v_readfirstlane_b32 s0, v2; v_readlane_b32 s1, v2, 7; v_writelane_b32 v0, 5, 9; v_mbcnt_lo / hi */
  static const uint32_t first[] = {0x7e000502, 0, 0}, read[] = {0xd2890001, 0x00010f02, 0},
                        write[] = {0xd28a0000, 0x00011285, 0}, lo[] = {0xd28c0000, 0x000100c1, 0},
                        hi[] = {0xd28d0000, 0x000200c1, 0};
  for (sim_handler *const *const *v = alu_variants(); *v; v++) {
    struct alu_wave a;
    open_counting(&a, *v);
    sim_write_s64(&a.w, SIM_EXEC_LO, 0x30);
    alu_run(&a, first, "v_readfirstlane_b32 s0, v2");
    assert_int_equal(a.w.s[0], 4);
    alu_run(&a, read, "v_readlane_b32 s1, v2, 7");
    assert_int_equal(a.w.s[1], 7);
    alu_run(&a, write, "v_writelane_b32 v0, 5, 9");
    assert_int_equal(a.w.v[0][9], 5);
    assert_int_equal(a.w.v[0][4], 0xaaaaaaaa);
    sim_write_s64(&a.w, SIM_EXEC_LO, 0); /* with no lane active, lane 0 */
    alu_run(&a, first, "v_readfirstlane_b32 s0, v2");
    assert_int_equal(a.w.s[0], 0);
    sim_write_s64(&a.w, SIM_EXEC_LO, UINT64_MAX);
    alu_run(&a, lo, "v_mbcnt_lo_u32_b32 v0, -1, 0");
    alu_run(&a, hi, "v_mbcnt_hi_u32_b32 v0, -1, v0");
    for (unsigned l = 0; l < SIM_LANES; l++)
      assert_int_equal(a.w.v[0][l], l);
    alu_free(&a);
  }
}

static void denormals_follow_mode(void **state) {
  (void)state;
  static const uint32_t add[] = {0x02000902, 0, 0}; /* v_add_f32_e32 v0, v2, v4 */
  for (sim_handler *const *const *v = alu_variants(); *v; v++) {
    struct alu_wave a;
    alu_open(&a, *v);
    alu_set(&a, 2, 0x00000003);
    alu_set(&a, 4, 0x80000001);
    alu_run(&a, add, "v_add_f32_e32 v0, v2, v4");
    assert_int_equal(a.w.v[0][1], 2);
    a.w.mode &= ~0x30u;
    alu_run(&a, add, "v_add_f32_e32 v0, v2, v4");
    assert_int_equal(a.w.v[0][1], 0);
    alu_set(&a, 2, 0x00800000); /* two normal numbers whose difference is denormal */
    alu_set(&a, 4, 0x80800001);
    alu_run(&a, add, "v_add_f32_e32 v0, v2, v4");
    assert_int_equal(a.w.v[0][1], 0x80000000);
    alu_free(&a);
  }
}

static void half_results_and_the_other_half(void **state) {
  (void)state;
  /* v_add_f16_e32 zeroes the upper half; v_fma_f16 keeps it, and writes it with op_sel[3] */
  static const uint32_t add[] = {0x3e000902, 0, 0}, fma[] = {0xd2060000, 0x041a0902, 0},
                        high[] = {0xd2064000, 0x041a0902, 0};
  for (sim_handler *const *const *v = alu_variants(); *v; v++) {
    struct alu_wave a;
    alu_open(&a, *v);
    alu_set(&a, 2, 0x3c00);
    alu_set(&a, 4, 0x3c00);
    alu_set(&a, 6, 0x3c00);
    alu_run(&a, fma, "v_fma_f16 v0, v2, v4, v6");
    assert_int_equal(a.w.v[0][3], 0xaaaa4000);
    alu_run(&a, add, "v_add_f16_e32 v0, v2, v4");
    assert_int_equal(a.w.v[0][3], 0x4000);
    alu_run(&a, high, "v_fma_f16 v0, v2, v4, v6 op_sel:[0,0,0,1]");
    assert_int_equal(a.w.v[0][3], 0x40004000);
    alu_free(&a);
  }
}

static void f16_conversion_is_exact(void **state) {
  (void)state;
  static const uint32_t up[] = {0x7e001702, 0, 0}, down[] = {0x7e041500, 0, 0}; /* cvt_f32_f16, cvt_f16_f32 */
  for (sim_handler *const *const *v = alu_variants(); *v; v++) {
    struct alu_wave a;
    alu_open(&a, *v);
    for (uint32_t base = 0; base < 0x10000; base += SIM_LANES) {
      for (uint32_t l = 0; l < SIM_LANES; l++)
        a.w.v[2][l] = base + l;
      alu_run(&a, up, "v_cvt_f32_f16_e32 v0, v2");
      alu_run(&a, down, "v_cvt_f16_f32_e32 v2, v0");
      for (uint32_t l = 0; l < SIM_LANES; l++) {
        uint32_t half = base + l, nan = (half & 0x7c00) == 0x7c00 && half & 0x3ff;
        assert_int_equal(a.w.v[2][l], nan ? half | 0x200 : half);
      }
    }
    alu_free(&a);
  }
}

/* Inline floats are in the operand's own format; the upper half of a pair is zero. */
static void inline_constants_of_bf16(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t words[3], expected;
  } cases[] = {
      {"v_cvt_f32_bf16_e32 v0, 0.5", {0x7e00b6f0}, 0x3f000000},
      {"v_cvt_f32_bf16_e32 v0, 1.0", {0x7e00b6f2}, 0x3f800000},
      {"v_cvt_f32_bf16_e32 v0, -4.0", {0x7e00b6f7}, 0xc0800000},
      {"v_cvt_f32_bf16_e32 v0, 0.15915494", {0x7e00b6f8}, 0x3e220000},
      {"v_cvt_f32_bf16_e32 v0, 1", {0x7e00b681}, 0x00010000},
      {"v_dot2_f32_bf16 v0, 2.0, v4, v6", {0xd39a4000, 0x1c1a08f4}, 0x40d00000},
      {"v_dot2_f32_bf16 v0, 2.0, v4, v6 op_sel_hi:[0,1,1]", {0xd39a4000, 0x141a08f4}, 0x41840000},
  };
  for (sim_handler *const *const *v = alu_variants(); *v; v++) {
    struct alu_wave a;
    alu_open(&a, *v);
    alu_set(&a, 4, 0x40a04040); /* 3 and 5 */
    alu_set(&a, 6, 0x3f000000);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      alu_run_on(&a, SIM_GFX950, cases[i].words, cases[i].text);
      assert_int_equal(a.w.v[0][7], cases[i].expected);
    }
    alu_free(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results),
      cmocka_unit_test(only_active_lanes_are_written),
      cmocka_unit_test(compares_write_masks),
      cmocka_unit_test(carries_chain),
      cmocka_unit_test(lanes_are_moved),
      cmocka_unit_test(single_lanes),
      cmocka_unit_test(denormals_follow_mode),
      cmocka_unit_test(half_results_and_the_other_half),
      cmocka_unit_test(f16_conversion_is_exact),
      cmocka_unit_test(inline_constants_of_bf16),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
