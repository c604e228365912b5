// A GPU of round numbers, a host, and kernels described in code.
#pragma once

#include "models/host/host_spec.hpp"
#include "scenarios/explain/kernel_description.hpp"
#include "tests/models/gpu/kernel/kernel_gpu.hpp"

namespace septet::testing {

inline HostSpec round_host() {
  HostSpec host;
  host.launch_cost = Duration(2'000'000);
  return host;
}

inline AccessDescription dense(double element, double requests, bool write = false) {
  AccessDescription out;
  out.element_bytes = element;
  out.batch.requests = requests;
  out.batch.sectors = element;
  out.batch.lines = element > 4 ? element / 4 : 1;
  out.batch.write = write;
  return out;
}

// One segment of `turns` turns; loads and stores count as instructions.
inline KernelDescription kernel_of(LaunchShape shape, double turns, double fma, double chain,
                                   std::vector<AccessDescription> accesses = {}) {
  KernelDescription out;
  out.name = "kernel";
  out.shape = shape;
  SegmentDescription& described = out.segments.emplace_back();
  described.segment.repeat = turns;
  described.segment[Pipe::kFma] = fma;
  described.segment.chain_cycles = chain;
  for (const AccessDescription& access : accesses) {
    described.segment[Pipe::kLsu] += access.batch.requests;
  }
  described.accesses = std::move(accesses);
  return out;
}

}  // namespace septet::testing
