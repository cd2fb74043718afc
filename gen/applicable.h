/* Can this instance be built for this architecture, and does it fit this problem? */
#ifndef CKT_GEN_APPLICABLE_H
#define CKT_GEN_APPLICABLE_H

#include "gen/rule.h"

/* True, or false with one sentence a person can act on in reason: "vector A of 8 does not divide C=5". */
bool ckt_applicable(const struct ckt_instance *instance, const struct ckt_problem *problem,
                    const struct ckt_arch *arch, char reason[CKT_REASON_MAX]);

/* The half that does not depend on the problem: tile, waves, LDS and registers, what kernels/ can do. */
bool ckt_buildable(const struct ckt_instance *instance, const struct ckt_arch *arch,
                   char reason[CKT_REASON_MAX]);

#endif
