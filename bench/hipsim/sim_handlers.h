/* Declares the instruction handlers of one variant. A file that holds instruction semantics is compiled once
 * for each vector extension of the host, with SIM_VARIANT set; every name it exports goes through SIM_NAME.
 */
#ifndef SIM_HANDLERS_H
#define SIM_HANDLERS_H

#include "bench/hipsim/sim_table.h"
#include "bench/hipsim/sim_wave.h"

#define SIM_PASTE_(a, b) a##_##b
#define SIM_PASTE(a, b)  SIM_PASTE_(a, b)
#define SIM_NAME(name)   SIM_PASTE(name, SIM_VARIANT)

#define SIM_DECLARE_run(name) sim_handler SIM_NAME(sim_do_##name);
#define SIM_DECLARE_none(name)
#define SIM_ROW(name, format, opcodes, forms, dst, src0, src1, src2, class, rate, handler)                   \
  SIM_DECLARE_##handler(name)
SIM_TABLE(SIM_ROW)
#undef SIM_ROW

/* One entry a row; NULL where the row says none. */
extern sim_handler *const SIM_NAME(sim_handlers)[SIM_OP_COUNT];

/* Opens the definition of a handler: SIM_DO(s_nop) { ... } */
#define SIM_DO(name) void SIM_NAME(sim_do_##name)(struct sim_wave * w, const struct sim_inst *inst)

#endif
