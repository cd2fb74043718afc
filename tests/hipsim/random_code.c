#include "random_code.h"

struct random_code random_code(enum sim_arch arch, uint64_t seed) {
  return (struct random_code){.state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1, .arch = arch};
}

uint32_t random_word(struct random_code *r) { /* xorshift64* */
  r->state ^= r->state >> 12;
  r->state ^= r->state << 25;
  r->state ^= r->state >> 27;
  return (uint32_t)(r->state * UINT64_C(0x2545F4914F6CDD1D) >> 32);
}

/* A 9-bit source: vector registers, and now and then a scalar register, a constant or anything. */
static uint32_t random_source(struct random_code *r) {
  uint32_t word = random_word(r), choice = word >> 16 & 15;
  if (choice < 8)
    return 256 + (word & 31);
  if (choice < 11)
    return word & 127;
  if (choice < 14)
    return 128 + (word & 127);
  return word & 511;
}

/* Prefix and opcode of a row in its own format, the other bits random. */
static uint32_t first_word(struct random_code *r, unsigned format, uint32_t opcode) {
  uint32_t w = random_word(r), source = random_source(r);
  switch (format) {
  case SIM_FMT_SOP1:
    return 0xbe800000 | (w & 0x007f00ff) | opcode << 8;
  case SIM_FMT_SOP2:
    return 0x80000000 | (w & 0x007fffff) | opcode << 23;
  case SIM_FMT_SOPC:
    return 0xbf000000 | (w & 0xffff) | opcode << 16;
  case SIM_FMT_SOPK:
    return 0xb0000000 | (w & 0x007fffff) | opcode << 23;
  case SIM_FMT_SOPP:
    return 0xbf800000 | (w & 0xffff) | opcode << 16;
  case SIM_FMT_SMEM:
    return 0xc0000000 | (w & 0x0003ffff) | opcode << 18;
  case SIM_FMT_VOP1:
    return 0x7e000000 | (w & 0x01fe0000) | opcode << 9 | source;
  case SIM_FMT_VOP2:
  case SIM_FMT_VOP2K:
    return opcode << 25 | (w & 0x01fffe00) | source;
  case SIM_FMT_VOPC:
    return 0x7c000000 | opcode << 17 | (w & 0x0001fe00) | source;
  case SIM_FMT_VOP3:
    return 0xd0000000 | opcode << 16 | (w & 0xffff);
  case SIM_FMT_VOP3P:
  case SIM_FMT_MAI:
    return 0xd3800000 | opcode << 16 | (w & 0xffff);
  case SIM_FMT_DS:
    return 0xd8000000 | opcode << 17 | (w & 0x0201ffff);
  case SIM_FMT_FLAT:
    return 0xdc000000 | opcode << 18 | (w & 0x02033fff);
  case SIM_FMT_SCRATCH:
    return 0xdc004000 | opcode << 18 | (w & 0x02033fff);
  case SIM_FMT_GLOBAL:
    return 0xdc008000 | opcode << 18 | (w & 0x02033fff);
  default:
    return 0xe0000000 | opcode << 18 | (w & 0x0203ffff);
  }
}

/* A row's opcode among VOP3's, for those that have a shorter form. */
static uint32_t wide_opcode(unsigned format, uint32_t opcode) {
  return opcode + (format == SIM_FMT_VOP1 ? 0x140u : format == SIM_FMT_VOP2 ? 0x100u : 0u);
}

static uint32_t second_word(struct random_code *r, bool three_sources) {
  if (!three_sources)
    return random_word(r);
  return random_source(r) | random_source(r) << 9 | random_source(r) << 18 | (random_word(r) & 0xf8000000);
}

/* Fewer modifiers: random ones are mostly refused. */
static uint32_t without_modifiers(struct random_code *r, uint32_t word, uint32_t modifiers) {
  return random_word(r) & 1 ? word : word & ~modifiers;
}

/* The bits of the second word where operands would be that this row lacks: random ones are mostly refused. */
static uint32_t absent_operands(const struct sim_op_info *info, bool three_sources) {
  uint32_t bits = 0;
  bool ds = info->format == SIM_FMT_DS;
  if (!three_sources && !ds)
    return 0;
  for (unsigned i = 0; i < 3; i++)
    if (info->src[i] == SIM_K_NONE)
      bits |= ds ? 0xffu << 8 * i : 0x1ffu << 9 * i;
  return bits | (ds && info->dst == SIM_K_NONE ? 0xff000000u : 0);
}

void random_instruction(struct random_code *r, uint32_t words[3]) {
  words[0] = random_word(r);
  words[1] = random_word(r);
  words[2] = random_word(r);
  if (words[2] >> 24 < 16)
    return; /* anything */
  unsigned op;
  do
    op = 1 + random_word(r) % (SIM_OP_COUNT - 1);
  while (sim_info[op].opcode[r->arch] < 0);
  unsigned format = sim_info[op].format;
  uint32_t opcode = (uint32_t)sim_info[op].opcode[r->arch];
  bool wide = (sim_info[op].forms & SIM_FORM_E) && random_word(r) % 3 == 0;
  words[0] = wide ? first_word(r, SIM_FMT_VOP3, wide_opcode(format, opcode)) : first_word(r, format, opcode);
  bool three = wide || (format >= SIM_FMT_VOP3 && format <= SIM_FMT_MAI);
  words[1] = second_word(r, three);
  if (random_word(r) & 7)
    words[1] &= ~absent_operands(&sim_info[op], three);
  if (three) {
    words[0] = without_modifiers(r, words[0], 0x7f00);
    words[1] = without_modifiers(r, words[1], 0xf8000000);
  } else if (format >= SIM_FMT_VOP1 && format <= SIM_FMT_VOPC && (words[0] & 511) == 249) {
    words[1] = (words[1] & 0x30ff00ff) | (random_word(r) % 7 << 8 | random_word(r) % 3 << 11) |
               random_word(r) % 7 << 16 | random_word(r) % 7 << 24;
  }
}
