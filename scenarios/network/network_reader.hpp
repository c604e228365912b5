// Networks from TOML: shapes with their numbers, or vertex by vertex; degraded and failed links.
//
// FORMAT.md lists the keys. Mistakes are ConfigErrors with file, line, key, got and wanted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/network/topology/router.hpp"
#include "models/network/topology/shapes.hpp"
#include "scenarios/config/toml/value.hpp"

namespace septet::config {

struct Network {
  network::Topology topology;
  network::Routing routing = network::Routing::kRailAware;
};

// `table`: what `[network]` holds, `path` its name in messages. Node profiles are looked for in
// DIRECTORY/nodes of each of `data_directories`, the first of a name wins.
Network read_network(const ConfigValue& table, const std::string& path,
                     const std::vector<std::filesystem::path>& data_directories);

// A file with a table [network]; its other tables are not looked at.
Network load_network(const std::filesystem::path& file,
                     const std::vector<std::filesystem::path>& data_directories);

// A node profile: every number with its source.
network::NodeSpec read_node_profile(const std::filesystem::path& file);

}  // namespace septet::config
