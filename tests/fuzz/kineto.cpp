// Recordings of the PyTorch profiler, plain or compressed, up to the program made of them.
#include "models/workload/recorded/import/importer.hpp"
#include "models/workload/recorded/kineto/kineto_reader.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::read_or_refuse([&] {
    recorded::import_recording(recorded::read_kineto(fuzz::file_of(data, size, ".json")));
  });
}
