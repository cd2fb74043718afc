/* MessagePack (msgpack.org specification), judged before it is handed to a reader that trusts it: the code object manager
 * ends the process on a value of a kind that kernel metadata does not have. */
#ifndef SIM_MSGPACK_H
#define SIM_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the bytes begin with one whole value made of maps with string keys, arrays, strings, numbers, booleans and
 * nil, not nested deeper than metadata is. */
bool sim_msgpack_is_plain(const uint8_t *bytes, size_t size);

#endif
