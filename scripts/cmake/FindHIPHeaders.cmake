# Finds the headers of the HIP runtime, and nothing else: HIP's libraries are bound at run time.
# (HIP's own CMake package wants hipcc, and enables languages that a C project does not have.)
#
# Result: imported target HIPHeaders::HIPHeaders; HIPHeaders_VERSION; HIPHeaders_ROOT.

find_path(HIPHeaders_INCLUDE_DIR hip/hip_runtime_api.h
          HINTS ENV ROCM_PATH ENV HIP_PATH /opt/rocm
          PATH_SUFFIXES include)
mark_as_advanced(HIPHeaders_INCLUDE_DIR)

if(HIPHeaders_INCLUDE_DIR AND EXISTS ${HIPHeaders_INCLUDE_DIR}/hip/hip_version.h)
  file(STRINGS ${HIPHeaders_INCLUDE_DIR}/hip/hip_version.h lines REGEX "#define HIP_VERSION_(MAJOR|MINOR|PATCH) ")
  set(HIPHeaders_VERSION)
  foreach(part MAJOR MINOR PATCH)
    if("${lines}" MATCHES "HIP_VERSION_${part} +([0-9]+)")
      list(APPEND HIPHeaders_VERSION ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(JOIN HIPHeaders_VERSION "." HIPHeaders_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HIPHeaders REQUIRED_VARS HIPHeaders_INCLUDE_DIR
                                  VERSION_VAR HIPHeaders_VERSION)

if(HIPHeaders_FOUND)
  get_filename_component(HIPHeaders_ROOT ${HIPHeaders_INCLUDE_DIR} DIRECTORY)
  if(NOT TARGET HIPHeaders::HIPHeaders)
    add_library(HIPHeaders::HIPHeaders INTERFACE IMPORTED)
    set_target_properties(HIPHeaders::HIPHeaders PROPERTIES
                          INTERFACE_INCLUDE_DIRECTORIES ${HIPHeaders_INCLUDE_DIR}
                          INTERFACE_COMPILE_DEFINITIONS __HIP_PLATFORM_AMD__=1)
  endif()
endif()
