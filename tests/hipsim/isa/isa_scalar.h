/* Results of scalar instructions against references (isa_coverage.h). */
#ifndef ISA_SCALAR_H
#define ISA_SCALAR_H

/* How many spellings differ from their reference, on all archs and variants. */
unsigned isa_run_scalar(void);

#endif
