/* The short form of an instance: what is read, from bytes that need not be text, matches itself made long. */
#include <string.h>

#include "fuzz_target.h"
#include "gen/instance_short.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct ckt_short_form form;
  if (!ckt_short_form_read((struct ckt_span){(const char *)data, size}, &form) || !form.complete)
    return 0;
  struct ckt_instance instance = {.direction = CKT_FORWARD,
                                  .block_size = form.block_size,
                                  .specialization = form.specialization,
                                  .tile = {form.tile[0], form.tile[1], form.tile[2]},
                                  .warp_tile = {form.xdl[0], form.xdl[1], 8},
                                  .vector = {form.vector[0], form.vector[1], form.vector[2]}};
  bool whole = true;
  for (int i = 0; i < 2; i++) {
    const int64_t of_a_wave = form.xdl[i] * form.repeat[i];
    whole = whole && of_a_wave != 0 && form.tile[i] % of_a_wave == 0;
    instance.warps[i] = whole ? form.tile[i] / of_a_wave : 0;
  }
  FUZZ_REQUIRE(!whole || ckt_short_form_matches(&form, &instance));
  instance.block_size++;
  FUZZ_REQUIRE(!ckt_short_form_matches(&form, &instance));
  return 0;
}
