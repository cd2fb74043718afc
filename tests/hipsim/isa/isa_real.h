/* Floating-point arithmetic for expectations: numbers are taken apart, computed with exactly in 128-bit integers, and
 * rounded once (IEEE 754; MODE's rounding and denormals, CDNA ISA guides, chapter "Shader state", "MODE register"). It
 * uses no floating point of the host. */
#ifndef ISA_REAL_H
#define ISA_REAL_H

#include <stdbool.h>
#include <stdint.h>

enum isa_format { ISA_F16, ISA_BF16, ISA_F32, ISA_F64 };

typedef unsigned __int128 isa_wide;

enum isa_class { ISA_ZERO, ISA_FINITE, ISA_INFINITE, ISA_NAN };

/* magnitude * 2^exponent; sticky: and something less than one unit of the magnitude. */
struct isa_real {
  enum isa_class kind;
  bool negative, sticky;
  int exponent;
  isa_wide magnitude;
};

/* ---- bits ---- */

bool isa_is_nan(enum isa_format format, uint64_t bits);
bool isa_is_signalling(enum isa_format format, uint64_t bits);
bool isa_is_denormal(enum isa_format format, uint64_t bits);
uint64_t isa_quiet(enum isa_format format, uint64_t bits);
uint64_t isa_sign_bit(enum isa_format format);
uint64_t isa_infinity(enum isa_format format);
/* A denormal becomes the zero of its sign. */
uint64_t isa_flush(enum isa_format format, uint64_t bits);
/* MODE keeps denormals of this format as they come in, or go out. */
bool isa_keeps_in(enum isa_format format, uint32_t mode);
bool isa_keeps_out(enum isa_format format, uint32_t mode);

/* ---- numbers ---- */

struct isa_real isa_real(enum isa_format format, uint64_t bits);
struct isa_real isa_integer(int64_t value);
struct isa_real isa_scale(struct isa_real a, int power); /* a * 2^power */
struct isa_real isa_negate(struct isa_real a);
struct isa_real isa_multiply(struct isa_real a, struct isa_real b);
struct isa_real isa_add(struct isa_real a, struct isa_real b);
/* -1, 0, 1; 2 when one of them is a NaN. -0 equals 0. */
int isa_order(struct isa_real a, struct isa_real b);

enum isa_rounding { ISA_NEAREST, ISA_UP, ISA_DOWN, ISA_TRUNCATE };

/* To a format. A NaN comes out as the quiet NaN without payload. */
uint64_t isa_round(struct isa_real a, enum isa_format format, enum isa_rounding rounding);
/* To a whole number; |a| < 2^100. */
struct isa_real isa_round_whole(struct isa_real a, enum isa_rounding rounding);
/* A whole number limited to lowest..highest; a NaN gives 0. */
int64_t isa_limit(struct isa_real whole, int64_t lowest, int64_t highest);

#endif
