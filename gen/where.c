#include "gen/where.h"

#include "gen/where_tree.h"

struct evaluation {
  const struct ckt_where_node *nodes;
  const struct ckt_instance *instance;
  struct ckt_span *fault;
  struct ckt_error *error;
};

static int evaluate(const struct evaluation *evaluation, size_t index, int64_t *value);

static int fail_computing(const struct evaluation *evaluation, const struct ckt_where_node *node,
                          const char *what) {
  *evaluation->fault = node->at;
  return ckt_fail(evaluation->error, CKT_E_INPUT, "%s cannot be computed: %s", ckt_span_quote(node->at).text,
                  what);
}

static int divide(const struct evaluation *evaluation, const struct ckt_where_node *node, int64_t left,
                  int64_t right, int64_t *value) {
  if (right == 0)
    return fail_computing(evaluation, node, "the divisor is 0");
  if (left == INT64_MIN && right == -1)
    return fail_computing(evaluation, node, "the result is beyond 64 bits");
  *value = node->operation == CKT_WHERE_DIVIDE ? left / right : left % right;
  return CKT_OK;
}

static int compute(const struct evaluation *evaluation, const struct ckt_where_node *node, int64_t left,
                   int64_t right, int64_t *value) {
  bool fits = true;
  switch (node->operation) {
  case CKT_WHERE_ADD:
    fits = !__builtin_add_overflow(left, right, value);
    break;
  case CKT_WHERE_SUBTRACT:
    fits = !__builtin_sub_overflow(left, right, value);
    break;
  case CKT_WHERE_MULTIPLY:
    fits = !__builtin_mul_overflow(left, right, value);
    break;
  case CKT_WHERE_DIVIDE:
  case CKT_WHERE_REMAINDER:
    return divide(evaluation, node, left, right, value);
  case CKT_WHERE_EQUAL:
    *value = left == right;
    break;
  case CKT_WHERE_DIFFERENT:
    *value = left != right;
    break;
  case CKT_WHERE_AT_MOST:
    *value = left <= right;
    break;
  case CKT_WHERE_AT_LEAST:
    *value = left >= right;
    break;
  case CKT_WHERE_LESS:
    *value = left < right;
    break;
  default: /* CKT_WHERE_MORE */
    *value = left > right;
    break;
  }
  return fits ? CKT_OK : fail_computing(evaluation, node, "the result is beyond 64 bits");
}

static bool is_member(const struct evaluation *evaluation, const struct ckt_where_node *node, int64_t value) {
  for (size_t i = 0; i < node->count; i++)
    if (ckt_range_contains(&evaluation->nodes[node->right + i].range, value))
      return true;
  return false;
}

static int evaluate(const struct evaluation *evaluation, size_t index, int64_t *value) {
  const struct ckt_where_node *node = &evaluation->nodes[index];
  int64_t left = 0, right = 0;
  switch (node->operation) {
  case CKT_WHERE_CONSTANT:
    *value = node->range.first;
    return CKT_OK;
  case CKT_WHERE_FIELD:
    *value = ckt_field_get(evaluation->instance, node->field, node->component);
    return CKT_OK;
  case CKT_WHERE_DERIVED:
    *value = node->compute(evaluation->instance);
    return CKT_OK;
  default:
    break;
  }
  CKT_TRY(evaluate(evaluation, node->left, &left));
  switch (node->operation) {
  case CKT_WHERE_NOT:
    *value = left == 0;
    return CKT_OK;
  case CKT_WHERE_NEGATE:
    *value = 0;
    return __builtin_sub_overflow(*value, left, value)
               ? fail_computing(evaluation, node, "the result is beyond 64 bits")
               : CKT_OK;
  case CKT_WHERE_IN:
    *value = is_member(evaluation, node, left);
    return CKT_OK;
  case CKT_WHERE_AND:
  case CKT_WHERE_OR:
    *value = left;
    return (left != 0) == (node->operation == CKT_WHERE_OR) ? CKT_OK
                                                            : evaluate(evaluation, node->right, value);
  default:
    CKT_TRY(evaluate(evaluation, node->right, &right));
    return compute(evaluation, node, left, right, value);
  }
}

int ckt_where_holds(const struct ckt_where *where, const struct ckt_instance *instance, bool *holds,
                    struct ckt_span *fault, struct ckt_error *error) {
  const struct evaluation evaluation = {where->nodes, instance, fault, error};
  int64_t value = 0;
  CKT_TRY(evaluate(&evaluation, where->root, &value));
  *holds = value != 0;
  return CKT_OK;
}
