/* Text in capitals, as Composable Kernel's generator writes a pipeline's version. Internal to gen. */
#ifndef CKT_GEN_CAPITALS_H
#define CKT_GEN_CAPITALS_H

#include "common/text.h"
#include "gen/span.h"

/* Appends UTF-8 text in capitals, character by character: those whose capitals are several characters (of Unicode's
 * SpecialCasing.txt) stay, but for the German sharp s. */
void ckt_append_capitals(struct ckt_span span, struct ckt_text *text);

#endif
