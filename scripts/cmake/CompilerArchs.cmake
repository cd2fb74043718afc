# CKTUNE_ARCHS: those of cktune's architectures that the installed ROCm can compile for. Comgr is hipRTC's compiler, and
# asking it is harmless: hipRTC itself ends its process over an architecture that it does not know.

if(NOT DEFINED CKTUNE_ARCHS)
  try_run(ran built ${PROJECT_BINARY_DIR}/comgr_isas ${CMAKE_CURRENT_LIST_DIR}/comgr_isas.c
          LINK_LIBRARIES Comgr::Comgr RUN_OUTPUT_VARIABLE known COMPILE_OUTPUT_VARIABLE log)
  if(NOT built OR NOT ran EQUAL 0)
    message(FATAL_ERROR "comgr (${Comgr_LIBRARY}) does not say what it can compile for: ${log} ${known}")
  endif()
  set(archs)
  foreach(arch gfx908 gfx90a gfx942 gfx950)
    if(known MATCHES "(^|\n)${arch}(\n|$)")
      list(APPEND archs ${arch})
    endif()
  endforeach()
  message(STATUS "Compiles for: ${archs}")
  set(CKTUNE_ARCHS ${archs} CACHE STRING "Architectures that tests compile for")
endif()
