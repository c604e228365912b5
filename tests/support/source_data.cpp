// Linked into every test program: where nothing else is said, data are those of the source tree.
#include <cstdlib>

namespace {

// Before any static object, since some read data.
[[gnu::constructor(101)]] void choose_source_data() {
  ::setenv("SEPTET_DATA", SEPTET_SOURCE_DATA, 0);
}

}  // namespace
