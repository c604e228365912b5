// Scenarios: from TOML to the program, the hardware and the what-ifs.
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const config::ProfileLibrary library({std::string(SEPTET_SOURCE_DIRECTORY) + "/data"});
  return fuzz::read_or_refuse([&] {
    const config::ConfigValue file = config::read_toml(fuzz::text_of(data, size), "fuzz.toml");
    const config::Configuration configuration = config::resolve(file, {}, library);
    const config::Scenario scenario = config::read_scenario(configuration);
    config::read_variations(configuration, scenario.what_ifs, library);
    config::resolved_toml(configuration);
  });
}
