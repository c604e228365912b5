// Sweeps: from TOML to the points.
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/sweep/points.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::read_or_refuse([&] {
    const config::ConfigValue file = config::read_toml(fuzz::text_of(data, size), "fuzz.toml");
    if (sweep::is_sweep(file)) sweep::points_of(sweep::read_sweep(file), file, "");
  });
}
