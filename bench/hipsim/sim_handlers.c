/* The handler table of one variant, grown from the instruction table. */
#include "bench/hipsim/sim_handlers.h"

#define SIM_HANDLER_run(name)  SIM_NAME(sim_do_##name)
#define SIM_HANDLER_none(name) NULL
#define SIM_ROW(name, format, opcodes, forms, dst, src0, src1, src2, class, rate, handler)                   \
  [SIM_OP_##name] = SIM_HANDLER_##handler(name),

sim_handler *const SIM_NAME(sim_handlers)[SIM_OP_COUNT] = {SIM_TABLE(SIM_ROW)};
