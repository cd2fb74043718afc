/* An outcome as one JSON object on one line. */
#ifndef CKT_GEN_OUTCOME_JSON_H
#define CKT_GEN_OUTCOME_JSON_H

#include "gen/outcome.h"

/* Appends the object and a line end. Keys of an instance: line, status, specialization (the line's word),
 * specialization_enum, tile, warps, warp_tile, double_smem_buffer, num_wave_groups, pipeline, scheduler, vector,
 * num_groups_to_merge, split_image, explicit_gemm, two_stage; of a skipped line: reason; of an error: stage, error,
 * reason, and the specialization when that is what is wrong; a point of a space has its number as point, and one that is
 * not kept rule, reason and key. By the hardware's rules an instance has its key, an
 * error its column besides. */
void ckt_outcome_json(const struct ckt_line_outcome *outcome, enum ckt_rules rules, struct ckt_text *text);

/* Appends a JSON string. Bytes that are not UTF-8 become U+FFFD. */
void ckt_json_append(struct ckt_span span, struct ckt_text *text);

#endif
