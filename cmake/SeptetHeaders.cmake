# The headers that most files include, compiled once for all libraries, which saves a quarter of the
# time to compile them. The presets `debug`, `asan` and `tsan` go without, so that a file which
# forgets an include does not compile there.
option(SEPTET_PRECOMPILED_HEADERS "Compile the most common headers once" ON)
set(SEPTET_COMMON_HEADERS
  <algorithm> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span> <string>
  <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h>)

if(SEPTET_PRECOMPILED_HEADERS)
  file(CONFIGURE OUTPUT headers.cpp CONTENT "// Nothing but headers.\n")
  add_library(septet_headers STATIC ${CMAKE_CURRENT_BINARY_DIR}/headers.cpp)
  target_link_libraries(septet_headers PRIVATE fmt::fmt)
  target_compile_options(septet_headers PRIVATE -fpch-preprocess)  # for ccache
  target_precompile_headers(septet_headers PRIVATE ${SEPTET_COMMON_HEADERS})
endif()
