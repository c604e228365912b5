// Models: the config.json of Hugging Face repositories.
#include "scenarios/config/models/hugging_face.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::read_or_refuse(
      [&] { config::read_hugging_face(fuzz::file_of(data, size, ".json")); });
}
