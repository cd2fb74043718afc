/* One instance in our own notation: a space of one point. */
#include <inttypes.h>

#include "gen/instance_reader.h"
#include "gen/space.h"

int ckt_instance_read_own(struct ckt_instance_reader *reader, struct ckt_span line) {
  struct ckt_space *space;
  struct ckt_span fault;
  const int status = ckt_space_parse(line, reader->defaults, &space, &fault, reader->error);
  ckt_instance_mark(reader, fault);
  if (status != CKT_OK)
    return status;
  reader->instance = *ckt_space_first(space);
  const bool plain = ckt_space_is_plain(space);
  const int64_t size = ckt_space_size(space);
  ckt_space_free(space);
  return plain ? CKT_OK
               : ckt_fail(reader->error, CKT_E_INPUT,
                          "the line is a space of %" PRId64 " instances, expected a single one without sets "
                          "and without where",
                          size);
}
