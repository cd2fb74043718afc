#include "bench/rtc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rocm_library.h"

/* A folder is asked for the library of its own first (ROCm 5.3 and later), then for the runtime that carries
 * hipRTC inside (ROCm 5). */
static const char *const library_names[] = {"libhiprtc.so.7",   "libhiprtc.so.6",   "libhiprtc.so.5",
                                            "libhiprtc.so",     "libamdhip64.so.7", "libamdhip64.so.6",
                                            "libamdhip64.so.5", "libamdhip64.so",   NULL};

static const struct ckt_rocm_wanted wanted_library = {
    .what = "hipRTC, the compiler",
    .names = library_names,
    .symbol = "hiprtcCompileProgram",
    .remedy = "install ROCm (Debian: libamdhip64-dev), or name its folder with --rocm DIR",
};

static const char *const comgr_names[] = {"libamd_comgr.so.3", "libamd_comgr.so.2", "libamd_comgr.so.1",
                                          "libamd_comgr.so", NULL};

const char *const ckt_rtc_options[] = {"-O3", "-std=c++17", NULL};

#define OPTION_COUNT (sizeof ckt_rtc_options / sizeof *ckt_rtc_options - 1)

/* hiprtcProgram and hiprtcResult, and the functions. Declared here since HIP 7 made the string arrays
 * `const char *const *`, which a call cannot tell from HIP 5's `const char **`. */
typedef struct rtc_program *program_handle;
enum { RTC_SUCCESS = 0, RTC_COMPILATION = 6 };

#define RTC_SYMBOLS(ROW)                                                                                     \
  ROW(int, hiprtcVersion, (int *major, int *minor))                                                          \
  ROW(const char *, hiprtcGetErrorString, (int result))                                                      \
  ROW(int, hiprtcCreateProgram,                                                                              \
      (program_handle * program, const char *source, const char *name, int header_count,                     \
       const char **headers, const char **include_names))                                                    \
  ROW(int, hiprtcCompileProgram, (program_handle program, int option_count, const char **options))           \
  ROW(int, hiprtcDestroyProgram, (program_handle * program))                                                 \
  ROW(int, hiprtcGetProgramLogSize, (program_handle program, size_t * size))                                 \
  ROW(int, hiprtcGetProgramLog, (program_handle program, char *log))                                         \
  ROW(int, hiprtcGetCodeSize, (program_handle program, size_t * size))                                       \
  ROW(int, hiprtcGetCode, (program_handle program, char *code))

struct ckt_rtc {
#define ROW(type, name, parameters) type(*name) parameters;
  RTC_SYMBOLS(ROW)
#undef ROW
  void *handle;
  char library[CKT_LIBRARY_PATH_MAX];
  char version[64];
};

static bool bind_symbol(void *handle, const char *name, void *function) {
  void *symbol = dlsym(handle, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static int bind_all(struct ckt_rtc *rtc, struct ckt_error *error) {
  const char *missing = NULL;
#define ROW(type, name, parameters)                                                                          \
  if (!bind_symbol(rtc->handle, #name, &rtc->name))                                                          \
    missing = #name;
  RTC_SYMBOLS(ROW)
#undef ROW
  if (missing == NULL)
    return CKT_OK;
  return ckt_fail(error, CKT_E_TOOLCHAIN,
                  "%s has no %s; hipRTC of ROCm 5, 6 or 7 is needed: name one with --rocm DIR", rtc->library,
                  missing);
}

/* hiprtcVersion of 5.2 says 9.0, a number of its own. The HIP runtime in the same library tells the release,
 * packed as major*10^7 + minor*10^5 + patch (hip/hip_version.h), and needs no device for it. */
static void library_version(const struct ckt_rtc *rtc, int *major, int *minor) {
  int (*runtime_version)(int *version) = NULL;
  int packed = 0;
  if (bind_symbol(rtc->handle, "hipRuntimeGetVersion", &runtime_version) && runtime_version(&packed) == 0 &&
      packed >= 10000000) {
    *major = packed / 10000000;
    *minor = packed / 100000 % 100;
  } else if (rtc->hiprtcVersion(major, minor) != RTC_SUCCESS) {
    *major = 0;
    *minor = 0;
  }
}

/* The comgr that hipRTC uses or will use: the one loaded already, else the one in hipRTC's folder, else the
 * dynamic linker's (5.2 opens it by its bare name at the first compile). */
static void *open_comgr(const struct ckt_rtc *rtc) {
  void *handle = NULL;
  for (const char *const *name = comgr_names; handle == NULL && *name != NULL; name++)
    handle = dlopen(*name, RTLD_NOW | RTLD_NOLOAD);
  const char *slash = strrchr(rtc->library, '/');
  for (const char *const *name = comgr_names; handle == NULL && slash != NULL && *name != NULL; name++) {
    char file[CKT_LIBRARY_PATH_MAX + 32];
    snprintf(file, sizeof file, "%.*s/%s", (int)(slash - rtc->library), rtc->library, *name);
    handle = dlopen(file, RTLD_NOW);
  }
  for (const char *const *name = comgr_names; handle == NULL && *name != NULL; name++)
    handle = dlopen(*name, RTLD_NOW);
  return handle;
}

static void read_version(struct ckt_rtc *rtc) {
  int major;
  int minor;
  library_version(rtc, &major, &minor);
  void (*comgr_version)(size_t * major, size_t * minor) = NULL;
  void *comgr = open_comgr(rtc);
  size_t comgr_major = 0;
  size_t comgr_minor = 0;
  if (comgr != NULL && bind_symbol(comgr, "amd_comgr_get_version", &comgr_version))
    comgr_version(&comgr_major, &comgr_minor);
  snprintf(rtc->version, sizeof rtc->version, "hiprtc %d.%d, comgr %zu.%zu", major, minor, comgr_major,
           comgr_minor);
}

int ckt_rtc_open(const char *rocm, struct ckt_rtc **rtc, struct ckt_error *error) {
  *rtc = NULL;
  struct ckt_rtc *opened = calloc(1, sizeof *opened);
  if (opened == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out while opening hipRTC");
  int status = ckt_rocm_open(&wanted_library, rocm, &opened->handle, opened->library, error);
  if (status == CKT_OK)
    status = bind_all(opened, error);
  if (status != CKT_OK) {
    free(opened);
    return status;
  }
  read_version(opened);
  *rtc = opened;
  return CKT_OK;
}

/* The library stays: it does not survive being unloaded. */
void ckt_rtc_close(struct ckt_rtc **rtc) {
  free(*rtc);
  *rtc = NULL;
}

const char *ckt_rtc_version(const struct ckt_rtc *rtc) {
  return rtc->version;
}

const char *ckt_rtc_library(const struct ckt_rtc *rtc) {
  return rtc->library;
}

static int check(const struct ckt_rtc *rtc, int result, int code, const char *what, struct ckt_error *error) {
  if (result == RTC_SUCCESS)
    return CKT_OK;
  const char *text = rtc->hiprtcGetErrorString(result);
  return ckt_fail(error, code, "%s: %s", what, text != NULL ? text : "unknown hipRTC error");
}

static void append_log(const struct ckt_rtc *rtc, program_handle program, struct ckt_text *log) {
  size_t size = 0;
  if (rtc->hiprtcGetProgramLogSize(program, &size) != RTC_SUCCESS || size == 0)
    return;
  char *text = calloc(size + 1, 1);
  if (text != NULL && rtc->hiprtcGetProgramLog(program, text) == RTC_SUCCESS)
    ckt_text_append(log, text);
  free(text);
}

/* The place at the start of a line of the log, "/tmp/comgr-1a2b/input/CompileSource:3:5: ", as "conv.hip:3:5: ":
 * hipRTC's folder changes from compile to compile and says nothing, and 5.2 does not use the source's name. */
static void append_place(struct ckt_text *sentence, const char *line, size_t length,
                         const char *source_name) {
  static const char given[] = "CompileSource:";
  const char *end = line + length;
  const char *place = line;
  for (const char *at = line; at < end; at++)
    if (*at == '/')
      place = at + 1;
  if ((size_t)(end - place) >= sizeof given - 1 && memcmp(place, given, sizeof given - 1) == 0) {
    ckt_text_append(sentence, source_name);
    place += sizeof given - 2; /* the colon stays */
  }
  ckt_text_append_bytes(sentence, place, (size_t)(end - place));
}

/* The log's first error as one sentence, "conv.hip:3:5: use of undeclared identifier 'x'". */
static int fail_with_log(const char *log, const char *source_name, struct ckt_error *error) {
  static const char mark[] = "error: ";
  static const char fatal[] = "fatal ";
  const char *message = strstr(log, mark);
  if (message == NULL)
    return ckt_fail(error, CKT_E_COMPILE, "hipRTC refused %s and its log names no error: %.200s", source_name,
                    log[0] != '\0' ? log : "it is empty");
  const char *line = message;
  while (line > log && line[-1] != '\n')
    line--;
  size_t place = (size_t)(message - line);
  if (place >= sizeof fatal - 1 && memcmp(message - (sizeof fatal - 1), fatal, sizeof fatal - 1) == 0)
    place -= sizeof fatal - 1;
  const char *text = message + sizeof mark - 1;
  struct ckt_text sentence = {0};
  append_place(&sentence, line, place, source_name);
  ckt_text_append_bytes(&sentence, text, strcspn(text, "\n"));
  const int status = ckt_fail(error, CKT_E_COMPILE, "%s", ckt_text_string(&sentence));
  ckt_text_free(&sentence);
  return status;
}

static int append_code(const struct ckt_rtc *rtc, program_handle program, struct ckt_text *code,
                       struct ckt_error *error) {
  size_t size = 0;
  CKT_TRY(
      check(rtc, rtc->hiprtcGetCodeSize(program, &size), CKT_E_COMPILE, "hipRTC gave no code object", error));
  if (size == 0)
    return ckt_fail(error, CKT_E_COMPILE, "hipRTC gave an empty code object");
  char *bytes = malloc(size);
  if (bytes == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out for a code object of %zu bytes", size);
  int status =
      check(rtc, rtc->hiprtcGetCode(program, bytes), CKT_E_COMPILE, "hipRTC gave no code object", error);
  if (status == CKT_OK) {
    ckt_text_append_bytes(code, bytes, size);
    status = ckt_text_status(code, error);
  }
  free(bytes);
  return status;
}

static int compile_program(const struct ckt_rtc *rtc, program_handle program,
                           const struct ckt_rtc_request *request, struct ckt_text *code, struct ckt_text *log,
                           struct ckt_error *error) {
  char arch[320];
  const int length = snprintf(arch, sizeof arch, "--offload-arch=%s", request->target);
  if (length < 0 || (size_t)length >= sizeof arch)
    return ckt_fail(error, CKT_E_COMPILE, "the target '%.40s...' is longer than any name of a GPU",
                    request->target);
  const char *options[OPTION_COUNT + 2];
  int count = 0;
  while (count < (int)OPTION_COUNT) {
    options[count] = ckt_rtc_options[count];
    count++;
  }
  options[count++] = arch;
  if (request->lines)
    options[count++] = "-g";
  const int result = rtc->hiprtcCompileProgram(program, count, options);
  struct ckt_text own_log = {0};
  append_log(rtc, program, &own_log);
  ckt_text_append(log, ckt_text_string(&own_log));
  int status;
  if (result == RTC_SUCCESS)
    status = append_code(rtc, program, code, error);
  else if (result == RTC_COMPILATION || own_log.length > 0)
    status = fail_with_log(ckt_text_string(&own_log), request->name, error);
  else
    status = check(rtc, result, CKT_E_COMPILE, "hipRTC could not compile", error);
  ckt_text_free(&own_log);
  return status;
}

int ckt_rtc_compile(struct ckt_rtc *rtc, const struct ckt_rtc_request *request, struct ckt_text *code,
                    struct ckt_text *log, struct ckt_error *error) {
  program_handle program = NULL;
  const struct ckt_headers *headers = request->headers;
  CKT_TRY(check(rtc,
                rtc->hiprtcCreateProgram(&program, request->source, request->name, (int)headers->count,
                                         headers->texts, headers->names),
                CKT_E_COMPILE, "hipRTC could not make a program", error));
  const int status = compile_program(rtc, program, request, code, log, error);
  rtc->hiprtcDestroyProgram(&program);
  return status;
}
