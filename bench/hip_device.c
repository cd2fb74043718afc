#include "bench/hip_api.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/hip_props.h"

/* Room for what a later HIP may add at the struct's end. */
union props {
  struct ckt_hip_props_r0000 r0000;
  struct ckt_hip_props_r0600 r0600;
  char room[8192];
};

/* Why HIP may show no GPU, and what to do about it. */
static const char *no_device_cause(void) {
  if (access("/dev/kfd", F_OK) != 0)
    return "/dev/kfd is not there, so the amdgpu driver is not loaded or this machine has no AMD GPU: "
           "load it, or use --device sim";
  if (access("/dev/kfd", R_OK | W_OK) != 0)
    return "this user may not open /dev/kfd: join the groups render and video, or use --device sim";
  if (getenv("ROCR_VISIBLE_DEVICES") != NULL || getenv("HIP_VISIBLE_DEVICES") != NULL ||
      getenv("CUDA_VISIBLE_DEVICES") != NULL)
    return "ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES or CUDA_VISIBLE_DEVICES may hide it: unset them";
  return "/dev/kfd is there: look at rocminfo and the kernel log for what the driver says, or use "
         "--device sim";
}

/* The simulated device says itself what was wrong with HIPSIM_DEVICE. */
static int fail_no_device(const struct ckt_hip *hip, struct ckt_error *error) {
  const char *report = hip->hipsim_report != NULL ? hip->hipsim_report() : NULL;
  if (report != NULL && report[0] != '\0')
    return ckt_fail(error, CKT_E_DEVICE, "%s", report);
  return ckt_fail(error, CKT_E_DEVICE, "HIP (%s) shows no GPU: %s", hip->library,
                  hip->simulated ? "choose another simulated device with --device sim:gfx90a"
                                 : no_device_cause());
}

int ckt_hip_device_count(const struct ckt_hip *hip, int *count, struct ckt_error *error) {
  *count = 0;
  const hipError_t status = hip->hipGetDeviceCount(count);
  if (status == hipErrorNoDevice || (status == hipSuccess && *count <= 0))
    return fail_no_device(hip, error);
  return ckt_hip_check(hip, status, CKT_E_DEVICE, "cannot count the GPUs", error);
}

static void copy_text(char *to, size_t size, const char *from, size_t from_size) {
  const size_t length = strnlen(from, from_size < size ? from_size : size - 1);
  memcpy(to, from, length);
  to[length] = '\0';
}

#define FILL(device, props)                                                                                  \
  do {                                                                                                       \
    copy_text((device)->name, sizeof(device)->name, (props)->name, sizeof(props)->name);                     \
    copy_text((device)->target, sizeof(device)->target, (props)->gcn_arch_name,                              \
              sizeof(props)->gcn_arch_name);                                                                 \
    (device)->compute_units = (props)->multi_processor_count;                                                \
    (device)->memory_bytes = (int64_t)(props)->total_global_mem;                                             \
    (device)->clock_khz = (props)->clock_rate;                                                               \
    (device)->lds_bytes = (int64_t)(props)->shared_mem_per_block;                                            \
  } while (0)

static hipError_t read_props(const struct ckt_hip *hip, int index, struct ckt_device *device) {
  union props props;
  memset(&props, 0, sizeof props);
  const hipError_t status = hip->properties_r0600 != NULL ? hip->properties_r0600(&props, index)
                                                          : hip->properties_r0000(&props, index);
  if (hip->properties_r0600 != NULL)
    FILL(device, &props.r0600);
  else
    FILL(device, &props.r0000);
  return status;
}

int ckt_hip_device(const struct ckt_hip *hip, int index, struct ckt_device *device, struct ckt_error *error) {
  int count = 0;
  CKT_TRY(ckt_hip_device_count(hip, &count, error));
  if (index < 0 || index >= count)
    return ckt_fail(error, CKT_E_DEVICE,
                    "there is no device %d: HIP (%s) shows %d, numbered from 0; check --device, "
                    "HIP_VISIBLE_DEVICES and that you may open /dev/dri (groups render and video)",
                    index, hip->library, count);
  *device = (struct ckt_device){.index = index, .simulated = hip->simulated};
  CKT_TRY(ckt_hip_check(hip, read_props(hip, index, device), CKT_E_DEVICE,
                        "cannot read the device's properties", error));
  if (strncmp(device->target, "gfx", 3) != 0)
    return ckt_fail(
        error, CKT_E_DEVICE,
        "device %d (%s) calls its architecture '%s' where a name such as gfx90a was expected: its HIP "
        "(%s) has a layout that this cktune does not know",
        index, device->name, device->target, hip->library);
  copy_text(device->arch, sizeof device->arch, device->target, strcspn(device->target, ":"));
  return CKT_OK;
}
