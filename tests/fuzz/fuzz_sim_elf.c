/* A code object or a bundle of them as the simulated device's loader meets it, on each arch: what it accepts has segments,
 * symbols and relocations inside of the file and of the image; what it does not has one sentence. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/hipsim/sim_elf.h"
#include "fuzz_target.h"

enum { PAGE = 4096, IMAGE_MAX = 1 << 20 };

static void require_refusal(int status, const struct ckt_error *error) {
  FUZZ_REQUIRE(status == CKT_E_INPUT || status == CKT_E_UNSUPPORTED);
  FUZZ_REQUIRE(error->code == status && error->text[0] != '\0' && strchr(error->text, '\n') == NULL);
}

static void read_segments(const struct sim_elf *elf) {
  for (size_t i = 0; i < elf->header.e_phnum; i++) {
    Elf64_Phdr segment;
    sim_elf_segment(elf, i, &segment);
    if (segment.p_type != PT_LOAD)
      continue;
    FUZZ_REQUIRE(segment.p_offset <= elf->size && segment.p_filesz <= elf->size - segment.p_offset);
    FUZZ_REQUIRE(segment.p_filesz <= segment.p_memsz);
    FUZZ_REQUIRE(segment.p_vaddr <= elf->image_bytes &&
                 segment.p_memsz <= elf->image_bytes - segment.p_vaddr);
  }
}

static void read_symbols(const struct sim_elf *elf) {
  const char *const begin = (const char *)elf->bytes, *const end = begin + elf->size;
  for (uint64_t i = 0; i < elf->dynsym_count; i++) {
    Elf64_Sym symbol;
    const char *name;
    if (sim_elf_symbol(elf, i, &symbol, &name) == 0)
      FUZZ_REQUIRE(name >= begin && name < end && strlen(name) < (size_t)(end - name));
  }
}

static void relocate(const struct sim_elf *elf) {
  struct ckt_error error = {0};
  uint8_t *image = calloc(1, elf->image_bytes);
  FUZZ_REQUIRE(image != NULL);
  const int status = sim_elf_relocate(elf, image, (uintptr_t)image, &error);
  if (status != CKT_OK)
    require_refusal(status, &error);
  free(image);
}

static void open_one(const uint8_t *bytes, size_t size, enum sim_arch arch) {
  struct sim_elf elf;
  struct ckt_error error = {0};
  const int status = sim_elf_open(bytes, size, arch, &elf, &error);
  if (status != CKT_OK) {
    require_refusal(status, &error);
    return;
  }
  FUZZ_REQUIRE(elf.image_bytes > 0 && elf.image_bytes <= SIM_ELF_LIMIT);
  read_segments(&elf);
  read_symbols(&elf);
  if (elf.image_bytes <= IMAGE_MAX)
    relocate(&elf);
}

/* Without a size, as hipModuleLoadData has it: a page that is not mapped lies behind the image. */
static void pick_unmeasured(const uint8_t *data, size_t size) {
  const size_t pages = (size + PAGE - 1) / PAGE * PAGE;
  uint8_t *image = mmap(NULL, pages + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  FUZZ_REQUIRE(image != MAP_FAILED && munmap(image + pages, PAGE) == 0);
  memcpy(image, data, size);
  const uint8_t *bytes;
  size_t length;
  struct ckt_error error = {0};
  const int status = sim_elf_pick(image, 0, SIM_GFX90A, &bytes, &length, &error);
  if (status != CKT_OK)
    require_refusal(status, &error);
  else
    FUZZ_REQUIRE(bytes >= image && length <= pages && (size_t)(bytes - image) <= pages - length);
  munmap(image, pages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (int arch = 0; size > 0 && arch < SIM_ARCHS; arch++) {
    const uint8_t *bytes;
    size_t length;
    struct ckt_error error = {0};
    const int status = sim_elf_pick(data, size, (enum sim_arch)arch, &bytes, &length, &error);
    if (status != CKT_OK) {
      require_refusal(status, &error);
      continue;
    }
    FUZZ_REQUIRE(bytes >= data && length <= size && (size_t)(bytes - data) <= size - length);
    open_one(bytes, length, (enum sim_arch)arch);
  }
  if (size > 0)
    pick_unmeasured(data, size);
  return 0;
}
