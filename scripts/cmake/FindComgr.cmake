# Finds AMD's code object manager. libhipsim reads kernel metadata with it and binds it at run time, so that one binary
# serves several versions; tests link it as their oracle.
#
# Result: imported targets Comgr::Headers and Comgr::Comgr.

find_path(Comgr_INCLUDE_DIR NAMES amd_comgr/amd_comgr.h amd_comgr.h
          HINTS ENV ROCM_PATH ENV HIP_PATH /opt/rocm
          PATH_SUFFIXES include)
find_library(Comgr_LIBRARY amd_comgr HINTS ENV ROCM_PATH ENV HIP_PATH /opt/rocm PATH_SUFFIXES lib lib64)
mark_as_advanced(Comgr_INCLUDE_DIR Comgr_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Comgr REQUIRED_VARS Comgr_LIBRARY Comgr_INCLUDE_DIR)

if(Comgr_FOUND AND NOT TARGET Comgr::Comgr)
  add_library(Comgr::Headers INTERFACE IMPORTED)
  set(directories ${Comgr_INCLUDE_DIR})
  if(EXISTS ${Comgr_INCLUDE_DIR}/amd_comgr/amd_comgr.h) # later ROCm; <amd_comgr.h> works everywhere with this
    list(APPEND directories ${Comgr_INCLUDE_DIR}/amd_comgr)
  endif()
  set_target_properties(Comgr::Headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${directories}")
  add_library(Comgr::Comgr UNKNOWN IMPORTED)
  set_target_properties(Comgr::Comgr PROPERTIES IMPORTED_LOCATION ${Comgr_LIBRARY} INTERFACE_LINK_LIBRARIES Comgr::Headers)
endif()
