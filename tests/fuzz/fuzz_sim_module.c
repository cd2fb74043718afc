/* A module for the simulated device, on each arch: loading ends in a module whose kernels begin in its code, or in one sentence;
 * either way all device memory is given back. */
#include <stdio.h>
#include <string.h>

#include "bench/hipsim/sim_module.h"
#include "fuzz_target.h"

enum { MEMORY_BYTES = 64 << 20, NAMES_BYTES = 64 };

static void use(struct sim_module *module) {
  char names[NAMES_BYTES];
  sim_module_names(module, names, sizeof names);
  FUZZ_REQUIRE(memchr(names, '\0', sizeof names) != NULL);
  char name[NAMES_BYTES];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(names, ","), names);
  const struct sim_function *function = sim_module_function(module, name);
  if (function == NULL) /* cut off in `names`, or there is none */
    return;
  const struct sim_kernel *kernel = &function->kernel;
  FUZZ_REQUIRE(sim_module_owns(module, function) && kernel->code != NULL);
  FUZZ_REQUIRE(kernel->entry % 4 == 0 && kernel->entry - kernel->code->base < kernel->code->size);
  FUZZ_REQUIRE(kernel->vgprs <= 256 && kernel->agprs <= 256 && kernel->sgprs <= 102);
  FUZZ_REQUIRE(function->explicit_bytes <= kernel->kernarg_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct sim_memory *memory;
  if (memory == NULL)
    memory = sim_memory_create(MEMORY_BYTES);
  FUZZ_REQUIRE(memory != NULL);
  for (int arch = 0; size > 0 && arch < SIM_ARCHS; arch++) {
    struct sim_module *module;
    struct ckt_error error = {0};
    const int status = sim_module_load(memory, (enum sim_arch)arch, data, size, &module, &error);
    if (status == CKT_OK)
      use(module);
    else
      FUZZ_REQUIRE(module == NULL && error.code == status && error.text[0] != '\0');
    sim_module_free(&module);
    FUZZ_REQUIRE(sim_memory_used(memory) == 0);
  }
  return 0;
}
