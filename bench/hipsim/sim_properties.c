#include "bench/hipsim/sim_properties.h"

#include <hip/hip_runtime_api.h>
#include <hip/hip_version.h>
#include <stdio.h>
#include <string.h>

/* The header at hand describes one of the two layouts. */
#if HIP_VERSION_MAJOR >= 6
#define REAL hipDeviceProp_tR0600
#define OURS struct sim_properties_r0600
#else
#define REAL hipDeviceProp_t
#define OURS struct sim_properties_r0000
#endif
#define ROW(member, value)                                                                                   \
  _Static_assert(offsetof(OURS, member) == offsetof(REAL, member), "hipDeviceProp_t: place of " #member);
SIM_PROPERTIES(ROW)
ROW(gcnArchName, 0)
ROW(asicRevision, 0)
#undef ROW
_Static_assert(sizeof(OURS) == sizeof(REAL), "hipDeviceProp_t: size");
/* What public headers give for the layout that is not at hand. */
_Static_assert(sizeof(struct sim_properties_r0000) == 792 &&
                   offsetof(struct sim_properties_r0000, gcnArchName) == 396,
               "HIP 5 layout");
_Static_assert(sizeof(struct sim_properties_r0600) == 1472 &&
                   offsetof(struct sim_properties_r0600, gcnArchName) == 1160,
               "HIP 6 layout");

static void set_dims(int dims[3], int grid[3]) {
  for (int axis = 0; axis < 3; ++axis)
    dims[axis] = SIM_BLOCK_MAX;
  grid[0] = 2147483647;
  grid[1] = grid[2] = 65536;
}

/* The index takes the place of the bus number, so that devices can be told apart. */
#define FILL(member, value) properties->member = (value);

void sim_properties_fill_r0000(const struct sim_model_facts *m, uint64_t memory, unsigned index,
                               struct sim_properties_r0000 *properties) {
  const struct sim_arch_facts *a = sim_arch_facts(m->arch);
  memset(properties, 0, sizeof *properties);
  SIM_PROPERTIES(FILL)
  properties->pciBusID = (int)index;
  snprintf(properties->name, sizeof properties->name, "%s", m->name);
  snprintf(properties->gcnArchName, sizeof properties->gcnArchName, "%s", a->target);
  properties->gcnArch = 910;
  set_dims(properties->maxThreadsDim, properties->maxGridSize);
}

void sim_properties_fill_r0600(const struct sim_model_facts *m, uint64_t memory, unsigned index,
                               struct sim_properties_r0600 *properties) {
  const struct sim_arch_facts *a = sim_arch_facts(m->arch);
  memset(properties, 0, sizeof *properties);
  SIM_PROPERTIES(FILL)
  properties->pciBusID = (int)index;
  snprintf(properties->name, sizeof properties->name, "%s", m->name);
  snprintf(properties->gcnArchName, sizeof properties->gcnArchName, "%s", a->target);
  snprintf(properties->uuid, sizeof properties->uuid, "hipsim-%u", index);
  properties->sharedMemPerMultiprocessor = a->lds_bytes;
  properties->regsPerMultiprocessor = 65536;
  properties->sharedMemPerBlockOptin = a->lds_bytes;
  set_dims(properties->maxThreadsDim, properties->maxGridSize);
}
