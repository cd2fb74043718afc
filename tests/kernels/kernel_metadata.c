#include "kernel_metadata.h"

#include <stdlib.h>

#include <amd_comgr.h>

static bool read_string(amd_comgr_metadata_node_t kernel, const char *key, char *text, size_t size) {
  amd_comgr_metadata_node_t node;
  if (amd_comgr_metadata_lookup(kernel, key, &node) != AMD_COMGR_STATUS_SUCCESS)
    return false;
  size_t needed = 0;
  const bool read = amd_comgr_get_metadata_string(node, &needed, NULL) == AMD_COMGR_STATUS_SUCCESS &&
                    needed <= size &&
                    amd_comgr_get_metadata_string(node, &needed, text) == AMD_COMGR_STATUS_SUCCESS;
  amd_comgr_destroy_metadata(node);
  return read;
}

static bool read_number(amd_comgr_metadata_node_t kernel, const char *key, long *value) {
  char text[32];
  if (!read_string(kernel, key, text, sizeof text))
    return false;
  *value = strtol(text, NULL, 10);
  return true;
}

static bool read_kernel(amd_comgr_metadata_node_t kernel, struct kernel_metadata *metadata) {
  return read_string(kernel, ".name", metadata->name, sizeof metadata->name) &&
         read_number(kernel, ".group_segment_fixed_size", &metadata->lds_bytes) &&
         read_number(kernel, ".private_segment_fixed_size", &metadata->scratch_bytes) &&
         read_number(kernel, ".vgpr_spill_count", &metadata->vgpr_spills) &&
         read_number(kernel, ".vgpr_count", &metadata->vgprs) &&
         read_number(kernel, ".max_flat_workgroup_size", &metadata->max_workgroup);
}

static bool read_first_kernel(amd_comgr_metadata_node_t root, struct kernel_metadata *metadata) {
  amd_comgr_metadata_node_t kernels, kernel;
  if (amd_comgr_metadata_lookup(root, "amdhsa.kernels", &kernels) != AMD_COMGR_STATUS_SUCCESS)
    return false;
  bool read = false;
  if (amd_comgr_index_list_metadata(kernels, 0, &kernel) == AMD_COMGR_STATUS_SUCCESS) {
    read = read_kernel(kernel, metadata);
    amd_comgr_destroy_metadata(kernel);
  }
  amd_comgr_destroy_metadata(kernels);
  return read;
}

bool kernel_metadata_read(const void *code, size_t length, struct kernel_metadata *metadata) {
  amd_comgr_data_t data;
  if (amd_comgr_create_data(AMD_COMGR_DATA_KIND_EXECUTABLE, &data) != AMD_COMGR_STATUS_SUCCESS)
    return false;
  amd_comgr_metadata_node_t root;
  bool read = false;
  if (amd_comgr_set_data(data, length, code) == AMD_COMGR_STATUS_SUCCESS &&
      amd_comgr_get_data_metadata(data, &root) == AMD_COMGR_STATUS_SUCCESS) {
    read = read_first_kernel(root, metadata);
    amd_comgr_destroy_metadata(root);
  }
  amd_comgr_release_data(data);
  return read;
}
