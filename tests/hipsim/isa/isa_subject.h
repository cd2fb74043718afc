/* What a file of cases gives to its test and to the coverage test. */
#ifndef ISA_SUBJECT_H
#define ISA_SUBJECT_H

#include "isa_lanes.h"

#define ISA_SUBJECT_OF_CASES(subject, cases)                                                                 \
  const char *isa_proven_##subject(size_t index) {                                                           \
    return index < sizeof(cases) / sizeof *(cases) ? (cases)[index].name : NULL;                             \
  }                                                                                                          \
  unsigned isa_run_##subject(void) {                                                                         \
    return isa_run_cases(cases, sizeof(cases) / sizeof *(cases));                                            \
  }

/* How many forms of how many instructions differ from their reference, on all archs. */
#define ISA_CASE_SUBJECTS(X) X(arithmetic) X(compare) X(convert) X(integer) X(modifiers)

#define ISA_DECLARE_RUN(subject) unsigned isa_run_##subject(void);
ISA_CASE_SUBJECTS(ISA_DECLARE_RUN)
#undef ISA_DECLARE_RUN

#endif
