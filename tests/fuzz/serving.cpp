// Serving scenarios: from TOML to the fleet, the engine and the requests.
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/serving/serving_case.hpp"
#include "scenarios/serving/serving_configuration.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const serving::Libraries libraries({std::string(SEPTET_SOURCE_DIRECTORY) + "/data"});
  return fuzz::read_or_refuse([&] {
    const config::ConfigValue file = config::read_toml(fuzz::text_of(data, size), "fuzz.toml");
    const serving::ServingConfiguration configuration =
        serving::resolve_serving(file, {}, libraries);
    serving::case_of(configuration, libraries);
    serving::resolved_toml(configuration);
  });
}
