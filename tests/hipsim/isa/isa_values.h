/* Operands at the edges of their types. */
#ifndef ISA_VALUES_H
#define ISA_VALUES_H

#include <stddef.h>
#include <stdint.h>

/* Types of operands, as cases spell them:
 *   i l      32 and 64 bits of integer
 *   s        16 bits, the upper half of the register is noise
 *   f d h    f32, f64, f16 (noise as above)
 *   p q w    two 16-bit integers, two f16, two f32
 *   t        two bf16
 *   x        128 bits */

/* How many edge values a type has, and the index-th. */
size_t isa_value_count(char type);
uint64_t isa_value(char type, size_t index);

/* A generator of test values: the same in every run. */
uint64_t isa_random(uint64_t *state);
/* A random value of a type: every exponent is as likely as any other. */
uint64_t isa_random_value(char type, uint64_t *state);

/* Dwords of a register operand. */
unsigned isa_dwords(char type);

#endif
