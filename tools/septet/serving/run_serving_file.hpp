// `septet run` of a serving scenario, with its what-ifs.
#pragma once

#include <string>
#include <vector>

#include "scenarios/config/toml/value.hpp"

namespace septet::command {

struct ServingRequest {
  std::string name;  // of the scenario
  std::vector<std::string> settings;
  unsigned threads = 1;
  bool json = false;
};

// Prints the report; an exit code.
int run_serving_file(const config::ConfigValue& tree, const ServingRequest& request);

}  // namespace septet::command
