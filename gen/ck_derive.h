/* What follows from a line in Composable Kernel's notation: waves from tile and block size, words from words.
 * Internal to gen. */
#ifndef CKT_GEN_CK_DERIVE_H
#define CKT_GEN_CK_DERIVE_H

#include "gen/ck_statement.h"
#include "gen/outcome.h"

/* By the rules of Composable Kernel's generator. Fills the outcome: an instance, or a skipped line with its
 * reason. CKT_E_INPUT fills *fault. */
int ckt_ck_derive_seed(const struct ckt_ck_statement *statement, const struct ckt_outcome_request *request,
                       struct ckt_line_outcome *outcome, struct ckt_ck_fault *fault);
/* By the hardware's: the tile must be a whole number of waves, and every word a known one. A block size that does
 * not fit the waves stays in the instance, for the rules of gen/applicable.h to refuse. */
int ckt_ck_derive_hardware(const struct ckt_ck_statement *statement, const struct ckt_problem_defaults *kind,
                           struct ckt_instance *instance, struct ckt_ck_fault *fault);

/* Of the kind that the list says, with everything that a line of Composable Kernel cannot say. */
struct ckt_instance ckt_ck_blank(const struct ckt_ck_statement *statement,
                                 const struct ckt_problem_defaults *kind);
/* The specialization of a line; explicit lines have the default one. False when the word is not known. */
bool ckt_ck_specialization(const struct ckt_ck_statement *statement, enum ckt_specialization *specialization);
struct ckt_span ckt_ck_specialization_word(const struct ckt_ck_statement *statement);
bool ckt_ck_specialization_of(struct ckt_span word, enum ckt_specialization *specialization);
#define CKT_CK_SPECIALIZATION_WORDS "Default, OddC, Filter1x1Pad0, Filter1x1Stride1Pad0 or Filter3x3"
/* "v3" as a pipeline, in any case. False when it is none. */
bool ckt_ck_pipeline(struct ckt_span version, enum ckt_pipeline *pipeline);
/* The K that one matrix instruction takes at least: 32x32x2 and 16x16x4 of fp32, 32x32x8 and 16x16x16 of 16
 * bits. */
int64_t ckt_ck_matrix_k(enum ckt_dtype dtype, bool of_32_rows);

#endif
