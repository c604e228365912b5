# Compiler settings of every target, and the helper that declares one target per folder.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")

find_program(SEPTET_CCACHE ccache)
if(SEPTET_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SEPTET_CCACHE})
endif()

set(SEPTET_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize= takes them")
if(SEPTET_SANITIZE)
  add_compile_options(-fsanitize=${SEPTET_SANITIZE} -fno-omit-frame-pointer -g
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SEPTET_SANITIZE})
endif()

option(SEPTET_FUZZ "Build the fuzzers, with clang; its warnings are other ones than GCC's" OFF)
if(SEPTET_FUZZ)
  add_compile_options(-fno-sanitize=pointer-overflow)  # RapidJSON adds offsets to null pointers
else()
  add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Werror)
  if(SEPTET_SANITIZE)
    add_compile_options(-Wno-maybe-uninitialized)  # GCC 12 is wrong about std::regex then
  endif()
endif()

# septet_library(NAME SOURCES file... LINKS target...): the library of one folder. The arrows
# between folders are the LINKS; a test compares them with what the files include. Those below the
# tools are installed, as Septet::NAME without "septet_".
function(septet_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/septet>)
  target_link_libraries(${name} PUBLIC ${ARG_LINKS})
  if(nlohmann_json::nlohmann_json IN_LIST ARG_LINKS)
    septet_reuse_headers(${name} septet_json_headers)
  else()
    septet_reuse_headers(${name} septet_headers)
  endif()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT folder MATCHES "^tools/")
    septet_install_library(${name})
  endif()
endfunction()
