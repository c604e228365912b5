#include "scenarios/system/system_spec.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/network/uniform/library_network.hpp"

namespace septet::system {

std::uint32_t connections_of(std::uint32_t wanted, const gpu::GpuSpec& gpu) {
  const gpu::FrontEndSpec& front_end = gpu.front_end;
  if (wanted == 0) return front_end.default_connections;
  if (wanted > front_end.max_connections) {
    throw ModelError(fmt::format("{} hardware connections requested, {} has at most {}", wanted,
                                 gpu.name, front_end.max_connections));
  }
  return wanted;
}

std::uint32_t connection_count(const SystemSpec& spec) {
  return connections_of(spec.connections, spec.gpu);
}

std::shared_ptr<const network::CollectiveModel> network_of(const SystemSpec& system,
                                                           const program::Program& program) {
  if (system.cluster == nullptr) {
    return std::make_shared<network::LibraryNetwork>(
        system.network, libraries_by_device(system.gpu, system.others), program.devices);
  }
  if (system.cluster->gpu_count() < program.devices) {
    throw ConfigError({}, fmt::format("network: {} GPUs, but the program uses {}",
                                      system.cluster->gpu_count(), program.devices));
  }
  return system.cluster;
}

}  // namespace septet::system
