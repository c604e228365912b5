// A scenario that has been read and checked: what runs, on which hardware, and for how long.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/host/host_spec.hpp"
#include "models/host/other_gpus.hpp"
#include "models/network/uniform/uniform_network.hpp"
#include "models/program/program.hpp"
#include "models/workload/training/training_spec.hpp"
#include "scenarios/config/toml/value.hpp"

namespace septet::config {

struct Hardware {
  gpu::GpuSpec gpu;
  host::HostSpec host;
  std::uint32_t gpus = 1;             // GPUs of this kind, devices 0 .. gpus - 1
  std::uint32_t connections = 8;      // CUDA_DEVICE_MAX_CONNECTIONS
  bool mps = false;                   // processes share the SMs; without: they are time-sliced
  std::vector<double> sm_shares;      // by process, with MPS: share of the SMs that it may use
  network::NetworkSpec network{};     // over which collectives run, unless there is a topology
  std::uint32_t traced_gpus = kNone;  // number of GPUs, from the first, shown in traces; kNone: all
  bool recorded_share = false;        // kernels with a duration share; without: they keep it
  std::vector<host::OtherGpus> others{};  // devices of other kinds
  // The table [network], as written; `scenarios/network` makes a topology of it.
  std::optional<ConfigValue> topology{};
  // Warnings about its parameters (profile_warnings), and values without effect.
  std::vector<std::string> warnings{};
};

struct RunSettings {
  std::uint64_t seed = 1;
  std::optional<Duration> end;  // simulated time at which to stop; empty: when all work is done
  // A larger program is refused before it fills the memory: 64 bytes a call, 100 a node.
  std::uint64_t max_calls = 16'000'000;
  std::uint64_t max_graph_nodes = 10'000'000;  // of a graph, with those of the graphs inside
};

// A named variation of the scenario: values overlaid on it, then a change of its program.
struct WhatIf {
  std::string name;
  std::string description;
  ConfigValue set;       // a table; keys may be dotted
  std::string change{};  // as scenarios/WHATIFS.md describes it; empty: none
  Location where{};      // of the change, or of the variation
};

struct Scenario {
  std::string name;
  std::string description;
  Hardware hardware;
  RunSettings run;
  program::Program program;
  std::vector<WhatIf> what_ifs;
  std::optional<training::TrainingSpec> training{};  // of which the program is a step
};

}  // namespace septet::config
