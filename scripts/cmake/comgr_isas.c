/* Prints the architectures that the installed compiler knows, one a line: "gfx90a". */
#include <amd_comgr.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  size_t count = 0;
  if (amd_comgr_get_isa_count(&count) != AMD_COMGR_STATUS_SUCCESS)
    return 1;
  for (size_t i = 0; i < count; i++) {
    const char *name; /* "amdgcn-amd-amdhsa--gfx90a" */
    if (amd_comgr_get_isa_name(i, &name) != AMD_COMGR_STATUS_SUCCESS)
      return 1;
    puts(strrchr(name, '-') + 1);
  }
  return 0;
}
