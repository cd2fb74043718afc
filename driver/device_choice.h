/* Which device is meant: --device, --arch and what the machine has. */
#ifndef CKT_DRIVER_DEVICE_CHOICE_H
#define CKT_DRIVER_DEVICE_CHOICE_H

#include <stdbool.h>

#include "common/error.h"

#define CKT_DEFAULT_SIM  "gfx90a"
#define CKT_KFD_TOPOLOGY "/sys/class/kfd/kfd/topology/nodes"

struct ckt_device_choice {
  bool simulated;
  char sim_device[64]; /* what the simulated device is to be */
  int index;           /* of the GPU, as HIP counts */
  bool fallback;       /* simulated because nothing was said and no GPU is there */
};

struct ckt_device_wish {
  const char *device;   /* --device, or NULL */
  const char *arch;     /* --arch, or NULL */
  bool upload;          /* results are to be uploaded: never simulate unasked */
  const char *topology; /* CKT_KFD_TOPOLOGY; another folder in tests */
};

/* CKT_E_USAGE: the word cannot be read, or contradicts --arch. CKT_E_DEVICE: no GPU, and simulating one would
 * be wrong. */
int ckt_device_choose(const struct ckt_device_wish *wish, struct ckt_device_choice *choice,
                      struct ckt_error *error);

/* True when the kernel driver shows a GPU: a node with SIMDs. */
bool ckt_gpu_present(const char *topology);

#endif
