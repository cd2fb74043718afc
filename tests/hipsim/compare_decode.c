#include "compare_decode.h"

#include <stdio.h>
#include <string.h>

void normalise_text(char *text) {
  static const char *const same[][2] = {{" bound_ctrl:1", " bound_ctrl:0"}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    char *at = strstr(text, same[i][0]);
    if (at)
      memcpy(at, same[i][1], strlen(same[i][1]));
  }
}

/* Some row has this mnemonic on the arch. */
static bool has_row(enum sim_arch arch, const char *mnemonic, size_t length) {
  static const char *const suffixes[] = {"_e32", "_e64", "_sdwa", "_dpp"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    size_t n = strlen(suffixes[i]);
    if (length > n && strncmp(mnemonic + length - n, suffixes[i], n) == 0) {
      length -= n;
      break;
    }
  }
  for (unsigned op = 1; op < SIM_OP_COUNT; op++)
    if (sim_info[op].opcode[arch] >= 0 && strlen(sim_info[op].name) == length &&
        strncmp(sim_info[op].name, mnemonic, length) == 0)
      return true;
  return false;
}

/* Fields that LLVM's disassembler does not check, but prints through a table or a switch: what they name past its end is
 * nothing, and it may crash. */
static bool is_beyond_oracle(const uint32_t words[2]) {
  uint32_t w = words[0], v = words[1];
  bool short_vector = w >> 31 == 0 && (w & 511) == 249;
  bool compare = w >> 25 == 0x3e;
  if (w >> 25 == 0x3f && ((w >> 9 & 255) == 0x51 || (w >> 9 & 255) == 0x52)) /* v_swap, v_accvgpr_mov */
    return !(w >> 8 & 1);
  if (short_vector)
    return (v >> 16 & 7) == 7 || (v >> 24 & 7) == 7 ||
           (!compare && ((v >> 8 & 7) == 7 || (v >> 11 & 3) == 3));
  if (w >> 23 == 0x1a7 && (w >> 16 & 127) >= 0x35) { /* matrices in scalar registers */
    unsigned a = v & 511, b = v >> 9 & 511, c = v >> 18 & 511;
    return a < 256 || b < 256 || c < 128 || (c > 208 && c < 240) || (c > 248 && c < 256);
  }
  if (w >> 30 == 2 && ((w & 255) == 254 || (w >> 8 & 255) == 254)) /* a source of graphics */
    return true;
  if (w >> 25 == 0x3f && (w >> 9 & 255) == 2 && (w >> 24 & 1)) /* v_readfirstlane to what is no register */
    return true;
  if (w >> 16 == 0xd289 && (w >> 7 & 1)) /* v_readlane, likewise */
    return true;
  if (w >> 24 == 0xd0 && (w >> 7 & 1)) /* a mask into what is no register */
    return true;
  if (w >> 16 == 0xd1e7 && (v >> 18 & 511) >= 102 && (v >> 18 & 511) < 128) /* 128 bits of VCC */
    return true;
  if (w >> 26 == 0x38 &&
      (w >> 18 & 127) >= 0x70) /* an opcode of the first GCN, which LLVM looks up as well */
    return true;
  if (w >> 26 == 0x38 && v >> 24 == 254)
    return true;
  if (w >> 26 == 0x38) /* buffer resources past the SGPRs */
    return (v >> 16 & 31) > 25;
  if (w >> 26 == 0x30) /* tuples past the SGPRs */
    return (w >> 6 & 127) > 88 || (w & 63) > 48;
  return false;
}

/* A literal in an encoding of 64 bits, which gfx9 does not have. LLVM 21 reads it on gfx950, and crashes for the others: its
 * message of what is missing goes to a stream that comgr does not give it. */
static bool has_wide_literal(const uint32_t words[2]) {
  uint32_t w = words[0], v = words[1];
  if (w >> 26 == 0x38 || w >> 26 == 0x3a)
    return v >> 24 == SIM_LITERAL;
  return w >> 26 == 0x34 &&
         ((v & 511) == SIM_LITERAL || (v >> 9 & 511) == SIM_LITERAL || (v >> 18 & 511) == SIM_LITERAL);
}

static void compare_one(struct oracle *oracle, enum sim_arch arch, const uint32_t words[3],
                        struct comparison *c) {
  struct sim_inst inst;
  char ours[256] = "", theirs[256] = "";
  unsigned used = 4 * sim_decode(words, 3, arch, &inst);
  unsigned length =
      !used && has_wide_literal(words) ? 0 : oracle_read(oracle, words, 12, theirs, sizeof theirs);
  if (used)
    sim_disassemble(&inst, arch, ours, sizeof ours);
  normalise_text(theirs);
  if (strncmp(ours, "s_sendmsg", 9) == 0 && strncmp(theirs, "s_sendmsg", 9) == 0)
    ours[strcspn(ours, " ")] = theirs[strcspn(theirs, " ")] = '\0'; /* names of messages are LLVM's */
  if (!used && !length) {
    c->refused++;
  } else if (used == length && strcmp(ours, theirs) == 0) {
    c->same++;
  } else if (!used && !has_row(arch, theirs, strcspn(theirs, " "))) {
    c->rowless++;
  } else {
    c->differs++;
    if (c->shown++ < 20)
      fprintf(stderr, "%08x %08x %08x: '%s' (%u bytes), the oracle has '%s' (%u bytes)\n", words[0], words[1],
              words[2], ours, used, theirs, length);
  }
}

void compare_decode(struct oracle *oracle, struct random_code *random, uint64_t count, struct comparison *c) {
  enum dialect dialect = oracle_dialect(oracle);
  for (uint64_t i = 0; i < count; i++) {
    uint32_t words[3];
    do
      random_instruction(random, words);
    while (is_beyond_oracle(words));
    speak_dialect(dialect, random->arch, words);
    compare_one(oracle, random->arch, words, c);
  }
}
