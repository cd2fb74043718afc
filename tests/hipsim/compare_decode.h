/* Random encodings, read by our decoder and by an oracle. */
#ifndef COMPARE_DECODE_H
#define COMPARE_DECODE_H

#include "decode_oracle.h"
#include "random_code.h"

struct comparison {
  uint64_t same;    /* text and length agree */
  uint64_t refused; /* by both */
  uint64_t rowless; /* the oracle knows an instruction that has no row here */
  uint64_t differs; /* anything else */
  unsigned shown;   /* differences printed so far */
};

/* Reads `count` encodings and adds to *c; prints the first 20 differences to stderr. */
void compare_decode(struct oracle *oracle, struct random_code *random, uint64_t count, struct comparison *c);

/* A text in the spelling that this decoder shares with the oracle: comgr's versions and LLVM differ in details. */
void normalise_text(char *text);

#endif
