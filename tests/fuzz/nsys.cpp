// SQLite exports of Nsight Systems, up to the program made of them.
#include "models/workload/recorded/import/importer.hpp"
#include "models/workload/recorded/nsys/nsys_reader.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::read_or_refuse([&] {
    recorded::import_recording(recorded::read_nsys(fuzz::file_of(data, size, ".sqlite")));
  });
}
