/* HIPSIM_TRACE: the executed instructions of a workgroup, as text. A line an instruction: wave, offset from the kernel's
 * first instruction, EXEC, disassembly. */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "bench/hipsim/sim_device.h"
#include "bench/hipsim/sim_wave.h"

struct sim_trace_file; /* opaque */

/* Opens the file that the settings name, to append to, and writes a line about the launch. NULL: it cannot be
 * written (told on stderr once a launch), or memory ran out. */
struct sim_trace_file *sim_trace_open(const struct sim_settings *settings,
                                      const struct sim_dispatch *dispatch);
/* NULL is ignored. */
void sim_trace_close(struct sim_trace_file *file);

/* The instruction that the wave is about to run, at dword `at` of its code. */
void sim_trace_write(struct sim_trace_file *file, const struct sim_wave *w, uint32_t at);

#endif
