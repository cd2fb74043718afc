/* The parts of `cktune gen`, one file each; cmd_gen.c chooses. All return CKT_OK or an error of which nothing was
 * said yet. */
#ifndef CKT_DRIVER_GEN_PARTS_H
#define CKT_DRIVER_GEN_PARTS_H

#include <stddef.h>

#include "driver/options.h"

/* --target hip: HIP sources and a manifest in the folder --output. */
int ckt_gen_hip(const struct ckt_options *options, int *status, struct ckt_error *error);
/* --target cktile: what generate_instances.py writes, and the messages of it on stdout. */
int ckt_gen_cktile(const struct ckt_options *options, int *status, struct ckt_error *error);

/* --list: prints what becomes of each line, bad ones on stderr; with those, *status is 2 unless --keep-going. */
int ckt_gen_list(const struct ckt_options *options, int *status, struct ckt_error *error);

/* With --keep-going: how many bad lines there were, if any. */
void ckt_gen_say_left_out(size_t lines);

#endif
