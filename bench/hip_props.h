/* hipDeviceProp_t as the two ABIs lay it out. Only the fields that are read have names.
 *
 * HIP's own header declares one of them, that of its version; a program that serves several versions needs
 * both. Offsets: hip/hip_runtime_api.h of HIP 5.2.3 and of HIP 6.2; tests/bench/test_hip_api.c holds them
 * against the header that is installed. */
#ifndef CKT_BENCH_HIP_PROPS_H
#define CKT_BENCH_HIP_PROPS_H

#include <stddef.h>
#include <stdint.h>

/* HIP 5: hipGetDeviceProperties. */
struct ckt_hip_props_r0000 {
  char name[256];
  size_t total_global_mem;
  size_t shared_mem_per_block;
  char gap_clock[36];
  int clock_rate; /* kHz */
  char gap_cus[24];
  int multi_processor_count;
  char gap_arch[56];
  char gcn_arch_name[256];
  char rest[140];
};

/* HIP 6 and 7: hipGetDevicePropertiesR0600. */
struct ckt_hip_props_r0600 {
  char name[256];
  char gap_memory[32];
  size_t total_global_mem;
  size_t shared_mem_per_block;
  char gap_clock[44];
  int clock_rate; /* kHz */
  char gap_cus[36];
  int multi_processor_count;
  char gap_arch[768];
  char gcn_arch_name[256];
  char rest[56];
};

#endif
