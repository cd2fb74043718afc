/* What a function that can fail says: a negative code, and one sentence for a person.
 *
 * The sentence is written once, where the thing and its value are known: it names the thing, the value
 * found, what was expected and the remedy. Layers above hand it on; only the driver prints it. */
#ifndef CKT_COMMON_ERROR_H
#define CKT_COMMON_ERROR_H

#include <stdarg.h>

/* One row a code: name, value. The driver's exit status depends on the code. */
#define CKT_ERROR_CODES(ROW)                                                                                 \
  ROW(CKT_E_USAGE, -1)        /* the command line is wrong */                                                \
  ROW(CKT_E_INPUT, -2)        /* a file, a line or a value given by the user cannot be read */               \
  ROW(CKT_E_NOMEM, -3)        /* memory ran out, or a stated limit was reached */                            \
  ROW(CKT_E_IO, -4)           /* a file or a socket failed */                                                \
  ROW(CKT_E_DEVICE, -5)       /* no usable device, or the device failed */                                   \
  ROW(CKT_E_TOOLCHAIN, -6)    /* HIP, hipRTC or comgr missing or unusable */                                 \
  ROW(CKT_E_COMPILE, -7)      /* a source was refused by the compiler: an outcome, not a fault of cktune */  \
  ROW(CKT_E_RUN, -8)          /* a kernel failed: an outcome, not a fault of cktune */                       \
  ROW(CKT_E_STORE, -9)        /* the store could not be opened, read or written */                           \
  ROW(CKT_E_CACHE, -10)       /* the code-object cache could not be written */                               \
  ROW(CKT_E_WORKER, -11)      /* a worker process could not be started or spoke nonsense */                  \
  ROW(CKT_E_NETWORK, -12)     /* an upload did not arrive */                                                 \
  ROW(CKT_E_INTERRUPTED, -13) /* a signal asked to stop */                                                   \
  ROW(CKT_E_UNSUPPORTED, -14) /* understood, but this build or device cannot do it */                        \
  ROW(CKT_E_INTERNAL, -15)    /* a fault of cktune itself */

enum ckt_code {
  CKT_OK = 0,
#define ROW(name, value) name = value,
  CKT_ERROR_CODES(ROW)
#undef ROW
};

#define CKT_ERROR_TEXT_MAX 1024

struct ckt_error {
  int code;
  char text[CKT_ERROR_TEXT_MAX]; /* one sentence, no newline at its end */
};

/* Fills *error (which may be NULL) and returns code, so that a caller can `return ckt_fail(...)`.
 * A sentence that does not fit is cut in its middle, and control characters become '?'. Arguments may point into error->text. */
int ckt_fail(struct ckt_error *error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int ckt_vfail(struct ckt_error *error, int code, const char *format, va_list arguments);

/* The code's name, "CKT_E_INPUT"; "CKT_OK" for 0. Never NULL. */
const char *ckt_code_name(int code);

/* Forwards a failure: `CKT_TRY(ckt_read(...));` returns from the calling function when it is not CKT_OK.
 * Only for functions that hold nothing to release at that point. */
#define CKT_TRY(expression)                                                                                  \
  do {                                                                                                       \
    const int ckt_try_status = (expression);                                                                 \
    if (ckt_try_status != CKT_OK)                                                                            \
      return ckt_try_status;                                                                                 \
  } while (0)

#endif
