/* What no gfx9 device can run, whatever the kernel: one table of rules, used for the points of spaces, for the
 * HIP target and by gen/applicable. */
#ifndef CKT_GEN_RULES_HARDWARE_H
#define CKT_GEN_RULES_HARDWARE_H

#include "gen/rule.h"

struct ckt_hardware_rule {
  const char *word; /* its name in listings: "lds" */
  ckt_rule *holds;  /* may rely on the rules before it */
  const char *sentence;
};

/* In the order they are asked. */
extern const struct ckt_hardware_rule ckt_hardware_rules[];
extern const size_t ckt_hardware_rule_count;
#define CKT_HARDWARE_RULES_MAX 16 /* there are no more */

/* The first rule that the instance breaks on `arch`, with what it found in `reason` (which may be NULL); NULL when
 * all hold. With arch NULL the device is not known yet: what some gfx9 device can run is let through. */
const struct ckt_hardware_rule *ckt_hardware_broken(const struct ckt_instance *instance,
                                                    const struct ckt_arch *arch, char reason[CKT_REASON_MAX]);

#endif
