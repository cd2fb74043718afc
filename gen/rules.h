/* By whose rules a line of an instance list becomes an instance. */
#ifndef CKT_GEN_RULES_H
#define CKT_GEN_RULES_H

enum ckt_rules {
  /* The hardware's: what a line says must divide exactly, lie within sensible bounds and agree with the list it
   * stands in. For kernels of our own. */
  CKT_RULES_HARDWARE,
  /* Those of Composable Kernel's generate_instances.py, to the letter: divisions are truncated, numbers have no
   * limit, some kernels are skipped, the line's own data type is not looked at. For the CK Tile target. */
  CKT_RULES_SEED,
};

#endif
