/* Program control against the guides (isa_coverage.h); these fail by cmocka's assertions. */
#ifndef ISA_PROGRAM_H
#define ISA_PROGRAM_H

void isa_run_steps(void);
void isa_run_indexed(void);

#endif
