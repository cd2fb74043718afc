#include "bench/hipsim/sim_profile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/hipsim/sim_table.h"

/* ---- JSON ---- */

/* Kernel names are symbols; what JSON does not take as it stands is escaped all the same. */
static void write_text(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text != '\0'; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fprintf(file, "\\%c", c);
    else if (c < 0x20 || c >= 0x7f)
      fprintf(file, "\\u%04x", c);
    else
      fputc(c, file);
  }
  fputc('"', file);
}

static void write_count(FILE *file, const char *name, uint64_t value) {
  fprintf(file, "\"%s\":%llu,", name, (unsigned long long)value);
}

static void write_number(FILE *file, const char *name, double value) {
  fprintf(file, "\"%s\":%.6g,", name, value);
}

static void write_triple(FILE *file, const char *name, const uint32_t *v) {
  fprintf(file, "\"%s\":[%u,%u,%u],", name, v[0], v[1], v[2]);
}

/* ---- parts ---- */

static void write_classes(FILE *file, const struct sim_counts *c) {
  const struct {
    const char *name;
    uint64_t count;
  } rows[] = {{"salu", c->salu},        {"valu", c->valu},  {"smem", c->smem}, {"load", c->vmem_load},
              {"store", c->vmem_store}, {"lds", c->lds},    {"mfma", c->mfma}, {"branch", c->branch},
              {"barrier", c->barrier},  {"other", c->other}};
  fputs("\"classes\":{", file);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    fprintf(file, "%s\"%s\":%llu", i > 0 ? "," : "", rows[i].name, (unsigned long long)rows[i].count);
  fputs("},", file);
}

static void write_instructions(FILE *file, const uint64_t *hits) {
  const char *comma = "";
  fputs("\"by_instruction\":{", file);
  for (unsigned op = 0; op < SIM_OP_COUNT; ++op) {
    if (hits[op] == 0)
      continue;
    fprintf(file, "%s\"%s\":%llu", comma, sim_info[op].name, (unsigned long long)hits[op]);
    comma = ",";
  }
  fputs("},", file);
}

static void write_lds(FILE *file, const struct sim_counts *c) {
  fprintf(file, "\"lds\":{\"clocks\":%llu,\"conflict_clocks\":%llu},", (unsigned long long)c->lds_cycles,
          (unsigned long long)c->lds_conflict_cycles);
}

static void write_bytes(FILE *file, const struct sim_counts *c, const struct sim_model_traffic *t) {
  fprintf(file,
          "\"bytes\":{\"loaded\":%llu,\"stored\":%llu,\"l1\":%.0f,\"l2_read\":%.0f,\"l2_write\":%.0f,"
          "\"last_level_read\":%.0f,\"memory_read\":%.0f,\"memory_write\":%.0f},",
          (unsigned long long)c->load_bytes, (unsigned long long)c->store_bytes, t->l1, t->l2_read,
          t->l2_write, t->last_read, t->memory_read, t->memory_write);
}

static void write_occupancy(FILE *file, const struct sim_profile *p) {
  const struct sim_model_input *in = p->input;
  const struct sim_kernel *k = in->kernel;
  const uint32_t waves = (in->block + SIM_LANES - 1) / SIM_LANES;
  fprintf(
      file,
      "\"occupancy\":{\"workgroups_cu\":%u,\"waves_simd\":%.6g,\"limiter\":\"%s\",\"vgprs\":%u,\"agprs\":%u,"
      "\"sgprs\":%u,\"lds_bytes\":%u,\"scratch_bytes\":%u},",
      p->time->blocks_cu, (double)p->time->blocks_cu * waves / SIM_SIMDS,
      sim_blocks_limiter(in->model->arch, k, in->block, in->dynamic_lds), k->vgprs, k->agprs, k->sgprs,
      k->lds_bytes + in->dynamic_lds, k->scratch_bytes);
}

/* Shares of the time of the replayed waves. */
static void write_stalls(FILE *file, const struct sim_cu_result *r) {
  static const char *const names[SIM_CU_STALLS] = {
      [SIM_CU_STALL_VMCNT] = "vmcnt",           [SIM_CU_STALL_LGKMCNT] = "lgkmcnt",
      [SIM_CU_STALL_DEPENDENCY] = "dependency", [SIM_CU_STALL_BARRIER] = "barrier",
      [SIM_CU_STALL_MATRIX] = "matrix_busy",    [SIM_CU_STALL_ISSUE] = "issue",
      [SIM_CU_STALL_BRANCH] = "branch"};
  double stalled = 0;
  const double all = r->wave_clocks > 0 ? (double)r->wave_clocks : 1;
  fputs("\"stalls\":{", file);
  for (unsigned i = 0; i < SIM_CU_STALLS; ++i) {
    fprintf(file, "\"%s\":%.4f,", names[i], (double)r->stall[i] / all);
    stalled += (double)r->stall[i] / all;
  }
  fprintf(file, "\"none\":%.4f},", stalled < 1 ? 1 - stalled : 0);
}

static const char *bound_of(const struct sim_model_time *t) {
  if (t->memory_ns > t->cu_ns && t->memory_ns >= t->l2_ns)
    return "memory";
  return t->l2_ns > t->cu_ns ? "l2" : "cu";
}

/* The part of the busiest CU's clocks that its matrix pipes, VALUs, LDS and vector memory are busy. */
static void write_model(FILE *file, const struct sim_profile *p) {
  const struct sim_model_time *t = p->time;
  const struct sim_cu_result *r = &t->replay;
  const double clocks = t->clocks * p->input->model->compute_units * SIM_SIMDS;
  const double replayed = r->clocks > 0 ? (double)r->clocks : 1;
  write_number(file, "mfma_share", clocks > 0 ? (double)p->input->counts.mfma_cycles / clocks : 0);
  write_number(file, "valu_share", clocks > 0 ? (double)p->input->counts.valu_cycles / clocks : 0);
  fprintf(file,
          "\"replay\":{\"steps\":%llu,\"clocks\":%llu,\"lds_busy\":%.4f,\"vmem_busy\":%.4f,\"l1_hits\":%llu,"
          "\"l1_lines\":%llu},",
          (unsigned long long)r->steps, (unsigned long long)r->clocks, (double)r->busy[SIM_CU_LDS] / replayed,
          (double)r->busy[SIM_CU_VMEM] / replayed, (unsigned long long)r->l1_hits,
          (unsigned long long)r->l1_lines);
  fprintf(file, "\"method\":\"%s\",\"bound\":\"%s\",\"workgroups_busiest_cu\":%llu,",
          t->replayed ? "replay" : "roofline", bound_of(t), (unsigned long long)t->blocks_busiest);
  write_number(file, "clocks", t->clocks);
  write_number(file, "cu_us", t->cu_ns / 1000);
  write_number(file, "l2_us", t->l2_ns / 1000);
  write_number(file, "memory_us", t->memory_ns / 1000);
  fprintf(file, "\"time_us\":%.6g", t->ns / 1000);
}

static void write_object(FILE *file, const struct sim_profile *p) {
  fputs("{\"kernel\":", file);
  write_text(file, p->input->kernel->name);
  fprintf(file, ",\"device\":\"%s\",\"arch\":\"%s\",", p->input->model->key,
          sim_arch_facts(p->input->model->arch)->name);
  write_triple(file, "grid", p->grid);
  write_triple(file, "block", p->block);
  write_count(file, "instructions", p->input->counts.instructions);
  write_classes(file, &p->input->counts);
  write_instructions(file, p->hits);
  write_lds(file, &p->input->counts);
  write_bytes(file, &p->input->counts, &p->time->traffic);
  write_occupancy(file, p);
  write_stalls(file, &p->time->replay);
  write_model(file, p);
  fputs("}\n", file);
}

/* In one write, so that the lines of several processes do not end up in each other. */
static int append(const char *path, const char *line, size_t length) {
  const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    return -1;
  const bool whole = write(file, line, length) == (ssize_t)length;
  return close(file) == 0 && whole ? 0 : -1;
}

int sim_profile_write(const char *path, const struct sim_profile *p) {
  char *line = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&line, &length);
  if (file != NULL)
    write_object(file, p);
  const bool made = file != NULL && fclose(file) == 0;
  const int status = made ? append(path, line, length) : -1;
  if (status != 0)
    fprintf(stderr, "hipsim: HIPSIM_PROFILE: %s cannot be written (%s); name a file in a folder that can\n",
            path, strerror(errno));
  free(line);
  return status;
}
