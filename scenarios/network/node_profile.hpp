// Where node profiles are found.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/network/topology/shapes.hpp"
#include "scenarios/config/fields/convert.hpp"

namespace septet::config {

// Throws ConfigError, located at the name, that lists the near misses.
network::NodeSpec find_node_profile(const Name& name, const std::string& key,
                                    const std::vector<std::filesystem::path>& data_directories);

}  // namespace septet::config
