#include "common/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ckt_text_init(struct ckt_text *text, size_t limit) {
  *text = (struct ckt_text){.limit = limit != 0 ? limit : CKT_TEXT_LIMIT};
}

void ckt_text_free(struct ckt_text *text) {
  free(text->data);
  ckt_text_init(text, text->limit);
}

void ckt_text_clear(struct ckt_text *text) {
  text->length = 0;
  text->failed = false;
  if (text->data != NULL)
    text->data[0] = '\0';
}

/* Makes room for `more` bytes and a NUL. */
static bool reserve(struct ckt_text *text, size_t more) {
  if (text->limit == 0)
    text->limit = CKT_TEXT_LIMIT; /* a zeroed struct is a valid empty buffer */
  if (text->failed || more > text->limit - text->length) {
    text->failed = true;
    return false;
  }
  const size_t needed = text->length + more + 1;
  if (needed <= text->capacity)
    return true;
  size_t capacity = text->capacity < 64 ? 64 : text->capacity;
  while (capacity < needed)
    capacity = capacity <= SIZE_MAX / 2 ? capacity * 2 : needed;
  char *data = realloc(text->data, capacity);
  if (data == NULL) {
    text->failed = true;
    return false;
  }
  text->data = data;
  text->capacity = capacity;
  return true;
}

void ckt_text_append_bytes(struct ckt_text *text, const void *bytes, size_t length) {
  if (length == 0 || !reserve(text, length))
    return;
  memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void ckt_text_append(struct ckt_text *text, const char *string) {
  ckt_text_append_bytes(text, string, strlen(string));
}

void ckt_text_vprintf(struct ckt_text *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  if (length < 0)
    text->failed = true;
  else if (length > 0 && reserve(text, (size_t)length)) {
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void ckt_text_printf(struct ckt_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ckt_text_vprintf(text, format, arguments);
  va_end(arguments);
}

const char *ckt_text_string(const struct ckt_text *text) {
  return text->data != NULL ? text->data : "";
}

int ckt_text_status(const struct ckt_text *text, struct ckt_error *error) {
  if (!text->failed)
    return CKT_OK;
  return ckt_fail(error, CKT_E_NOMEM,
                  "a text of more than %zu bytes could not be built: memory or its limit of %zu ran out",
                  text->length, text->limit);
}

char *ckt_text_take(struct ckt_text *text, struct ckt_error *error) {
  char *data = NULL;
  if (ckt_text_status(text, error) == CKT_OK) {
    data = text->data != NULL ? text->data : calloc(1, 1);
    text->data = NULL;
    if (data == NULL)
      ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  }
  ckt_text_free(text);
  return data;
}
