// What a system must know of a program before it is built.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/program/program.hpp"

namespace septet {

// By queue: the device on which its persistent kernel is launched.
std::vector<std::uint32_t> queue_devices(const Program& program);

// How soon something that a host does can reach a GPU, and the reverse.
Duration host_lookahead(const Program& program, const GpuSpec& gpu);
Duration gpu_lookahead(const Program& program, const GpuSpec& gpu);

// By kernel, graphs as one each.
std::uint64_t launches_of(const Program& program);

}  // namespace septet
