#include "scenarios/study/hardware_system.hpp"

#include <memory>
#include <utility>

#include "models/network/cluster/cluster_network.hpp"
#include "scenarios/config/configuration.hpp"
#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/network/network_reader.hpp"

namespace septet::study {

system::SystemSpec system_of(const config::Hardware& hardware) {
  system::SystemSpec system;
  system.gpu = hardware.gpu;
  system.host = hardware.host;
  system.others = hardware.others;
  system.connections = hardware.connections;
  system.mps = hardware.mps;
  system.sm_shares = hardware.sm_shares;
  system.network = hardware.network;
  system.traced_gpus = hardware.traced_gpus;
  system.recorded_share = hardware.recorded_share;
  if (hardware.topology) {
    config::Network network =
        read_network(*hardware.topology, "network", config::data_directories());
    system.cluster = std::make_shared<network::ClusterNetwork>(
        std::move(network.topology), network.routing,
        libraries_by_device(hardware.gpu, hardware.others));
  }
  return system;
}

system::SystemSpec system_named(const std::string& gpu, const std::vector<std::string>& settings,
                                const std::string& origin) {
  const config::ProfileLibrary library(config::data_directories());
  return system_of(read_hardware(gpu, "", settings, library, origin));
}

void check_runs(const config::Configuration& configuration, const config::ProfileLibrary& library) {
  const config::Scenario scenario = read_scenario(configuration);
  system_of(scenario.hardware);
  for (const config::Scenario& one : read_variations(configuration, scenario.what_ifs, library)) {
    system_of(one.hardware);
  }
}

engine::RunOptions options_of(const config::RunSettings& run, unsigned threads) {
  engine::RunOptions options;
  options.threads = threads;
  options.seed = run.seed;
  if (run.end) options.end = Instant() + *run.end;
  return options;
}

}  // namespace septet::study
