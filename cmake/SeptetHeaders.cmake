# Headers of other projects that most sources include, compiled once for each kind of target. A
# source still includes what it uses: clang-tidy and the fuzzers compile without these.
option(SEPTET_PRECOMPILED_HEADERS
       "Compile common headers once; turn it off where several worktrees share a compiler cache" ON)

# ccache keeps what was compiled with them only when it is told to (its manual, "Precompiled
# headers").
if(SEPTET_PRECOMPILED_HEADERS AND SEPTET_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${SEPTET_CCACHE})
endif()

set(septet_common_headers
    <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory>
    <numeric> <optional> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>
    <fmt/format.h>)

# septet_precompile(TARGET LINKS target... HEADERS <header>...): what targets that are compiled
# alike reuse.
function(septet_precompile name)
  cmake_parse_arguments(ARG "" "" "LINKS;HEADERS" ${ARGN})
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/headers.cpp)
  target_link_libraries(${name} PRIVATE ${ARG_LINKS})
  if(SEPTET_PRECOMPILED_HEADERS)
    target_compile_options(${name} PRIVATE -fpch-preprocess)
    target_precompile_headers(${name} PRIVATE ${septet_common_headers} ${ARG_HEADERS})
  endif()
endfunction()

function(septet_reuse_headers name headers)
  if(SEPTET_PRECOMPILED_HEADERS)
    target_compile_options(${name} PRIVATE -fpch-preprocess)
    target_precompile_headers(${name} REUSE_FROM ${headers})
  endif()
endfunction()

septet_precompile(septet_headers LINKS fmt::fmt)
septet_precompile(septet_json_headers LINKS fmt::fmt nlohmann_json::nlohmann_json
                  HEADERS <fmt/ranges.h> <nlohmann/json.hpp>)
