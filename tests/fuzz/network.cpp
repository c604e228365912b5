// Networks and the profiles of nodes.
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/network/network_reader.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = fuzz::file_of(data, size, ".toml");
  fuzz::read_or_refuse(
      [&] { config::load_network(file, {std::string(SEPTET_SOURCE_DIRECTORY) + "/data"}); });
  return fuzz::read_or_refuse([&] { config::read_node_profile(file); });
}
