#include "bench/hipsim/sim_metadata.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_comgr.h"
#include "common/number.h"

static bool ok(amd_comgr_status_t status) {
  return status == AMD_COMGR_STATUS_SUCCESS;
}

/* ---- nodes ---- */

/* The string of map[key], to be freed; NULL: not there, or not a string. Numbers are strings here, too. */
static char *string_at(amd_comgr_metadata_node_t map, const char *key) {
  amd_comgr_metadata_node_t node;
  if (!ok(sim_comgr()->metadata_lookup(map, key, &node)))
    return NULL;
  size_t size = 0;
  char *text = NULL;
  if (ok(sim_comgr()->get_metadata_string(node, &size, NULL)) && size > 0 && size < INT_MAX)
    text = calloc(size + 1, 1);
  if (text != NULL && !ok(sim_comgr()->get_metadata_string(node, &size, text))) {
    free(text);
    text = NULL;
  }
  sim_comgr()->destroy_metadata(node);
  return text;
}

/* map[key] as a number; `missing` when it is not there. -1: it is there and no number of 32 bits. */
static int number_at(amd_comgr_metadata_node_t map, const char *key, uint32_t missing, uint32_t *value) {
  char *text = string_at(map, key);
  *value = missing;
  if (text == NULL)
    return 0;
  int64_t number = -1;
  const enum ckt_number_result result = ckt_parse_i64(text, strlen(text), &number);
  free(text);
  if (result != CKT_NUMBER_OK || number < 0 || number > UINT32_MAX)
    return -1;
  *value = (uint32_t)number;
  return 0;
}

/* The list at map[key] and its length; false: not there. *list is to be destroyed. */
static bool list_at(amd_comgr_metadata_node_t map, const char *key, amd_comgr_metadata_node_t *list,
                    size_t *length) {
  if (!ok(sim_comgr()->metadata_lookup(map, key, list)))
    return false;
  amd_comgr_metadata_kind_t kind;
  if (ok(sim_comgr()->get_metadata_kind(*list, &kind)) && kind == AMD_COMGR_METADATA_KIND_LIST &&
      ok(sim_comgr()->get_metadata_list_size(*list, length)))
    return true;
  sim_comgr()->destroy_metadata(*list);
  return false;
}

/* ---- kernels ---- */

static enum sim_argument_kind kind_of(const char *text) {
#define ROW(name, kind)                                                                                      \
  if (strcmp(text, kind) == 0)                                                                               \
    return SIM_ARGUMENT_##name;
  SIM_ARGUMENT_KINDS(ROW)
#undef ROW
  return strncmp(text, "hidden_", 7) == 0 ? SIM_ARGUMENT_HIDDEN_OTHER : SIM_ARGUMENT_EXPLICIT;
}

static int read_argument(amd_comgr_metadata_node_t node, uint32_t kernarg_bytes,
                         struct sim_argument *argument) {
  char *kind = string_at(node, ".value_kind");
  if (kind == NULL)
    return -1;
  argument->kind = kind_of(kind);
  free(kind);
  if (number_at(node, ".offset", 0, &argument->offset) != 0 ||
      number_at(node, ".size", 0, &argument->bytes) != 0)
    return -1;
  return argument->bytes <= kernarg_bytes && argument->offset <= kernarg_bytes - argument->bytes ? 0 : -1;
}

static int read_arguments(amd_comgr_metadata_node_t kernel, struct sim_kernel_metadata *into) {
  amd_comgr_metadata_node_t list, node;
  size_t count = 0;
  if (!list_at(kernel, ".args", &list, &count))
    return 0;
  int status = count <= SIM_ARGUMENTS_MAX ? 0 : -1;
  if (status == 0 && count > 0) {
    into->arguments = calloc(count, sizeof *into->arguments);
    status = into->arguments != NULL ? 0 : -1;
  }
  for (size_t i = 0; status == 0 && i < count; ++i) {
    if (!ok(sim_comgr()->index_list_metadata(list, i, &node))) {
      status = -1;
      break;
    }
    status = read_argument(node, into->kernarg_bytes, &into->arguments[i]);
    sim_comgr()->destroy_metadata(node);
    into->argument_count = i + 1;
  }
  sim_comgr()->destroy_metadata(list);
  return status;
}

static int read_kernel(amd_comgr_metadata_node_t node, struct sim_kernel_metadata *kernel) {
  kernel->name = string_at(node, ".name");
  kernel->symbol = string_at(node, ".symbol");
  char *stack = string_at(node, ".uses_dynamic_stack");
  kernel->dynamic_stack = stack != NULL && (strcmp(stack, "true") == 0 || strcmp(stack, "1") == 0);
  free(stack);
  if (kernel->name == NULL || kernel->symbol == NULL)
    return -1;
  const struct {
    const char *key;
    uint32_t *value, missing;
  } numbers[] = {{".kernarg_segment_size", &kernel->kernarg_bytes, 0},
                 {".group_segment_fixed_size", &kernel->lds_bytes, 0},
                 {".private_segment_fixed_size", &kernel->scratch_bytes, 0},
                 {".max_flat_workgroup_size", &kernel->max_block, 1024},
                 {".vgpr_count", &kernel->vgprs, 0},
                 {".agpr_count", &kernel->agprs, 0},
                 {".sgpr_count", &kernel->sgprs, 0},
                 {".wavefront_size", &kernel->wave_size, 64}};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
    if (number_at(node, numbers[i].key, numbers[i].missing, numbers[i].value) != 0)
      return -1;
  return read_arguments(node, kernel);
}

static int read_kernels(amd_comgr_metadata_node_t root, struct sim_metadata *metadata) {
  amd_comgr_metadata_node_t list, node;
  size_t count = 0;
  if (!list_at(root, "amdhsa.kernels", &list, &count))
    return 0;
  int status = count <= SIM_ARGUMENTS_MAX ? 0 : -1;
  if (status == 0 && count > 0) {
    metadata->kernels = calloc(count, sizeof *metadata->kernels);
    status = metadata->kernels != NULL ? 0 : -1;
  }
  for (size_t i = 0; status == 0 && i < count; ++i) {
    if (!ok(sim_comgr()->index_list_metadata(list, i, &node))) {
      status = -1;
      break;
    }
    metadata->kernel_count = i + 1;
    status = read_kernel(node, &metadata->kernels[i]);
    sim_comgr()->destroy_metadata(node);
  }
  sim_comgr()->destroy_metadata(list);
  return status;
}

int sim_metadata_read(const uint8_t *bytes, size_t size, struct sim_metadata *metadata,
                      struct ckt_error *error) {
  memset(metadata, 0, sizeof *metadata);
  if (sim_comgr()->trouble[0] != '\0')
    return ckt_fail(error, CKT_E_TOOLCHAIN, "%s", sim_comgr()->trouble);
  amd_comgr_data_t data;
  amd_comgr_metadata_node_t root;
  if (!ok(sim_comgr()->create_data(AMD_COMGR_DATA_KIND_EXECUTABLE, &data)))
    return ckt_fail(error, CKT_E_NOMEM, "the code object manager could not make a data object; free memory");
  int status = -1;
  if (ok(sim_comgr()->set_data(data, size, (const char *)bytes)) &&
      ok(sim_comgr()->get_data_metadata(data, &root))) {
    status = read_kernels(root, metadata);
    sim_comgr()->destroy_metadata(root);
  }
  sim_comgr()->release_data(data);
  if (status == 0)
    return CKT_OK;
  sim_metadata_free(metadata);
  return ckt_fail(error, CKT_E_INPUT, "code object: its kernel metadata cannot be read; compile it again");
}

void sim_metadata_free(struct sim_metadata *metadata) {
  for (size_t i = 0; i < metadata->kernel_count; ++i) {
    free(metadata->kernels[i].name);
    free(metadata->kernels[i].symbol);
    free(metadata->kernels[i].arguments);
  }
  free(metadata->kernels);
  memset(metadata, 0, sizeof *metadata);
}
