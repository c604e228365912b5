// XSpace profiles of JAX and TensorFlow, up to the program made of them.
#include "models/workload/recorded/import/importer.hpp"
#include "models/workload/recorded/xspace/xspace_reader.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::read_or_refuse([&] {
    recorded::import_recording(recorded::read_xspace(fuzz::file_of(data, size, ".xplane.pb")));
  });
}
