#include "bench/hipsim/sim_device.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"

/* Clocks from the end of an access's own work (sim_cu.c) to its result, fitted so that pointer chasing on the model takes
 * what it takes on devices (tests/hipsim/test_model_time.c):
 *
 * - gfx90a: 125 clocks in the L1, 240 in the L2, 570 in memory, an MI210 at 1.7 GHz (github.com/te42kyfo/gpu-benches,
 *   gpu-latency/mi210.txt). gfx908 has the same hierarchy and no such measurement.
 * - gfx942: 112 to 127 in the L1, 208 to 224 in the L2, an MI300X (github.com/MrRoy09/AMD-CDNA3-CacheBenchmarking,
 *   l2_coherence_tests/cache_latency_test). The same finds 1212 for a first touch, which includes a miss of the TLB: last
 *   level and memory lie between and are estimates. gfx950 is taken to be as gfx942.
 *
 * LDS and scalar memory are estimates. */
#define LATENCIES(l1, l2, last, memory)                                                                      \
  .lds_latency = 64, .scalar_latency = 160, .l1_latency = (l1), .l2_latency = (l2), .last_latency = (last),  \
  .memory_latency = (memory)

/* Registers, granules and wave slots: LLVM's AMDGPUBaseInfo (getTotalNumVGPRs, getVGPRAllocGranule,
 * getMaxWavesPerEU, getLdsDwGranularity). LDS: the CDNA white papers. Machine numbers: LLVM AMDGPUUsage,
 * "ELF Header".
 *
 * L1: 16 KiB with lines of 64 bytes (CDNA and CDNA2 white papers), 32 KiB with lines of 128 since CDNA3 (CDNA3 white
 * paper, "Cache and memory hierarchy"); ROCm Compute Profiler counts a vL1D access as 64 bytes on gfx908 and gfx90a and
 * 128 on gfx942 (analysis_configs/gfx942/1600_L1_cache.yaml).
 *
 * L2: 32 channels of 64 bytes on gfx908, 128 on gfx90a (CDNA and CDNA2 white papers), 16 channels of 128 bytes in each of
 * 8 XCDs (CDNA3 white paper; CDNA4 keeps it). Kernels that read nothing else get 2.7 TB/s on an MI100, 88 % of the peak, and
 * 5.1 TB/s on an MI210, 73 % (te42kyfo/gpu-benches, gpu-l2-cache); gfx942 and gfx950 are taken to be as gfx90a.
 *
 * LDS ports: two SIMDs share one, 64 bytes a clock in each direction (ROCm Compute Profiler, "Pipeline descriptions",
 * LDS); gfx950 reads twice as much (CDNA4 white paper). */
static const struct sim_arch_facts arch_table[SIM_ARCHS] = {
    [SIM_GFX908] = {.name = "gfx908",
                    .target = "gfx908:sramecc+:xnack-",
                    .machine = 0x30,
                    .major = 9,
                    .minor = 0,
                    .lds_bytes = 64 << 10,
                    .lds_granule = 512,
                    .wave_slots = 10,
                    .vector_file = 256,
                    .vector_granule = 4,
                    .unified = false,
                    .l2_bytes_clock = 32 * 64,
                    .l2_percent = 88,
                    .line_bytes = 64,
                    .l1_bytes = 16 << 10,
                    .l1_bytes_clock = 64,
                    .lds_port_bytes = 64,
                    LATENCIES(112, 233, 0, 563)},
    [SIM_GFX90A] = {.name = "gfx90a",
                    .target = "gfx90a:sramecc+:xnack-",
                    .machine = 0x3f,
                    .major = 9,
                    .minor = 0,
                    .lds_bytes = 64 << 10,
                    .lds_granule = 512,
                    .wave_slots = 8,
                    .vector_file = 512,
                    .vector_granule = 8,
                    .unified = true,
                    .l2_bytes_clock = 32 * 128,
                    .l2_percent = 73,
                    .line_bytes = 64,
                    .l1_bytes = 16 << 10,
                    .l1_bytes_clock = 64,
                    .lds_port_bytes = 64,
                    LATENCIES(112, 233, 0, 563)},
    [SIM_GFX942] = {.name = "gfx942",
                    .target = "gfx942:sramecc+:xnack-",
                    .machine = 0x4c,
                    .major = 9,
                    .minor = 4,
                    .lds_bytes = 64 << 10,
                    .lds_granule = 512,
                    .wave_slots = 8,
                    .vector_file = 512,
                    .vector_granule = 8,
                    .unified = true,
                    .l2_bytes_clock = 8 * 16 * 128,
                    .l2_percent = 73,
                    .line_bytes = 128,
                    .l1_bytes = 32 << 10,
                    .l1_bytes_clock = 64,
                    .lds_port_bytes = 64,
                    LATENCIES(104, 204, 550, 850)},
    [SIM_GFX950] = {.name = "gfx950",
                    .target = "gfx950:sramecc+:xnack-",
                    .machine = 0x4f,
                    .major = 9,
                    .minor = 5,
                    .lds_bytes = 160 << 10,
                    .lds_granule = 1280,
                    .wave_slots = 8,
                    .vector_file = 512,
                    .vector_granule = 8,
                    .unified = true,
                    .l2_bytes_clock = 8 * 16 * 128,
                    .l2_percent = 73,
                    .line_bytes = 128,
                    .l1_bytes = 32 << 10,
                    .l1_bytes_clock = 128,
                    .lds_port_bytes = 128,
                    LATENCIES(104, 204, 550, 850)},
};

const struct sim_arch_facts *sim_arch_facts(enum sim_arch arch) {
  return &arch_table[arch];
}

/* CUs, clocks, memory and caches: AMD's data sheets (amd.com/en/products/accelerators/instinct: mi100, mi210, mi250,
 * mi250x, mi300a, mi300x, mi325x, mi350x, mi355x) and "AMD GPU specifications" in the ROCm documentation
 * (reference/gpu-specs). MI250 and MI250X have two dies, each a device of its own in HIP. The last level of CDNA3 moves
 * 17.2 TB/s at its peak (CDNA3 white paper); CDNA4 keeps it. The share of the memory's peak that streams reach is not
 * on a data sheet: kernels that scale a buffer into another reach 1040 GB/s on an MI100 and 1399 on an MI210, both 85 %
 * (te42kyfo/gpu-benches, gpu-stream). The first model of an architecture is the one its name stands for. */
#define GIB ((uint64_t)1 << 30)
#define MIB ((uint64_t)1 << 20)
enum { STREAM_PERCENT = 85, CDNA3_LAST_GBPS = 17200 };
/*  key, name, arch, CUs, MHz, memory GiB, its MHz, bus, GB/s, L2 MiB, last level MiB, its GB/s, dies, pci */
#define MODELS(ROW)                                                                                          \
  ROW("mi250x", "MI250X (one die, simulated)", GFX90A, 110, 1700, 64, 1600, 4096, 1638, 8, 8, 0, 1, 0x7408)  \
  ROW("mi250", "MI250 (one die, simulated)", GFX90A, 104, 1700, 64, 1600, 4096, 1638, 8, 8, 0, 1, 0x740c)    \
  ROW("mi210", "MI210 (simulated)", GFX90A, 104, 1700, 64, 1600, 4096, 1638, 8, 8, 0, 1, 0x740f)             \
  ROW("mi100", "MI100 (simulated)", GFX908, 120, 1502, 32, 1200, 4096, 1229, 8, 8, 0, 1, 0x738c)             \
  ROW("mi300x", "MI300X (simulated)", GFX942, 304, 2100, 192, 1300, 8192, 5325, 4, 256, CDNA3_LAST_GBPS, 8,  \
      0x74a1)                                                                                                \
  ROW("mi300a", "MI300A (simulated)", GFX942, 228, 2100, 128, 1300, 8192, 5325, 4, 256, CDNA3_LAST_GBPS, 6,  \
      0x74a0)                                                                                                \
  ROW("mi325x", "MI325X (simulated)", GFX942, 304, 2100, 256, 1465, 8192, 6000, 4, 256, CDNA3_LAST_GBPS, 8,  \
      0x74a5)                                                                                                \
  ROW("mi355x", "MI355X (simulated)", GFX950, 256, 2400, 288, 2000, 8192, 8000, 4, 256, CDNA3_LAST_GBPS, 8,  \
      0x75a3)                                                                                                \
  ROW("mi350x", "MI350X (simulated)", GFX950, 256, 2200, 288, 2000, 8192, 8000, 4, 256, CDNA3_LAST_GBPS, 8,  \
      0x75a0)

static const struct sim_model_facts models[] = {
#define ROW(k, n, a, cus, mhz, gib, memory, bus, gbps, l2, last, last_gbps, die_count, pci)                  \
  {.key = (k),                                                                                               \
   .name = "AMD Instinct " n,                                                                                \
   .arch = SIM_##a,                                                                                          \
   .compute_units = (cus),                                                                                   \
   .clock_mhz = (mhz),                                                                                       \
   .memory_bytes = (gib)*GIB,                                                                                \
   .memory_mhz = (memory),                                                                                   \
   .memory_bus_bits = (bus),                                                                                 \
   .memory_gbps = (gbps),                                                                                    \
   .l2_bytes = (l2)*MIB,                                                                                     \
   .last_level_bytes = (last)*MIB,                                                                           \
   .last_level_gbps = (last_gbps),                                                                           \
   .dies = (die_count),                                                                                      \
   .memory_percent = STREAM_PERCENT,                                                                         \
   .pci_device = (pci)},
    MODELS(ROW)
#undef ROW
};
enum { MODEL_COUNT = sizeof models / sizeof models[0] };

const struct sim_model_facts *sim_model_at(size_t index) {
  return index < MODEL_COUNT ? &models[index] : NULL;
}

/* "gfx90a:sramecc+:xnack-" asks for gfx90a when these are the features it has. */
static bool names_arch(const char *name, const struct sim_arch_facts *arch) {
  return strcasecmp(name, arch->name) == 0 || strcasecmp(name, arch->target) == 0;
}

const struct sim_model_facts *sim_model_find(const char *name) {
  for (size_t i = 0; i < MODEL_COUNT; ++i)
    if (strcasecmp(name, models[i].key) == 0 || names_arch(name, &arch_table[models[i].arch]))
      return &models[i];
  return NULL;
}

/* ---- the host ---- */

/* The number after `key` in a small text file; UINT64_MAX when there is none ("max" in a control group). */
static uint64_t number_in(const char *path, const char *key, uint64_t unit) {
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return UINT64_MAX;
  char line[256];
  uint64_t value = UINT64_MAX;
  const size_t length = strlen(key);
  while (value == UINT64_MAX && fgets(line, sizeof line, file) != NULL) {
    unsigned long long number;
    if (strncmp(line, key, length) == 0 && sscanf(line + length, "%llu", &number) == 1)
      value = number < UINT64_MAX / unit ? number * unit : UINT64_MAX;
  }
  fclose(file);
  return value;
}

uint64_t sim_host_memory_available(void) {
  const uint64_t system = number_in("/proc/meminfo", "MemAvailable:", 1024);
  const uint64_t limit = number_in("/sys/fs/cgroup/memory.max", "", 1);
  const uint64_t current = number_in("/sys/fs/cgroup/memory.current", "", 1);
  uint64_t group = UINT64_MAX;
  if (limit != UINT64_MAX && current != UINT64_MAX)
    group = limit > current ? limit - current : 0;
  return system < group ? system : group;
}

static unsigned usable_cpus(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return 1;
  const int count = CPU_COUNT(&set);
  return count > 0 ? (unsigned)count : 1;
}

/* ---- the environment ---- */

/* A whole number in [least, most]; `value` stays as it is when the variable is not set. */
static int read_number(const char *name, uint64_t least, uint64_t most, uint64_t *value,
                       struct ckt_error *error) {
  const char *text = getenv(name);
  if (text == NULL || *text == '\0')
    return CKT_OK;
  int64_t number;
  const enum ckt_number_result result = ckt_parse_i64(text, strlen(text), &number);
  if (result != CKT_NUMBER_OK)
    return ckt_fail(error, CKT_E_USAGE, "%s: '%s' %s; give a whole number", name, text,
                    ckt_number_problem(result));
  if (number < 0 || (uint64_t)number < least || (uint64_t)number > most)
    return ckt_fail(error, CKT_E_USAGE, "%s: %s is out of range; give a number from %llu to %llu", name, text,
                    (unsigned long long)least, (unsigned long long)most);
  *value = (uint64_t)number;
  return CKT_OK;
}

static int read_model(struct sim_settings *settings, struct ckt_error *error) {
  const char *name = getenv("HIPSIM_DEVICE");
  settings->model = name != NULL && *name != '\0' ? sim_model_find(name) : &models[0];
  if (settings->model != NULL)
    return CKT_OK;
  char known[256] = "";
  for (size_t i = 0, length = 0; i < MODEL_COUNT && length < sizeof known; ++i)
    length += (size_t)snprintf(known + length, sizeof known - length, "%s%s (%s)", i == 0 ? "" : ", ",
                               models[i].key, arch_table[models[i].arch].name);
  return ckt_fail(error, CKT_E_USAGE, "HIPSIM_DEVICE: '%s' is not a simulated device; give one of %s", name,
                  known);
}

/* Instructions of one workgroup. The largest convolution kernels need a few million; at the slowest an endless loop
 * ends within a minute. */
#define BUDGET_DEFAULT      ((uint64_t)1 << 30)
#define TRACE_BYTES_DEFAULT ((uint64_t)64 << 20)
enum { DEVICES_MAX = 64, THREADS_MAX = 1024 };

static const char *read_path(const char *name) {
  const char *path = getenv(name);
  return path != NULL && *path != '\0' ? path : NULL;
}

static int read_group(struct sim_settings *settings, struct ckt_error *error) {
  const char *text = getenv("HIPSIM_TRACE_GROUP");
  uint32_t *id = settings->trace_group;
  int length = 0;
  id[0] = id[1] = id[2] = 0;
  if (text == NULL || *text == '\0')
    return CKT_OK;
  if (strspn(text, "0123456789,") != strlen(text) ||
      sscanf(text, "%9u,%9u,%9u%n", &id[0], &id[1], &id[2], &length) != 3 || text[length] != '\0')
    return ckt_fail(error, CKT_E_USAGE,
                    "HIPSIM_TRACE_GROUP: '%s' is not a workgroup; give its numbers as x,y,z", text);
  return CKT_OK;
}

int sim_settings_read(struct sim_settings *settings, struct ckt_error *error) {
  CKT_TRY(read_model(settings, error));
  uint64_t devices = 1, threads = usable_cpus(), check = 1, schedule = 0, memory = UINT64_MAX;
  settings->budget = BUDGET_DEFAULT;
  CKT_TRY(read_number("HIPSIM_DEVICES", 1, DEVICES_MAX, &devices, error));
  CKT_TRY(read_number("HIPSIM_THREADS", 1, THREADS_MAX, &threads, error));
  CKT_TRY(read_number("HIPSIM_CHECK", 0, 1, &check, error));
  CKT_TRY(read_number("HIPSIM_SCHEDULE", 0, UINT32_MAX, &schedule, error));
  CKT_TRY(read_number("HIPSIM_BUDGET", 0, INT64_MAX, &settings->budget, error));
  settings->profile = read_path("HIPSIM_PROFILE");
  settings->trace = read_path("HIPSIM_TRACE");
  settings->trace_bytes = TRACE_BYTES_DEFAULT;
  CKT_TRY(read_group(settings, error));
  CKT_TRY(read_number("HIPSIM_TRACE_BYTES", 1, INT64_MAX, &settings->trace_bytes, error));
  CKT_TRY(read_number("HIPSIM_MEMORY", 1 << 20, INT64_MAX, &memory, error));
  const uint64_t host = sim_host_memory_available();
  settings->memory_bytes = settings->model->memory_bytes;
  if (memory < settings->memory_bytes)
    settings->memory_bytes = memory;
  if (host < settings->memory_bytes)
    settings->memory_bytes = host;
  settings->devices = (unsigned)devices;
  settings->threads = (unsigned)(threads < THREADS_MAX ? threads : THREADS_MAX);
  settings->check = check != 0;
  settings->schedule = (uint32_t)schedule;
  return CKT_OK;
}
