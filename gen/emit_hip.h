/* The HIP source of an instance, for hipRTC. */
#ifndef CKT_GEN_EMIT_HIP_H
#define CKT_GEN_EMIT_HIP_H

#include "common/text.h"
#include "gen/instance.h"

/* Name of the kernel in every source. */
#define CKT_KERNEL_ENTRY "ckt_conv"

/* Appends the source. The same instance gives the same bytes, whatever list it came from. */
int ckt_emit_hip(const struct ckt_instance *instance, struct ckt_text *source, struct ckt_error *error);

#endif
