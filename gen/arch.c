/* Sources: AMD's "CDNA", "CDNA 2", "CDNA 3" and "CDNA 4" instruction set architecture reference guides, chapters
 * on kernel state (VGPRs and AccVGPRs; one file of 512 from CDNA 2 on), on LDS (64 KiB a workgroup, CDNA 4: 160
 * KiB) and on matrix instructions (V_MFMA_..._BF16_1K from CDNA 2 on); LLVM's AMDGPUUsage.rst says which of them
 * a target is. */
#include "gen/arch.h"

#include <string.h>

#include "common/text.h"

#define KIB ((int64_t)1024)

static const struct ckt_arch archs[] = {
    /* name, LDS, VGPRs, AGPRs, unified, bf16_1k */
    {"gfx908", 64 * KIB, 256, 256, false, false},
    {"gfx90a", 64 * KIB, 512, 256, true, true},
    {"gfx942", 64 * KIB, 512, 256, true, true},
    {"gfx950", 160 * KIB, 512, 256, true, true},
};

enum { ARCH_COUNT = sizeof archs / sizeof *archs };

const struct ckt_arch *ckt_arch_find(const char *target) {
  const size_t base = strcspn(target, ":");
  for (size_t i = 0; i < ARCH_COUNT; i++)
    if (strlen(archs[i].name) == base && memcmp(archs[i].name, target, base) == 0)
      return &archs[i];
  return NULL;
}

const struct ckt_arch *ckt_arch_list(size_t *count) {
  *count = ARCH_COUNT;
  return archs;
}

int ckt_arch_parse(const char *target, const struct ckt_arch **arch, struct ckt_error *error) {
  *arch = ckt_arch_find(target);
  if (*arch != NULL)
    return CKT_OK;
  struct ckt_text names = {0};
  for (size_t i = 0; i < ARCH_COUNT; i++)
    ckt_text_printf(&names, "%s%s", i == 0 ? "" : i + 1 < ARCH_COUNT ? ", " : " or ", archs[i].name);
  ckt_fail(error, CKT_E_USAGE, "the architecture \"%.48s\" is not known, expected %s", target,
           ckt_text_string(&names));
  ckt_text_free(&names);
  return CKT_E_USAGE;
}
