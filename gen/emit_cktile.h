/* The CK Tile sources of an instance: the texts, byte by byte, that Composable Kernel's generate_instances.py puts
 * into include/grouped_convolution_tile.cpp.in and into the two lists that include its instances. */
#ifndef CKT_GEN_EMIT_CKTILE_H
#define CKT_GEN_EMIT_CKTILE_H

#include "gen/outcome.h"

/* What the sources of one list have in common. */
struct ckt_cktile_names {
  char config[16];    /* nhwgc_fp16 */
  char problem[64];   /* grouped_convolution_forward_tile_nhwgc_fp16; an instance's name adds "_17" */
  char signature[48]; /* SIGNATURE_NHWGC_FP16_FWD */
};
struct ckt_cktile_names ckt_cktile_names_of(const struct ckt_problem_defaults *kind);

/* A template, cut where a text of the instance goes. */
struct ckt_cktile_template {
  struct ckt_text text;
  struct ckt_cktile_piece *pieces; /* owned, in order */
  size_t count;
};

/* Reads a template as Python reads text: line ends \r\n and \r become \n; what is not UTF-8 is CKT_E_INPUT with
 * file:line:column. The caller frees, also after a failure. */
int ckt_cktile_template_read(const char *path, struct ckt_cktile_template *template, struct ckt_error *error);
void ckt_cktile_template_free(struct ckt_cktile_template *template);

/* Each appends; `outcome` is of an instance. */
void ckt_emit_cktile_source(const struct ckt_cktile_template *template, const struct ckt_cktile_names *names,
                            const struct ckt_line_outcome *outcome, struct ckt_text *text);
/* A line of <problem>_calls.inc. */
void ckt_emit_cktile_call(const struct ckt_cktile_names *names, const struct ckt_line_outcome *outcome,
                          struct ckt_text *text);
/* A declaration of <problem>.inc. */
void ckt_emit_cktile_declaration(const struct ckt_cktile_names *names, const struct ckt_line_outcome *outcome,
                                 struct ckt_text *text);

#endif
