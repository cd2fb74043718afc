/* The program in its other roles: a process that compiles, or one that runs kernels.
 *
 * The coordinator speaks first: one message that configures the worker, which answers with what it found.
 * Then requests and answers alternate. A message is a JSON object on one line.
 *
 *   compile   {"rocm":..|null,"kernels":..|null}
 *          -> {"version":"hiprtc 5.2, comgr 2.4","library":..,"headers":digest}
 *             {"source":path,"target":..,"kernel":entry,"output":path,"log":path}
 *          -> {"seconds":..} or {"code":-7,"error":sentence,"seconds":..}
 *   run       {"simulated":bool,"sim_device":..|null,"rocm":..|null,"device":0,"integer":bool,"seed":..}
 *          -> {"device":{...},"hip_version":"5.2.21153","library":..}
 *             {"problem":key}                -> {"ready":true}
 *             {"problem":key,"instance":key,"code":path} -> {"measurement":{...},"last":bool}
 *
 * Any answer may be {"code":..,"error":sentence} instead. After "last" the worker ends: its device is no longer
 * to be trusted. */
#ifndef CKT_DRIVER_WORKER_H
#define CKT_DRIVER_WORKER_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "common/error.h"

/* argv of a worker: the program, this word, the role. */
#define CKT_WORKER_WORD  "__worker"
#define CKT_ROLE_COMPILE "compile"
#define CKT_ROLE_RUN     "run"

/* A worker's life; gives its exit status. */
int ckt_worker_main(const char *role);

/* One role: serves until the coordinator closes the socket. `input` has the messages; the first is `setup`. */
int ckt_worker_compile(FILE *input, const cJSON *setup);
int ckt_worker_run(FILE *input, const cJSON *setup);

/* The next message; NULL at the end. To be freed with cJSON_Delete. */
cJSON *ckt_worker_receive(FILE *input);
/* Sends an answer and frees it. 0, or -1 when the coordinator is gone. */
int ckt_worker_send(cJSON *answer);
int ckt_worker_send_error(const struct ckt_error *error);

/* A text member, NULL when it is absent or not a text. Also for the coordinator. */
const char *ckt_json_text(const cJSON *object, const char *name);
double ckt_json_number(const cJSON *object, const char *name, double fallback);

#endif
