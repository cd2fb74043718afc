/* libamd_comgr, bound at run time. */
#ifndef SIM_COMGR_H
#define SIM_COMGR_H

#include <amd_comgr.h>

#define SIM_COMGR_SYMBOLS(ROW)                                                                               \
  ROW(create_data)                                                                                           \
  ROW(release_data)                                                                                          \
  ROW(set_data)                                                                                              \
  ROW(get_data_metadata)                                                                                     \
  ROW(destroy_metadata)                                                                                      \
  ROW(get_metadata_kind)                                                                                     \
  ROW(get_metadata_string)                                                                                   \
  ROW(metadata_lookup)                                                                                       \
  ROW(get_metadata_list_size)                                                                                \
  ROW(index_list_metadata)                                                                                   \
  ROW(create_symbolizer_info)                                                                                \
  ROW(destroy_symbolizer_info)                                                                               \
  ROW(symbolize)

struct sim_comgr {
#define ROW(name) __typeof__(amd_comgr_##name) *name;
  SIM_COMGR_SYMBOLS(ROW)
#undef ROW
  char trouble[256]; /* why it is not there; "" when it is */
};

/* Thread-safe; the library stays open for good. */
const struct sim_comgr *sim_comgr(void);

#endif
