# Compiler settings and the helper functions that the folders' CMakeLists.txt share.

option(CKTUNE_WERROR "Treat warnings as errors" OFF)
option(CKTUNE_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)

# The build tree mirrors the installed tree, so that the program finds its data
# relative to itself by one rule in both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/cktune)

add_library(ckt_settings INTERFACE)
target_compile_options(ckt_settings INTERFACE -Wall -Wextra -Wshadow -Wconversion
                       $<$<BOOL:${CKTUNE_WERROR}>:-Werror>)
target_compile_definitions(ckt_settings INTERFACE _GNU_SOURCE)
target_include_directories(ckt_settings INTERFACE ${PROJECT_SOURCE_DIR})
if(CKTUNE_SANITIZE)
  target_compile_options(ckt_settings INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                         -fno-omit-frame-pointer)
  target_link_options(ckt_settings INTERFACE -fsanitize=address,undefined)
endif()

# A room of the program: a static library named ckt_<room>.
function(ckt_add_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ckt_settings ${ARG_LIBS})
endfunction()

# A cmocka test program. Exit status 77 means skipped (an input of the test is not there).
function(ckt_add_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LIBS;ENVIRONMENT;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ckt_settings PkgConfig::CMOCKA ${ARG_LIBS})
  target_compile_definitions(${name} PRIVATE CKT_SHARED_DIR="${PROJECT_SOURCE_DIR}/../shared"
                             CKT_SOURCE_DIR="${PROJECT_SOURCE_DIR}" CKT_BINARY_DIR="${PROJECT_BINARY_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  ckt_test_properties(${name} TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT ${ARG_ENVIRONMENT} LABELS ${ARG_LABELS})
endfunction()

# Settings that every test has, compiled or script.
function(ckt_test_properties name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "ENVIRONMENT;LABELS" ${ARGN})
  set(environment ${ARG_ENVIRONMENT} "HOME=${PROJECT_BINARY_DIR}/test-home" "AMD_COMGR_CACHE=0"
      "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/scripts/lsan.supp:print_suppressions=0"
      "UBSAN_OPTIONS=print_stacktrace=1")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} SKIP_RETURN_CODE 77
                       ENVIRONMENT "${environment}" LABELS "${ARG_LABELS}")
endfunction()
