#include "driver/device_choice.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/file.h"
#include "common/number.h"
#include "gen/arch.h"

static bool node_has_simds(const char *path) {
  struct ckt_text content;
  ckt_text_init(&content, 1 << 16);
  long long simds = 0;
  if (ckt_file_read(path, &content, NULL) == CKT_OK) {
    const char *line = strstr(ckt_text_string(&content), "simd_count ");
    if (line == NULL || sscanf(line, "simd_count %lld", &simds) != 1)
      simds = 0;
  }
  ckt_text_free(&content);
  return simds > 0;
}

bool ckt_gpu_present(const char *topology) {
  char pattern[PATH_MAX];
  snprintf(pattern, sizeof pattern, "%s/*/properties", topology);
  glob_t found;
  if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
    return false;
  bool present = false;
  for (size_t i = 0; i < found.gl_pathc && !present; i++)
    present = node_has_simds(found.gl_pathv[i]);
  globfree(&found);
  return present;
}

static int read_index(const char *device, int *index, struct ckt_error *error) {
  int64_t value;
  const char *text = device + strlen("hip:");
  const enum ckt_number_result result = ckt_parse_i64(text, strlen(text), &value);
  if (result != CKT_NUMBER_OK || value < 0 || value > 1023)
    return ckt_fail(error, CKT_E_USAGE,
                    "--device %s: '%s' is not the number of a GPU; hip:0 is the first one", device, text);
  *index = (int)value;
  return CKT_OK;
}

static int read_sim(const char *device, const char *arch, struct ckt_device_choice *choice,
                    struct ckt_error *error) {
  choice->simulated = true;
  const char *name = device[3] == ':' ? device + 4 : arch != NULL ? arch : CKT_DEFAULT_SIM;
  if (name[0] == '\0' || strlen(name) >= sizeof choice->sim_device)
    return ckt_fail(error, CKT_E_USAGE, "--device %s: sim:ARCH is expected, such as sim:gfx90a", device);
  const struct ckt_arch *known;
  if (strncmp(name, "gfx", 3) == 0 && ckt_arch_parse(name, &known, error) != CKT_OK)
    return ckt_fail(error, CKT_E_USAGE, "--device %s: %s", device, error->text);
  snprintf(choice->sim_device, sizeof choice->sim_device, "%s", name);
  const struct ckt_arch *meant = ckt_arch_find(name), *said = arch != NULL ? ckt_arch_find(arch) : NULL;
  if (meant != NULL && said != NULL && meant != said)
    return ckt_fail(error, CKT_E_USAGE, "--arch %s contradicts --device %s; leave one of them out", arch,
                    device);
  return CKT_OK;
}

static int choose_unasked(const struct ckt_device_wish *wish, struct ckt_device_choice *choice,
                          struct ckt_error *error) {
  if (ckt_gpu_present(wish->topology))
    return CKT_OK; /* hip:0 */
  if (wish->upload)
    return ckt_fail(
        error, CKT_E_DEVICE,
        "no AMD GPU is found in %s, and a simulated device's figures are not uploaded unasked; give "
        "--device sim if that is what you want",
        wish->topology);
  choice->simulated = choice->fallback = true;
  snprintf(choice->sim_device, sizeof choice->sim_device, "%s",
           wish->arch != NULL ? wish->arch : CKT_DEFAULT_SIM);
  return CKT_OK;
}

int ckt_device_choose(const struct ckt_device_wish *wish, struct ckt_device_choice *choice,
                      struct ckt_error *error) {
  *choice = (struct ckt_device_choice){.index = 0};
  const char *device = wish->device;
  if (device == NULL)
    return choose_unasked(wish, choice, error);
  if (strcmp(device, "hip") == 0)
    return CKT_OK;
  if (strncmp(device, "hip:", 4) == 0)
    return read_index(device, &choice->index, error);
  if (strcmp(device, "sim") == 0 || strncmp(device, "sim:", 4) == 0)
    return read_sim(device, wish->arch, choice, error);
  return ckt_fail(error, CKT_E_USAGE, "--device '%s' is not hip, hip:N, sim or sim:ARCH", device);
}
