/* A loaded code object: its image in device memory, its kernels and variables. */
#ifndef SIM_MODULE_H
#define SIM_MODULE_H

#include "bench/hipsim/sim_machine.h"
#include "bench/hipsim/sim_memory.h"
#include "bench/hipsim/sim_metadata.h"

struct sim_module;

struct sim_function {
  struct sim_kernel kernel;
  const struct sim_module *module;
  const struct sim_kernel_metadata *metadata;
  uint32_t explicit_bytes; /* of the kernel arguments: what the caller gives */
  uint32_t waves_simd;     /* waves a SIMD holds, by registers alone */
};

/* size 0: as long as the image's headers say. `memory` must outlive the module.
 * CKT_E_UNSUPPORTED: for another device; CKT_E_INPUT: not a code object; CKT_E_NOMEM; CKT_E_TOOLCHAIN. */
int sim_module_load(struct sim_memory *memory, enum sim_arch arch, const void *image, size_t size,
                    struct sim_module **module, struct ckt_error *error);
void sim_module_free(struct sim_module **module);

/* NULL: there is none of that name. */
struct sim_function *sim_module_function(struct sim_module *module, const char *name);
/* Whether `function` is one of the module's. */
bool sim_module_owns(const struct sim_module *module, const struct sim_function *function);
/* Address and size of a variable; -1: there is none of that name. */
int sim_module_variable(const struct sim_module *module, const char *name, uint64_t *address,
                        uint64_t *bytes);
/* The source line of the instruction at an address, as sim_lines_find tells it; "": not known. Not thread-safe. */
void sim_module_line(const struct sim_module *module, uint64_t address, char *text, size_t size);
/* "a, b, c": the kernels' names, for a message. */
void sim_module_names(const struct sim_module *module, char *text, size_t size);

#endif
