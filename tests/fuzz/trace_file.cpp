// Septet's own HDF5 files. Those that are whole by their checksum are read at once; all others by a
// child process first, in which libhdf5 may crash.
#include "models/workload/recorded/import/importer.hpp"
#include "models/workload/recorded/recorded_reader.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::read_or_refuse([&] {
    recorded::import_recording(recorded::read_recorded(fuzz::file_of(data, size, ".h5")));
  });
}
