/* What the code calls that a HIP compiler generates for `kernel<<<...>>>()` (LLVM, clang/lib/CodeGen/CGCUDANV.cpp). The
 * linker knows it by names that C reserves; no header of HIP has the prototypes. */
#ifndef SIM_API_PROGRAM_H
#define SIM_API_PROGRAM_H

#include "bench/hipsim/sim_runtime.h"

/* The handle is passed to the others; NULL: `data` is nothing that this library knows. */
SIM_EXPORT void **sim_register_program(const void *data) __asm__("__hipRegisterFatBinary");
SIM_EXPORT void sim_unregister_program(void **handle) __asm__("__hipUnregisterFatBinary");
SIM_EXPORT void sim_register_kernel(void **handle, const void *host, char *unused, const char *name,
                                    unsigned threads, void *thread, void *block, void *block_size,
                                    void *grid_size, int *wave) __asm__("__hipRegisterFunction");
SIM_EXPORT void sim_register_variable(void **handle, void *host, char *unused, const char *name, int external,
                                      size_t bytes, int constant, int global) __asm__("__hipRegisterVar");
SIM_EXPORT hipError_t sim_push_configuration(dim3 grid, dim3 block, size_t lds,
                                             hipStream_t stream) __asm__("__hipPushCallConfiguration");
SIM_EXPORT hipError_t sim_pop_configuration(dim3 *grid, dim3 *block, size_t *lds,
                                            hipStream_t *stream) __asm__("__hipPopCallConfiguration");

#endif
