#include <stdlib.h>
#include <string.h>

#include "gen/derived.h"
#include "gen/where_tree.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Brackets and signs inside each other. */
#define DEPTH_MAX 64

enum { NOT_PRECEDENCE = 3, SIGN_PRECEDENCE = 7 };

static const struct infix {
  const char *text;
  int precedence;
  enum ckt_where_type operands, result;
} operators[] = {
#define ROW(name, text, precedence, operands, result)                                                        \
  {text, precedence, CKT_WHERE_##operands, CKT_WHERE_##result},
    CKT_WHERE_OPERATORS(ROW)
#undef ROW
};

static int64_t registers(const struct ckt_instance *instance) {
  return ckt_instance_accumulators(instance) + ckt_instance_working_registers(instance);
}

static const struct {
  const char *name;
  ckt_where_number *compute;
} derived_names[] = {{"threads", ckt_instance_threads},
                     {"lds", ckt_instance_lds_bytes},
                     {"accumulators", ckt_instance_accumulators},
                     {"registers", registers}};

struct parser {
  struct ckt_where *where;
  struct ckt_span rest;  /* behind the token at hand */
  struct ckt_span token; /* length 0: the end */
  int depth;
  struct ckt_span *fault;
  struct ckt_error *error;
};

#define FAIL(parser, at, ...) (*(parser)->fault = (at), ckt_fail((parser)->error, CKT_E_INPUT, __VA_ARGS__))

static bool is_word_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
         byte == '_';
}

static size_t token_length(struct ckt_span rest) {
  size_t length = 0;
  while (length < rest.length && is_word_byte(rest.text[length]))
    length++;
  if (length > 0 || rest.length == 0)
    return length;
  const bool compares = strchr("<>=!", rest.text[0]) != NULL;
  return compares && rest.length > 1 && rest.text[1] == '=' ? 2 : 1;
}

static void advance(struct parser *parser) {
  const struct ckt_span rest = ckt_span_trim(parser->rest);
  const size_t length = token_length(rest);
  parser->token = (struct ckt_span){rest.text, length};
  parser->rest = (struct ckt_span){rest.text + length, rest.length - length};
}

static bool at_token(const struct parser *parser, const char *text) {
  return ckt_span_equals(parser->token, text);
}

/* The token for a message; at the end of the clause, that. */
static struct ckt_quote quote_token(const struct parser *parser) {
  static const struct ckt_quote end = {"the end"};
  return parser->token.length > 0 ? ckt_span_quote(parser->token) : end;
}

static int add_node(struct parser *parser, struct ckt_where_node node, size_t *index) {
  struct ckt_where *where = parser->where;
  if (where->count == CKT_WHERE_NODES_MAX)
    return FAIL(parser, node.at, "the condition has more than %d terms and operators", CKT_WHERE_NODES_MAX);
  where->nodes[where->count] = node;
  *index = where->count++;
  return CKT_OK;
}

static int enter(struct parser *parser) {
  if (parser->depth == DEPTH_MAX)
    return FAIL(parser, parser->token, "brackets and signs are nested more than %d deep", DEPTH_MAX);
  parser->depth++;
  return CKT_OK;
}

static int require_type(struct parser *parser, size_t index, enum ckt_where_type wanted) {
  const struct ckt_where_node *node = &parser->where->nodes[index];
  if (node->type == wanted)
    return CKT_OK;
  if (node->type == CKT_WHERE_WORD)
    return FAIL(parser, node->at, "%s is a word, expected it to be compared with ==, != or in",
                ckt_span_quote(node->at).text);
  return FAIL(parser, node->at, "%s is %s, expected %s", ckt_span_quote(node->at).text,
              node->type == CKT_WHERE_NUMBER ? "a number" : "true or false",
              wanted == CKT_WHERE_NUMBER ? "a number" : "what is true or false, as in tile_m == 64");
}

/* The component of a field that a name with a letter at its end means: tile_m. */
static bool find_component(struct ckt_span name, struct ckt_where_node *node) {
  if (name.length < 3 || name.text[name.length - 2] != '_')
    return false;
  node->field = ckt_field_find((struct ckt_span){name.text, name.length - 2});
  if (node->field == NULL || node->field->letters == NULL)
    return false;
  const char *letter = strchr(node->field->letters, name.text[name.length - 1]);
  if (letter == NULL || *letter == '\0')
    return false;
  node->component = (size_t)(letter - node->field->letters);
  return true;
}

static int read_name(struct parser *parser, size_t *index) {
  const struct ckt_span name = parser->token;
  struct ckt_where_node node = {.operation = CKT_WHERE_FIELD, .type = CKT_WHERE_NUMBER, .at = name};
  for (size_t i = 0; i < COUNT(derived_names); i++)
    if (ckt_span_equals(name, derived_names[i].name)) {
      node.operation = CKT_WHERE_DERIVED;
      node.compute = derived_names[i].compute;
    }
  if (node.operation == CKT_WHERE_FIELD && !find_component(name, &node)) {
    node.field = ckt_field_find(name);
    if (node.field == NULL)
      return FAIL(parser, name,
                  "%s is no name, expected a field (tile_m, warps_n, warp_tile_k, vector_a, split_k, "
                  "block_size, pipeline, ...), threads, lds, accumulators or registers",
                  ckt_span_quote(name).text);
    if (node.field->letters != NULL)
      return FAIL(parser, name, "%s has three numbers, expected one of them: %s_%c, %s_%c or %s_%c",
                  ckt_span_quote(name).text, node.field->name, node.field->letters[0], node.field->name,
                  node.field->letters[1], node.field->name, node.field->letters[2]);
    if (node.field->kind != CKT_FIELD_NUMBERS)
      node.type = node.field->kind == CKT_FIELD_FLAG ? CKT_WHERE_TRUTH : CKT_WHERE_WORD;
  }
  advance(parser);
  return add_node(parser, node, index);
}

static int read_constant(struct parser *parser, size_t *index) {
  struct ckt_where_node node = {.operation = CKT_WHERE_CONSTANT, .at = parser->token};
  if (at_token(parser, "true") || at_token(parser, "false")) {
    node.type = CKT_WHERE_TRUTH;
    node.range.first = at_token(parser, "true");
  } else {
    CKT_TRY(ckt_range_parse(parser->token, &node.range, parser->fault, parser->error));
  }
  advance(parser);
  return add_node(parser, node, index);
}

static int read_binary(struct parser *parser, int least, size_t *index);

static int read_brackets(struct parser *parser, size_t *index) {
  const struct ckt_span open = parser->token;
  CKT_TRY(enter(parser));
  advance(parser);
  CKT_TRY(read_binary(parser, 0, index));
  parser->depth--;
  if (!at_token(parser, ")"))
    return parser->token.length == 0 ? FAIL(parser, open, "the bracket is not closed, expected )")
                                     : FAIL(parser, parser->token, "%s is read, expected an operator or )",
                                            quote_token(parser).text);
  advance(parser);
  return CKT_OK;
}

/* `not` and the sign: an operand that binds at least as tightly as the operator. */
static int read_prefix(struct parser *parser, enum ckt_where_operation operation, size_t *index) {
  struct ckt_where_node node = {.operation = operation, .at = parser->token};
  node.type = operation == CKT_WHERE_NOT ? CKT_WHERE_TRUTH : CKT_WHERE_NUMBER;
  CKT_TRY(enter(parser));
  advance(parser);
  CKT_TRY(read_binary(parser, operation == CKT_WHERE_NOT ? NOT_PRECEDENCE : SIGN_PRECEDENCE, &node.left));
  parser->depth--;
  CKT_TRY(require_type(parser, node.left, node.type));
  return add_node(parser, node, index);
}

static const struct infix *operator_at(const struct parser *parser) {
  for (size_t i = 0; i < CKT_WHERE_OPERATOR_COUNT; i++)
    if (at_token(parser, operators[i].text))
      return &operators[i];
  return NULL;
}

static int read_operand(struct parser *parser, size_t *index) {
  if (at_token(parser, "("))
    return read_brackets(parser, index);
  if (at_token(parser, "not"))
    return read_prefix(parser, CKT_WHERE_NOT, index);
  if (at_token(parser, "-"))
    return read_prefix(parser, CKT_WHERE_NEGATE, index);
  static const char nothing = '\0';
  const char first = *(parser->token.length > 0 ? parser->token.text : &nothing);
  if (!is_word_byte(first) || operator_at(parser) != NULL)
    return FAIL(parser, parser->token, "%s is read, expected a name, a number, not, - or (",
                quote_token(parser).text);
  const bool constant =
      (first >= '0' && first <= '9') || at_token(parser, "true") || at_token(parser, "false");
  return constant ? read_constant(parser, index) : read_name(parser, index);
}

/* A word of the field on the left. */
static int read_word(struct parser *parser, const struct ckt_field *field, struct ckt_span word,
                     size_t *index) {
  struct ckt_where_node node = {
      .operation = CKT_WHERE_CONSTANT, .type = CKT_WHERE_WORD, .range = {.step = 1}, .at = word};
  if (!ckt_field_word(field, word, &node.range.first))
    return FAIL(parser, word, "%s is compared with %s, expected %s", field->name,
                word.length > 0 ? ckt_span_quote(word).text : "nothing", field->example);
  node.range.last = node.range.first;
  return add_node(parser, node, index);
}

static int read_member(struct parser *parser, const struct ckt_where_node *left, struct ckt_span text,
                       size_t *index) {
  if (left->type == CKT_WHERE_WORD)
    return read_word(parser, left->field, text, index);
  struct ckt_where_node node = {.operation = CKT_WHERE_CONSTANT, .at = text};
  CKT_TRY(ckt_range_parse(text, &node.range, parser->fault, parser->error));
  return add_node(parser, node, index);
}

/* What stands behind `in`: {member, member, ...}; the members are nodes side by side. */
static int read_set(struct parser *parser, struct ckt_where_node *in) {
  const struct ckt_span open = parser->token;
  if (!at_token(parser, "{"))
    return FAIL(parser, open, "%s is read, expected a set as in {64, 128}", quote_token(parser).text);
  if (memchr(parser->rest.text, '}', parser->rest.length) == NULL)
    return FAIL(parser, open, "the set is not closed, expected }");
  const struct ckt_where_node left = parser->where->nodes[in->left];
  struct ckt_span members = ckt_span_cut(&parser->rest, '}');
  for (in->count = 0; members.text != NULL; in->count++) {
    size_t index = 0;
    CKT_TRY(read_member(parser, &left, ckt_span_trim(ckt_span_cut(&members, ',')), &index));
    if (in->count == 0)
      in->right = index;
  }
  advance(parser);
  return CKT_OK;
}

/* The right side of an operator whose left one is read, and whether the two go together. */
static int read_right(struct parser *parser, struct ckt_where_node *node, const struct infix *infix) {
  const struct ckt_where_node left = parser->where->nodes[node->left];
  const bool any_type = node->operation == CKT_WHERE_EQUAL || node->operation == CKT_WHERE_DIFFERENT;
  if (left.type == CKT_WHERE_WORD && (any_type || node->operation == CKT_WHERE_IN)) {
    if (node->operation == CKT_WHERE_IN)
      return read_set(parser, node);
    const struct ckt_span word = parser->token;
    advance(parser);
    return read_word(parser, left.field, word, &node->right);
  }
  if (!any_type || left.type == CKT_WHERE_WORD)
    CKT_TRY(require_type(parser, node->left, infix->operands));
  if (node->operation == CKT_WHERE_IN)
    return read_set(parser, node);
  CKT_TRY(read_binary(parser, infix->precedence + 1, &node->right));
  return require_type(parser, node->right, any_type ? left.type : infix->operands);
}

/* An operand, and operators that bind at least as tightly as `least` with theirs, from left to right. */
static int read_binary(struct parser *parser, int least, size_t *index) {
  CKT_TRY(read_operand(parser, index));
  const struct infix *infix;
  while ((infix = operator_at(parser)) != NULL && infix->precedence >= least) {
    struct ckt_where_node node = {.operation = (enum ckt_where_operation)(infix - operators),
                                  .type = infix->result,
                                  .left = *index,
                                  .at = parser->token};
    advance(parser);
    CKT_TRY(read_right(parser, &node, infix));
    CKT_TRY(add_node(parser, node, index));
  }
  return CKT_OK;
}

static int read_all(struct parser *parser) {
  advance(parser);
  CKT_TRY(read_binary(parser, 0, &parser->where->root));
  if (parser->token.length > 0)
    return FAIL(parser, parser->token, "%s is read, expected an operator or the end of the condition",
                quote_token(parser).text);
  return require_type(parser, parser->where->root, CKT_WHERE_TRUTH);
}

static size_t bytes_of(size_t nodes) {
  return sizeof(struct ckt_where) + nodes * sizeof(struct ckt_where_node);
}

int ckt_where_parse(struct ckt_span text, struct ckt_where **where, struct ckt_span *fault,
                    struct ckt_error *error) {
  *where = NULL;
  struct ckt_where *full = calloc(1, bytes_of(CKT_WHERE_NODES_MAX));
  if (full == NULL)
    return ckt_fail(error, CKT_E_NOMEM, "memory ran out");
  struct parser parser = {.where = full, .rest = text, .fault = fault, .error = error};
  const int status = read_all(&parser);
  if (status != CKT_OK) {
    ckt_where_free(full);
    return status;
  }
  *where = malloc(bytes_of(full->count));
  if (*where == NULL) { /* full is larger than need be, and as good */
    *where = full;
    return CKT_OK;
  }
  memcpy(*where, full, bytes_of(full->count));
  ckt_where_free(full);
  return CKT_OK;
}

void ckt_where_free(struct ckt_where *where) {
  free(where);
}
