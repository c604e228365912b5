// Facts about a program needed to build a system.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/program/program.hpp"

namespace septet::system {

// By queue: the device on which its persistent kernel is launched.
std::vector<std::uint32_t> queue_devices(const program::Program& program);

// How soon something that a host does can reach a GPU, and the reverse.
Duration host_lookahead(const program::Program& program, const gpu::GpuSpec& gpu);
Duration gpu_lookahead(const program::Program& program, const gpu::GpuSpec& gpu);

// By kernel, graphs as one each.
std::uint64_t launches_of(const program::Program& program);

}  // namespace septet::system
