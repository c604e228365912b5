// Which hardware parameters a time depends on, and how strongly.
//
// The elasticity of a time T in a group of numbers is d ln T / d ln t, t the group's times (and the
// reciprocals of its rates): 0.7 says that T grows by 7 % where they grow by 10 %. T is homogeneous
// of degree one in all times together, so by Euler's theorem the elasticities of all groups add up
// to 1: they divide T among the groups, exactly, whatever the model behind it looks like.
// Instruction counts and chains of a description are not hardware parameters: their part is the
// remainder to 1.
//
// Found by changing each group by 1 % up and down. The clock stays: loads whose power pulls it down
// are asked at the clock that it settles at.
#pragma once

#include <functional>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "scenarios/explain/metrics.hpp"
#include "scenarios/explain/stages.hpp"

namespace septet::explain {

struct HardwareGroup {
  const char* name;      // "DRAM bandwidth"
  Stage stage;           // that it belongs to
  gpu::Bottleneck what;  // the limiter, where most of a time depends on it
  Bound bound;
  void (*slow)(gpu::GpuSpec& gpu, double factor);  // its times grow, its rates fall
};

// All numbers of stages 2 to 7, of the tensor cores and of operators.
const std::vector<HardwareGroup>& hardware_groups();

// By group. `time_on` is a pure function.
std::vector<double> elasticities(const gpu::GpuSpec& gpu,
                                 const std::function<Duration(const gpu::GpuSpec&)>& time_on);

// The groups' elasticities added up by their bound; latency takes what is missing to 1.
BoundShares bound_shares(const std::vector<double>& elasticities);

// Of a described kernel: compute is the elasticity in its instruction counts and tensor work.
BoundShares bound_shares(const gpu::GpuSpec& gpu, const KernelDescription& kernel);

}  // namespace septet::explain
