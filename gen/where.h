/* A condition on instances, as `where` clauses of spaces say it.
 *
 *   or, and, not                    truth
 *   == != < <= > >=                 numbers; == and != also of words (pipeline == v3) and of truths
 *   in {64, 128, 1..4, 8..64*2}     numbers and ranges, or words: spec in {default, filter3x3}
 *   + - * / %                       whole numbers of 64 bits; / rounds towards zero, % has the dividend's sign
 *   ( )  -                          brackets, sign
 *
 * From loosest to tightest: or; and; not; comparison and in; + -; * / %; sign. Names are the fields of our own
 * notation: numbers (tile_m tile_n tile_k warps_m .. warp_tile_m .. vector_a vector_b vector_c split_k block_size
 * num_wave_groups num_groups_to_merge), words (pipeline scheduler spec direction dtype spatial impl), truths
 * (split_image two_stage ..); and numbers that follow from them: threads (64 x warps), lds (bytes), accumulators
 * and registers (a lane's, accumulators included; see gen/derived.h). */
#ifndef CKT_GEN_WHERE_H
#define CKT_GEN_WHERE_H

#include "gen/instance.h"
#include "gen/span.h"

struct ckt_where; /* opaque */

/* Reads all of `text`, which must outlive the condition. On failure *fault is the part that is wrong. The caller
 * frees with ckt_where_free, which takes NULL. */
int ckt_where_parse(struct ckt_span text, struct ckt_where **where, struct ckt_span *fault,
                    struct ckt_error *error);
void ckt_where_free(struct ckt_where *where);

/* CKT_E_INPUT for a division by zero or a number beyond 64 bits, with *fault its operator; `and` and `or` do not
 * look at their right side when the left one decides. */
int ckt_where_holds(const struct ckt_where *where, const struct ckt_instance *instance, bool *holds,
                    struct ckt_span *fault, struct ckt_error *error);

#endif
