/* The devices that can be simulated: what is published about them, and which one the environment asks for. */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include "bench/hipsim/sim_machine.h"
#include "common/error.h"

/* What an architecture (not a device) fixes. */
struct sim_arch_facts {
  const char *name;      /* "gfx90a" */
  const char *target;    /* "gfx90a:sramecc+:xnack-" */
  uint32_t machine;      /* EF_AMDGPU_MACH of its code objects */
  uint32_t major, minor; /* as HIP gives the compute capability */
  uint32_t lds_bytes;    /* of a CU, and of a workgroup */
  uint32_t lds_granule;
  uint32_t wave_slots;  /* of a SIMD */
  uint32_t vector_file; /* vector registers of a lane; unified: AGPRs are among them */
  uint32_t vector_granule;
  bool unified;            /* one file for VGPRs and AGPRs */
  uint32_t l2_bytes_clock; /* bytes a clock that the L2 (all of them) hands to the CUs at its peak */
  uint32_t l2_percent;     /* of that, what kernels are seen to reach */
  uint32_t line_bytes;     /* of the vector L1, and what it asks of the L2 at a time */
  uint32_t l1_bytes;       /* vector L1 of a CU */
  uint32_t l1_bytes_clock; /* and what it delivers */
  uint32_t lds_port_bytes; /* a clock that LDS hands to a pair of SIMDs; it takes 64 */
  /* Clocks from the end of an access's own work to its result. */
  uint32_t lds_latency, scalar_latency, l1_latency, l2_latency, last_latency, memory_latency;
};

const struct sim_arch_facts *sim_arch_facts(enum sim_arch arch);

struct sim_model_facts {
  const char *key;  /* "mi250x", as HIPSIM_DEVICE has it */
  const char *name; /* "AMD Instinct MI250X (one die, simulated)" */
  enum sim_arch arch;
  uint32_t compute_units;
  uint32_t clock_mhz;
  uint64_t memory_bytes;
  uint32_t memory_mhz, memory_bus_bits;
  uint32_t memory_gbps;      /* peak, GB/s */
  uint64_t l2_bytes;         /* as HIP gives it: of one die or XCD */
  uint64_t last_level_bytes; /* the cache in front of memory: the L2 where there is no other */
  uint32_t last_level_gbps;  /* 0: it is the L2 */
  uint32_t dies;             /* each with an L2 of its own */
  uint32_t memory_percent;   /* of memory_gbps that streams reach */
  uint32_t pci_device;
};

/* What the environment asks for; one set for all devices of the process. */
struct sim_settings {
  const struct sim_model_facts *model; /* HIPSIM_DEVICE: a key or an architecture */
  unsigned devices;                    /* HIPSIM_DEVICES */
  uint64_t memory_bytes;               /* HIPSIM_MEMORY, and no more than the host has to give */
  unsigned threads;                    /* HIPSIM_THREADS; default: the CPUs this process may use */
  bool check;                          /* HIPSIM_CHECK */
  uint32_t schedule;                   /* HIPSIM_SCHEDULE */
  uint64_t budget;                     /* HIPSIM_BUDGET */
  const char *profile;                 /* HIPSIM_PROFILE: a file to append to; NULL: none */
  const char *trace;                   /* HIPSIM_TRACE: the same */
  uint32_t trace_group[3];             /* HIPSIM_TRACE_GROUP */
  uint64_t trace_bytes;                /* HIPSIM_TRACE_BYTES: most that one launch writes */
};

/* CKT_E_USAGE names the variable and what it may be. */
int sim_settings_read(struct sim_settings *settings, struct ckt_error *error);

/* The model of a key or of an architecture's name; NULL: none. */
const struct sim_model_facts *sim_model_find(const char *name);
/* Models in the table's order; NULL past the end. */
const struct sim_model_facts *sim_model_at(size_t index);

/* Bytes the host can still give to this process (free memory, and the control group's limit). */
uint64_t sim_host_memory_available(void);

/* SIMDs of a CU, and the longest a workgroup can be, on every gfx9 device. */
enum { SIM_SIMDS = 4, SIM_BLOCK_MAX = 1024 };

#endif
