// A GPU of round numbers, a host, and kernels described in code.
#pragma once

#include "models/host/host_spec.hpp"
#include "scenarios/explain/kernel_description.hpp"
#include "tests/models/gpu/kernel/kernel_gpu.hpp"

namespace septet::testing {

inline host::HostSpec round_host() {
  host::HostSpec host;
  host.launch_cost = Duration(2'000'000);
  return host;
}

inline explain::AccessDescription dense(double element, double requests, bool write = false) {
  explain::AccessDescription out;
  out.element_bytes = element;
  out.batch.requests = requests;
  out.batch.sectors = element;
  out.batch.lines = element > 4 ? element / 4 : 1;
  out.batch.write = write;
  return out;
}

// One segment of `turns` turns; loads and stores count as instructions.
inline explain::KernelDescription kernel_of(program::LaunchShape shape, double turns, double fma,
                                            double chain,
                                            std::vector<explain::AccessDescription> accesses = {}) {
  explain::KernelDescription out;
  out.name = "kernel";
  out.shape = shape;
  explain::SegmentDescription& described = out.segments.emplace_back();
  described.segment.repeat = turns;
  described.segment[program::Pipe::kFma] = fma;
  described.segment.chain_cycles = chain;
  for (const explain::AccessDescription& access : accesses) {
    described.segment[program::Pipe::kLsu] += access.batch.requests;
  }
  described.accesses = std::move(accesses);
  return out;
}

}  // namespace septet::testing
