#include "isa_assemble.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amd_comgr.h>

static const char *const names[SIM_ARCHS] = {"gfx908", "gfx90a", "gfx942", "gfx950"};

const char *isa_arch_name(enum sim_arch arch) {
  return names[arch];
}

static bool ok(amd_comgr_status_t status) {
  return status == AMD_COMGR_STATUS_SUCCESS;
}

bool isa_knows(enum sim_arch arch) {
  size_t count = 0;
  amd_comgr_get_isa_count(&count);
  for (size_t i = 0; i < count; i++) {
    const char *name = NULL;
    if (ok(amd_comgr_get_isa_name(i, &name)) && strstr(name, names[arch]))
      return true;
  }
  return false;
}

/* ---- source ---- */

/* Each line begins a slot of its own, so that where it lies says which it is. Two lines of source a slot. */
static char *write_source(const char (*lines)[ISA_TEXT], size_t count, size_t *size) {
  char *text = NULL;
  FILE *f = open_memstream(&text, size);
  if (!f)
    return NULL;
  for (size_t i = 0; i < count; i++)
    fprintf(f, ".org %zu\n%s\n", i * sizeof(struct isa_code), lines[i]);
  fprintf(f, ".org %zu\n", count * sizeof(struct isa_code));
  fclose(f);
  return text;
}

/* Gives the messages of a log, each with the instruction that it is about. */
static void explain(amd_comgr_data_set_t set, const char (*lines)[ISA_TEXT], size_t count) {
  amd_comgr_data_t log;
  size_t size = 0;
  if (!ok(amd_comgr_action_data_get_data(set, AMD_COMGR_DATA_KIND_LOG, 0, &log)))
    return;
  amd_comgr_get_data(log, &size, NULL);
  char *text = calloc(size + 1, 1);
  if (text && ok(amd_comgr_get_data(log, &size, text)))
    for (const char *at = text; (at = strstr(at, ": error: ")) != NULL; at++) {
      const char *begin = at;
      while (begin > text && begin[-1] != '\n')
        begin--;
      const char *number = strchr(begin, ':');
      size_t line = number ? strtoul(number + 1, NULL, 10) / 2 : 0;
      fprintf(stderr, "%.*s: %s\n", (int)strcspn(at + 2, "\n"), at + 2,
              line > 0 && line <= count ? lines[line - 1] : "?");
    }
  free(text);
  amd_comgr_release_data(log);
}

/* ---- the object file ---- */

static bool copy_text(const char *elf, size_t size, struct isa_code *code, size_t count) {
  Elf64_Ehdr header;
  if (size < sizeof header)
    return false;
  memcpy(&header, elf, sizeof header);
  for (unsigned i = 0; i < header.e_shnum; i++) {
    Elf64_Shdr section;
    size_t at = header.e_shoff + i * sizeof section;
    if (at + sizeof section > size)
      return false;
    memcpy(&section, elf + at, sizeof section);
    if (section.sh_type != SHT_PROGBITS || !(section.sh_flags & SHF_EXECINSTR))
      continue;
    if (section.sh_size != count * sizeof *code || section.sh_offset + section.sh_size > size)
      return false;
    memcpy(code, elf + section.sh_offset, section.sh_size);
    return true;
  }
  return false;
}

static bool take_object(amd_comgr_data_set_t set, struct isa_code *code, size_t count) {
  amd_comgr_data_t object;
  size_t size = 0;
  if (!ok(amd_comgr_action_data_get_data(set, AMD_COMGR_DATA_KIND_RELOCATABLE, 0, &object)))
    return false;
  amd_comgr_get_data(object, &size, NULL);
  char *elf = malloc(size + 1);
  bool taken = elf && ok(amd_comgr_get_data(object, &size, elf)) && copy_text(elf, size, code, count);
  free(elf);
  amd_comgr_release_data(object);
  return taken;
}

/* ---- comgr ---- */

static bool add_source(amd_comgr_data_set_t set, const char *text, size_t size) {
  amd_comgr_data_t source;
  if (!ok(amd_comgr_create_data(AMD_COMGR_DATA_KIND_SOURCE, &source)))
    return false;
  bool added = ok(amd_comgr_set_data(source, size, text)) && ok(amd_comgr_set_data_name(source, "isa.s")) &&
               ok(amd_comgr_data_set_add(set, source));
  amd_comgr_release_data(source);
  return added;
}

static bool set_up(amd_comgr_action_info_t info, enum sim_arch arch) {
  char isa[64];
  snprintf(isa, sizeof isa, "amdgcn-amd-amdhsa--%s", names[arch]);
  return ok(amd_comgr_action_info_set_isa_name(info, isa)) &&
         ok(amd_comgr_action_info_set_logging(info, true));
}

static bool run(enum sim_arch arch, const char *text, size_t size, amd_comgr_data_set_t in,
                amd_comgr_data_set_t out) {
  amd_comgr_action_info_t info;
  if (!ok(amd_comgr_create_action_info(&info)))
    return false;
  bool done = set_up(info, arch) && add_source(in, text, size) &&
              ok(amd_comgr_do_action(AMD_COMGR_ACTION_ASSEMBLE_SOURCE_TO_RELOCATABLE, info, in, out));
  amd_comgr_destroy_action_info(info);
  return done;
}

bool isa_assemble(enum sim_arch arch, const char (*lines)[ISA_TEXT], size_t count, struct isa_code *code) {
  amd_comgr_data_set_t in, out;
  size_t size = 0;
  char *text = write_source(lines, count, &size);
  if (!text || !ok(amd_comgr_create_data_set(&in)) || !ok(amd_comgr_create_data_set(&out)))
    abort();
  memset(code, 0, count * sizeof *code);
  bool done = run(arch, text, size, in, out) && take_object(out, code, count);
  if (!done)
    explain(out, lines, count);
  amd_comgr_destroy_data_set(in);
  amd_comgr_destroy_data_set(out);
  free(text);
  return done;
}
