/* What every rule about an instance is made of: what it looks at, and how it says no. */
#ifndef CKT_GEN_RULE_H
#define CKT_GEN_RULE_H

#include "gen/arch.h"
#include "gen/instance.h"
#include "gen/problem.h"

#define CKT_REASON_MAX 256

/* What the rules look at. */
struct ckt_rule_case {
  const struct ckt_instance *instance;
  const struct ckt_problem *problem; /* NULL while only the instance is judged */
  const struct ckt_arch *arch;
  char *reason; /* of CKT_REASON_MAX bytes; NULL: nobody wants to know */
};

/* True, or false with its sentence in reason. */
typedef bool ckt_rule(const struct ckt_rule_case *judged);

/* Writes the reason, where one is wanted, and returns false: `return holds || ckt_refuse(...)`. */
bool ckt_refuse(const struct ckt_rule_case *judged, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
