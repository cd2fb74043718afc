#include "gen/instance_reader.h"
int ckt_instance_read_tile(struct ckt_instance_reader *reader, struct ckt_span line) {
  ckt_instance_mark(reader, line);
  return ckt_fail(reader->error, CKT_E_INPUT, "CK Tile's notation is not read yet");
}
