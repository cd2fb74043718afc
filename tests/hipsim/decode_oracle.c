#include "decode_oracle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amd_comgr.h>

#include "bench/hipsim/sim_table.h"

/* The part of llvm-c/Disassembler.h that is used. */
typedef void *create_disassembler(const char *triple, const char *cpu, void *info, int tag, void *op_info,
                                  void *symbols);
typedef size_t disassemble(void *context, uint8_t *bytes, uint64_t size, uint64_t pc, char *text,
                           size_t text_size);
typedef void dispose(void *context);
typedef void initialise(void);

struct oracle {
  /* comgr */
  bool comgr;
  amd_comgr_disassembly_info_t info;
  const uint8_t *bytes;
  size_t size;
  char text[512];
  /* LLVM */
  void *library, *context;
  disassemble *disassemble;
  dispose *dispose;
};

static const char *const names[SIM_ARCHS] = {"gfx908", "gfx90a", "gfx942", "gfx950"};

/* ---- comgr ---- */

static uint64_t read_memory(uint64_t from, char *to, uint64_t size, void *user) {
  const struct oracle *o = user;
  if (from >= o->size)
    return 0;
  uint64_t count = size < o->size - from ? size : o->size - from;
  memcpy(to, o->bytes + from, count);
  return count;
}

static void keep_text(const char *text, void *user) {
  struct oracle *o = user;
  snprintf(o->text, sizeof o->text, "%s", text);
}

static void ignore_address(uint64_t address, void *user) {
  (void)address;
  (void)user;
}

static bool open_comgr(struct oracle *o, enum sim_arch arch) {
  char isa[64];
  snprintf(isa, sizeof isa, "amdgcn-amd-amdhsa--%s", names[arch]);
  o->comgr = amd_comgr_create_disassembly_info(isa, read_memory, keep_text, ignore_address, &o->info) ==
             AMD_COMGR_STATUS_SUCCESS;
  return o->comgr;
}

/* ---- LLVM ---- */

static void *symbol(struct oracle *o, const char *name) {
  return dlsym(o->library, name);
}

/* Tells whether a disassembler is for the processor asked for: LLVM takes an unknown one for its oldest. s_endpgm is
 * known to all, global_load_lds_dword to gfx942, v_bitop3_b32 to gfx950. */
static bool knows_arch(struct oracle *o, enum sim_arch arch) {
  static const uint32_t probe[SIM_ARCHS][2] = {
      {0xd3d94000, 0x18000080}, {0xd3b04000, 0x18020902}, {0xdda88000, 0x007f0000}, {0xd2340005, 0x040e0501}};
  char text[256];
  return oracle_read(o, probe[arch], sizeof probe[arch], text, sizeof text) == 8;
}

#ifdef __SANITIZE_ADDRESS__
/* LLVM's library has to be bound to its own symbols, not to comgr's, and AddressSanitizer ends a program that asks for it. */
enum { LLVM_CAN_BE_OPENED = false };
#else
enum { LLVM_CAN_BE_OPENED = true };
#endif

static bool open_llvm(struct oracle *o, enum sim_arch arch) {
  static const struct {
    const char *name;
    enum sim_arch newest; /* LLVM ends the program when it is asked for a processor that it does not know */
  } libraries[] = {{"libLLVM.so.21.1", SIM_GFX950},
                   {"libLLVM.so.20.1", SIM_GFX950},
                   {"libLLVM.so.19.1", SIM_GFX942},
                   {"libLLVM-19.so", SIM_GFX942}};
  static const char *const starts[] = {"LLVMInitializeAMDGPUTargetInfo", "LLVMInitializeAMDGPUTarget",
                                       "LLVMInitializeAMDGPUTargetMC", "LLVMInitializeAMDGPUDisassembler"};
  for (size_t i = 0; LLVM_CAN_BE_OPENED && i < sizeof libraries / sizeof *libraries && !o->library; i++)
    if (arch <= libraries[i].newest)
      o->library = dlopen(libraries[i].name, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!o->library)
    return false;
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    initialise *start = (initialise *)symbol(o, starts[i]);
    if (!start)
      return false;
    start();
  }
  create_disassembler *create = (create_disassembler *)symbol(o, "LLVMCreateDisasmCPU");
  o->disassemble = (disassemble *)symbol(o, "LLVMDisasmInstruction");
  o->dispose = (dispose *)symbol(o, "LLVMDisasmDispose");
  if (!create || !o->disassemble || !o->dispose)
    return false;
  o->context = create("amdgcn-amd-amdhsa", names[arch], NULL, 0, NULL, NULL);
  return o->context && knows_arch(o, arch);
}

/* ---- both ---- */

/* comgr 3 came with ROCm 7. */
enum dialect oracle_dialect(const struct oracle *o) {
  size_t major = 0, minor;
  if (o->comgr)
    amd_comgr_get_version(&major, &minor);
  return major >= 3 ? LLVM_NEW : LLVM_OLD;
}

struct oracle *oracle_open(enum sim_arch arch) {
  struct oracle *o = calloc(1, sizeof *o);
  if (o && !open_comgr(o, arch) && !open_llvm(o, arch)) {
    oracle_close(o);
    return NULL;
  }
  return o;
}

void oracle_close(struct oracle *o) {
  if (!o)
    return;
  if (o->comgr)
    amd_comgr_destroy_disassembly_info(o->info);
  if (o->context)
    o->dispose(o->context);
  free(o); /* LLVM's library stays: it is not made to be unloaded */
}

/* LLVM prints registers that are no good where they stand, with a comment behind. Returns false for what it could not
 * read at all. */
static bool drop_complaints(char *text) {
  char *from, *end;
  while ((from = strstr(text, "/*")) != NULL && (end = strstr(from, "*/")) != NULL) {
    if (strncmp(from, "/*Invalid register", 18) != 0)
      return false;
    memmove(from, end + 2, strlen(end + 2) + 1);
  }
  return true;
}

/* Without surrounding blanks and comments. */
static void trim(const char *from, char *to, size_t size) {
  while (*from == ' ' || *from == '\t')
    from++;
  size_t length = strcspn(from, ";/\n");
  while (length > 0 && (from[length - 1] == ' ' || from[length - 1] == '\t'))
    length--;
  snprintf(to, size, "%.*s", (int)length, from);
}

unsigned oracle_read(struct oracle *o, const void *bytes, size_t size, char *text, size_t text_size) {
  uint64_t length = 0;
  o->text[0] = '\0';
  if (o->comgr) {
    o->bytes = bytes;
    o->size = size;
    if (amd_comgr_disassemble_instruction(o->info, 0, o, &length) != AMD_COMGR_STATUS_SUCCESS)
      length = 0;
  } else {
    uint8_t copy[16] = {0};
    memcpy(copy, bytes, size < sizeof copy ? size : sizeof copy);
    length =
        o->disassemble(o->context, copy, size < sizeof copy ? size : sizeof copy, 0, o->text, sizeof o->text);
  }
  bool read = drop_complaints(o->text);
  trim(o->text, text, text_size);
  return text[0] && read ? (unsigned)length : 0;
}
