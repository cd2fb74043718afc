#include "decode_dialect.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "bench/hipsim/sim_table.h"

#define BIT(n)       (UINT64_C(1) << (n))
#define BITS(low, n) (((UINT64_C(1) << (n)) - 1) << (low))

/* Bits that are cleared and then set in the 64-bit encodings (VOP3, VOP3P) of instructions whose names begin so and
 * whose first source is of that kind. */
struct habit {
  enum dialect dialect;
  const char *name;
  enum sim_format format;
  enum sim_kind kind; /* SIM_K_NONE: any */
  uint64_t clear, set;
};

#define NEG_ABS     (BITS(61, 3) | BITS(8, 3))
#define OMOD        BITS(59, 2)
#define LATER_NEG   (BITS(62, 2) | BITS(9, 2))
#define OP_SEL      BITS(11, 3)
#define OP_SEL_HI   (BITS(59, 2) | BIT(14))
#define CLAMP       BIT(15)
#define DESTINATION BITS(0, 8)

#define EVERY SIM_K_NONE

static const struct habit habits[] = {
    /* LLVM 14 had no omod where there is op_sel, and ignored neg and abs of integers there. */
    {LLVM_OLD, "v_", SIM_FMT_VOP3, SIM_K_F16, OMOD, 0},
    {LLVM_OLD, "v_", SIM_FMT_VOP3, SIM_K_B16, NEG_ABS, 0},
    /* It read neg of integers beside floats as sext(). */
    {LLVM_OLD, "v_ldexp_", SIM_FMT_VOP3, EVERY, BIT(62), 0},
    {LLVM_OLD, "v_ldexp_", SIM_FMT_VOP2, EVERY, BIT(62), 0},
    {LLVM_OLD, "v_trig_preop_f64", SIM_FMT_VOP3, EVERY, BIT(62), 0},
    {LLVM_OLD, "v_cvt_pk_u8_f32", SIM_FMT_VOP3, EVERY, BITS(62, 2), 0},
    {LLVM_OLD, "v_cvt_pkaccum_u8_f32", SIM_FMT_VOP3, EVERY, BITS(62, 2), 0},
    /* It knew no op_sel and no clamp here. */
    {LLVM_OLD, "v_alignbit_b32", SIM_FMT_VOP3, EVERY, OP_SEL | BIT(14) | CLAMP, 0},
    {LLVM_OLD, "v_alignbyte_b32", SIM_FMT_VOP3, EVERY, OP_SEL | BIT(14) | CLAMP, 0},
    /* A third source of graphics was a register to it. */
    {LLVM_OLD, "v_mqsad_u32_u8", SIM_FMT_VOP3, EVERY, 0, BIT(58)},
    /* Of packed integers it looked at neg of the first source alone. */
    {LLVM_OLD, "v_", SIM_FMT_VOP3P, SIM_K_P16, LATER_NEG, 0},
    /* It printed op_sel_hi of bytes and nibbles, and took their op_sel. */
    {LLVM_OLD, "v_dot4_", SIM_FMT_VOP3P, EVERY, OP_SEL, OP_SEL_HI},
    {LLVM_OLD, "v_dot8_", SIM_FMT_VOP3P, EVERY, OP_SEL, OP_SEL_HI},
    /* LLVM 21 takes no other destination of v_cmpx than EXEC, though AMD's guides have one. */
    {LLVM_NEW, "v_cmpx_", SIM_FMT_VOPC, EVERY, DESTINATION, SIM_EXEC_LO},
};

struct change {
  uint64_t clear, set;
};

enum { WIDE = 1024 + 128, PACKED = 1024 }; /* VOP3's opcodes, then VOP3P's */
static struct change changes[2][SIM_ARCHS][WIDE];
static bool packed_integers[SIM_ARCHS][WIDE];
static pthread_once_t filled = PTHREAD_ONCE_INIT;

static unsigned wide_opcode(unsigned op, enum sim_arch arch) {
  static const unsigned from[] = {
      [SIM_FMT_VOP1] = 0x140, [SIM_FMT_VOP2] = 0x100, [SIM_FMT_VOP3P] = PACKED, [SIM_FMT_MAI] = PACKED};
  unsigned format = sim_info[op].format;
  return (unsigned)sim_info[op].opcode[arch] + (format < sizeof from / sizeof *from ? from[format] : 0);
}

static void note_habits(unsigned op, enum sim_arch arch) {
  const struct sim_op_info *info = &sim_info[op];
  unsigned index = wide_opcode(op, arch);
  if (info->format < SIM_FMT_VOP1 || info->format > SIM_FMT_MAI)
    return;
  packed_integers[arch][index] = info->format == SIM_FMT_VOP3P && info->src[0] == SIM_K_P16;
  for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
    const struct habit *h = &habits[i];
    if (strncmp(info->name, h->name, strlen(h->name)) == 0 && info->format == h->format &&
        (h->kind == EVERY || h->kind == info->src[0])) {
      changes[h->dialect][arch][index].clear |= h->clear;
      changes[h->dialect][arch][index].set |= h->set;
    }
  }
}

static void fill(void) {
  for (unsigned op = 1; op < SIM_OP_COUNT; op++)
    for (unsigned arch = 0; arch < SIM_ARCHS; arch++)
      if (sim_info[op].opcode[arch] >= 0)
        note_habits(op, (enum sim_arch)arch);
}

static void change_wide(enum dialect dialect, enum sim_arch arch, uint32_t words[3]) {
  bool packed = words[0] >> 23 == 0x1a7;
  unsigned index = packed ? PACKED + (words[0] >> 16 & 127) : words[0] >> 16 & 1023;
  const struct change *change = &changes[dialect][arch][index];
  uint64_t both = ((words[0] | (uint64_t)words[1] << 32) & ~change->clear) | change->set;
  words[0] = (uint32_t)both;
  words[1] = (uint32_t)(both >> 32);
  /* Inline floats of packed integers had other texts: integers in their places. */
  for (unsigned i = 0; dialect == LLVM_OLD && packed_integers[arch][index] && i < 3; i++)
    if ((words[1] >> 9 * i & 0x1f0) == 0xf0)
      words[1] &= ~(0x70u << 9 * i);
}

/* v_cvt_f64_i32, v_cvt_f64_f32 and v_cvt_f64_u32. */
static bool widens(unsigned vop1) {
  return vop1 == 0x04 || vop1 == 0x10 || vop1 == 0x16;
}

/* Old: 64 bits of gfx90a that come from 32 take any DPP, not row_newbcast alone; v_pk_fmac_f16 has no SDWA and DPP; v_cndmask
 * other modifiers there, v_ldexp_f16 a sext(); literals of halves print either 16 bits or all. */
static void change_short(enum sim_arch arch, uint32_t words[3]) {
  unsigned op = words[0] >> 25, from = words[0] & 511;
  if (arch == SIM_GFX90A && op == 0x3f && from == 250 && widens(words[0] >> 9 & 255))
    words[1] = (words[1] & ~0x1ff00u) | 0x15000u;
  if (op == 0x3c && (from == 249 || from == 250))
    words[0] |= 256;
  if (op == 0 && from == 249)
    words[1] &= ~0x38380000u;
  if (op == 0 && from == 250)
    words[1] &= ~0x00f00000u;
  if (op == 0x33 && from == 250)
    words[1] &= ~0x00c00000u;
  if (from == 255)
    words[1] = (words[1] & 0x3ff) | 0x1000;
}

/* Old: tfe added no register and was taken with lds, by atomics and by cache control; gfx90a had GDS. */
static void change_memory(enum sim_arch arch, uint32_t words[3]) {
  unsigned space = words[0] >> 26, op = words[0] >> 18 & 127;
  bool control = op >= 0x3e && op <= 0x3f;
  if (space == 0x38 && (arch == SIM_GFX908 || (words[0] >> 16 & 1) || control))
    words[1] &= ~0x00800000u;
  if (space == 0x36 && arch >= SIM_GFX90A)
    words[0] &= ~0x00010000u;
  if (space == 0x36 && (words[0] >> 17 & 255) == 0x3d &&
      (words[0] & 0xc000) == 0xc000) /* ds_swizzle: FFT and ROTATE */
    words[0] &= ~0x4000u;
}

void speak_dialect(enum dialect dialect, enum sim_arch arch, uint32_t words[3]) {
  pthread_once(&filled, fill);
  if (words[0] >> 26 == 0x34)
    change_wide(dialect, arch, words);
  else if (dialect == LLVM_OLD && words[0] >> 31 == 0)
    change_short(arch, words);
  else if (dialect == LLVM_OLD)
    change_memory(arch, words);
}
