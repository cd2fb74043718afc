/* hipDeviceProp_t as HIP 5 has it and as HIP 6 and 7 have it. The library serves programs built with either, so both
 * are written down here and held against the real header, whichever version it has, by assertions in sim_properties.c.
 * Facts: public hip_runtime_api.h of ROCm 5.2, 6.x and 7.x. */
#ifndef SIM_PROPERTIES_H
#define SIM_PROPERTIES_H

#include <stddef.h>
#include <stdint.h>

#include "bench/hipsim/sim_device.h"

/* HIP 5: hipGetDeviceProperties. */
struct sim_properties_r0000 {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int clockRate, memoryClockRate, memoryBusWidth;
  size_t totalConstMem;
  int major, minor, multiProcessorCount, l2CacheSize, maxThreadsPerMultiProcessor, computeMode,
      clockInstructionRate;
  uint32_t arch; /* hipDeviceArch_t: 17 bits, see SIM_ARCH_FEATURES */
  int concurrentKernels, pciDomainID, pciBusID, pciDeviceID;
  size_t maxSharedMemoryPerMultiProcessor;
  int isMultiGpuBoard, canMapHostMemory, gcnArch;
  char gcnArchName[256];
  int integrated, cooperativeLaunch, cooperativeMultiDeviceLaunch;
  int maxTexture1DLinear, maxTexture1D, maxTexture2D[2], maxTexture3D[3];
  unsigned *hdpMemFlushCntl, *hdpRegFlushCntl;
  size_t memPitch, textureAlignment, texturePitchAlignment;
  int kernelExecTimeoutEnabled, ECCEnabled, tccDriver;
  int cooperativeMultiDeviceUnmatched[4]; /* functions, grids, blocks, shared memories */
  int isLargeBar, asicRevision, managedMemory, directManagedMemAccessFromHost, concurrentManagedAccess;
  int pageableMemoryAccess, pageableMemoryAccessUsesHostPageTables;
};

/* HIP 6 and 7: hipGetDevicePropertiesR0600. */
struct sim_properties_r0600 {
  char name[256], uuid[16], luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2];
  int maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
  int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
  int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3];
  int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
  int unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess;
  int computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseHipArraySupported, hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingHipArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
  int reserved[63], hipReserved[32];
  char gcnArchName[256];
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;
  uint32_t arch;
  unsigned *hdpMemFlushCntl, *hdpRegFlushCntl;
  int cooperativeMultiDeviceUnmatched[4];
  int isLargeBar, asicRevision;
};

/* Rows that both layouts have under one name: member, value. `m` is the model, `a` its architecture's facts, `memory`
 * the bytes of device memory. The same rows answer hipDeviceGetAttribute where it has such an attribute. */
#define SIM_PROPERTIES(ROW)                                                                                  \
  ROW(totalGlobalMem, memory)                                                                                \
  ROW(sharedMemPerBlock, a->lds_bytes)                                                                       \
  ROW(regsPerBlock, 65536)                                                                                   \
  ROW(warpSize, SIM_LANES)                                                                                   \
  ROW(maxThreadsPerBlock, SIM_BLOCK_MAX)                                                                     \
  ROW(clockRate, (int)m->clock_mhz * 1000)                                                                   \
  ROW(memoryClockRate, (int)m->memory_mhz * 1000)                                                            \
  ROW(memoryBusWidth, (int)m->memory_bus_bits)                                                               \
  ROW(totalConstMem, 2147483647)                                                                             \
  ROW(major, (int)a->major)                                                                                  \
  ROW(minor, (int)a->minor)                                                                                  \
  ROW(multiProcessorCount, (int)m->compute_units)                                                            \
  ROW(l2CacheSize, (int)m->l2_bytes)                                                                         \
  ROW(maxThreadsPerMultiProcessor, (int)(a->wave_slots * SIM_SIMDS * SIM_LANES))                             \
  ROW(clockInstructionRate, 100000)                                                                          \
  ROW(arch, SIM_ARCH_FEATURES)                                                                               \
  ROW(concurrentKernels, 1)                                                                                  \
  ROW(pciDomainID, 0)                                                                                        \
  ROW(pciBusID, 0)                                                                                           \
  ROW(pciDeviceID, 0)                                                                                        \
  ROW(maxSharedMemoryPerMultiProcessor, a->lds_bytes)                                                        \
  ROW(canMapHostMemory, 1)                                                                                   \
  ROW(memPitch, 2147483647)                                                                                  \
  ROW(textureAlignment, 256)                                                                                 \
  ROW(texturePitchAlignment, 256)                                                                            \
  ROW(ECCEnabled, 1)                                                                                         \
  ROW(isLargeBar, 1)

/* All features of hipDeviceArch_t but surface functions and dynamic parallelism, bits 15 and 17. */
enum { SIM_ARCH_FEATURES = 0x17fff & ~0x8000 };

void sim_properties_fill_r0000(const struct sim_model_facts *m, uint64_t memory, unsigned index,
                               struct sim_properties_r0000 *properties);
void sim_properties_fill_r0600(const struct sim_model_facts *m, uint64_t memory, unsigned index,
                               struct sim_properties_r0600 *properties);

#endif
