/* Programs whose kernels the compiler put into the program itself (`kernel<<<grid, block>>>()`): what clang's generated code
 * calls (LLVM, clang/lib/CodeGen/CGCUDANV.cpp), and the HIP functions that name a kernel or variable by its host symbol.
 * With it a program that a HIP compiler built runs on the simulated device: LD_PRELOAD=libhipsim.so program. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bench/hipsim/sim_api_launch.h"
#include "bench/hipsim/sim_api_program.h"

enum {
  FAT_MAGIC = 0x48495046, /* "HIPF" */
  FAT_VERSION = 1,
  CONFIGURATIONS_MAX = 16,
};

/* What the program is registered with. */
struct fat_binary {
  uint32_t magic, version;
  const void *image; /* an offload bundle */
  const void *unused;
};

/* A kernel or variable; `host` is the stub or the shadow that the program names it by. */
struct symbol {
  struct symbol *next;
  const struct program *program;
  const void *host;
  char *name;
};

struct program {
  uint64_t number; /* an address may come again when a library is loaded in the place of another */
  const void *image;
};

/* Registration comes from constructors, before main, and does not start the runtime; hence a lock of its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct symbol *symbols;
static uint64_t programs;

/* ---- registration ---- */

static void add_symbol(void **handle, const void *host, const char *name) {
  struct symbol *symbol = handle != NULL && name != NULL ? malloc(sizeof *symbol) : NULL;
  char *copy = symbol != NULL ? strdup(name) : NULL;
  if (copy == NULL) {
    free(symbol);
    return; /* a launch finds nothing and says so */
  }
  pthread_mutex_lock(&lock);
  *symbol = (struct symbol){.next = symbols, .program = (void *)handle, .host = host, .name = copy};
  symbols = symbol;
  pthread_mutex_unlock(&lock);
}

void **sim_register_program(const void *data) {
  struct fat_binary fat;
  if (data == NULL)
    return NULL;
  memcpy(&fat, data, sizeof fat);
  struct program *program =
      fat.magic == FAT_MAGIC && fat.version == FAT_VERSION ? malloc(sizeof *program) : NULL;
  if (program == NULL)
    return NULL;
  pthread_mutex_lock(&lock);
  *program = (struct program){++programs, fat.image};
  pthread_mutex_unlock(&lock);
  return (void **)program;
}

void sim_unregister_program(void **handle) {
  pthread_mutex_lock(&lock);
  for (struct symbol **link = &symbols; *link != NULL;) {
    struct symbol *symbol = *link;
    if ((const void *)symbol->program != (const void *)handle) {
      link = &symbol->next;
      continue;
    }
    *link = symbol->next;
    free(symbol->name);
    free(symbol);
  }
  pthread_mutex_unlock(&lock);
  free(handle);
}

void sim_register_kernel(void **handle, const void *host, char *unused, const char *name, unsigned threads,
                         void *thread, void *block, void *block_size, void *grid_size, int *wave) {
  (void)unused, (void)threads, (void)thread, (void)block, (void)block_size, (void)grid_size, (void)wave;
  add_symbol(handle, host, name);
}

void sim_register_variable(void **handle, void *host, char *unused, const char *name, int external,
                           size_t bytes, int constant, int global) {
  (void)unused, (void)external, (void)bytes, (void)constant, (void)global;
  add_symbol(handle, host, name);
}

/* ---- from a host symbol to the device's ---- */

/* The program and name behind a host symbol; false: nothing registered it. The name stays until its program unloads. */
static bool find_symbol(const void *host, struct program *program, const char **name) {
  pthread_mutex_lock(&lock);
  const struct symbol *symbol = symbols;
  while (symbol != NULL && symbol->host != host)
    symbol = symbol->next;
  if (symbol != NULL) {
    *program = *symbol->program;
    *name = symbol->name;
  }
  pthread_mutex_unlock(&lock);
  return symbol != NULL;
}

/* The program's module on the device, loaded when it is first needed. */
static hipError_t module_of(struct sim_device *device, const struct program *program, hipModule_t *module) {
  for (*module = sim_runtime.modules; *module != NULL; *module = (*module)->next)
    if ((*module)->device == device && (*module)->program == program->number)
      return hipSuccess;
  const hipError_t status = sim_module_open(device, module, program->image, 0);
  if (status == hipSuccess)
    (*module)->program = program->number;
  return status;
}

/* What registered a host symbol: the module on the device, and the name there. `what` is for the message. */
static hipError_t resolve(struct sim_device *device, const void *host, const char *what, hipError_t unknown,
                          hipModule_t *module, const char **name) {
  struct program program;
  if (!find_symbol(host, &program, name))
    return sim_report(unknown, "%p is no %s of a registered program; compile it with a HIP compiler", host,
                      what);
  return module_of(device, &program, module);
}

static hipError_t function_of(struct sim_device *device, const void *host, hipFunction_t *function) {
  const char *name = NULL;
  hipModule_t module = NULL;
  const hipError_t status = resolve(device, host, "kernel", hipErrorInvalidDeviceFunction, &module, &name);
  return status == hipSuccess ? sim_module_get_function(function, module, name) : status;
}

static hipError_t variable_of(struct sim_device *device, const void *host, hipDeviceptr_t *pointer,
                              size_t *bytes) {
  const char *name = NULL;
  hipModule_t module = NULL;
  const hipError_t status = resolve(device, host, "variable", hipErrorInvalidSymbol, &module, &name);
  return status == hipSuccess ? sim_module_get_global(pointer, bytes, module, name) : status;
}

/* ---- launches ---- */

struct configuration {
  dim3 grid, block;
  size_t lds;
  hipStream_t stream;
};

/* Between <<<...>>> and the stub; nested when an argument of a launch launches. */
static _Thread_local struct configuration configurations[CONFIGURATIONS_MAX];
static _Thread_local int configuration_count;

hipError_t sim_push_configuration(dim3 grid, dim3 block, size_t lds, hipStream_t stream) {
  if (configuration_count == CONFIGURATIONS_MAX)
    return hipErrorInvalidConfiguration;
  configurations[configuration_count++] = (struct configuration){grid, block, lds, stream};
  return hipSuccess;
}

hipError_t sim_pop_configuration(dim3 *grid, dim3 *block, size_t *lds, hipStream_t *stream) {
  if (configuration_count == 0)
    return hipErrorMissingConfiguration;
  const struct configuration *top = &configurations[--configuration_count];
  *grid = top->grid;
  *block = top->block;
  *lds = top->lds;
  *stream = top->stream;
  return hipSuccess;
}

static hipError_t launch(struct sim_device *device, const void *host, struct sim_request *request) {
  const hipError_t status = function_of(device, host, &request->function);
  return status == hipSuccess ? sim_launch_request(device, request) : status;
}

SIM_EXPORT hipError_t hipLaunchKernel(const void *host, dim3 grid, dim3 block, void **parameters, size_t lds,
                                      hipStream_t stream) {
  struct sim_request request = {.grid = {grid.x, grid.y, grid.z},
                                .block = {block.x, block.y, block.z},
                                .dynamic_lds = lds,
                                .stream = stream,
                                .parameters = parameters};
  SIM_RETURN(launch(device, host, &request));
}

/* ---- variables ---- */

SIM_EXPORT hipError_t hipGetSymbolAddress(void **pointer, const void *symbol) {
  size_t bytes;
  SIM_RETURN(pointer != NULL ? variable_of(device, symbol, (hipDeviceptr_t *)pointer, &bytes)
                             : hipErrorInvalidValue);
}

SIM_EXPORT hipError_t hipGetSymbolSize(size_t *bytes, const void *symbol) {
  hipDeviceptr_t pointer;
  SIM_RETURN(bytes != NULL ? variable_of(device, symbol, &pointer, bytes) : hipErrorInvalidValue);
}

/* Where [offset, offset + bytes) of a variable lies. */
static hipError_t part_of(struct sim_device *device, const void *symbol, size_t offset, size_t bytes,
                          char **part) {
  hipDeviceptr_t pointer;
  size_t size;
  const hipError_t status = variable_of(device, symbol, &pointer, &size);
  if (status != hipSuccess)
    return status;
  if (offset > size || bytes > size - offset)
    return sim_report(hipErrorInvalidValue, "%zu bytes from %zu on reach beyond a variable of %zu", bytes,
                      offset, size);
  *part = (char *)pointer + offset;
  return hipSuccess;
}

static hipError_t find_part(const void *symbol, size_t offset, size_t bytes, char **part) {
  SIM_RETURN(part_of(device, symbol, offset, bytes, part));
}

SIM_EXPORT hipError_t hipMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                                        hipMemcpyKind kind) {
  char *part = NULL;
  const hipError_t status = find_part(symbol, offset, bytes, &part);
  return status == hipSuccess ? hipMemcpy(part, from, bytes, kind) : status;
}

SIM_EXPORT hipError_t hipMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                          hipMemcpyKind kind) {
  char *part = NULL;
  const hipError_t status = find_part(symbol, offset, bytes, &part);
  return status == hipSuccess ? hipMemcpy(to, part, bytes, kind) : status;
}
