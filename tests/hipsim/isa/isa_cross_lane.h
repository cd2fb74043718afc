/* Instructions in which lanes see one another, and divisions, against the guides (isa_coverage.h); these fail by cmocka's
 * assertions. */
#ifndef ISA_CROSS_LANE_H
#define ISA_CROSS_LANE_H

void isa_run_dpp(void);
void isa_run_lanes(void);
void isa_run_divisions(void);

#endif
