// A system built from Specs and a Program: one logical process for each host process, each GPU and
// each part of the network in which collectives meet, wired together, ready to run once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/simulation.hpp"
#include "core/trace/table.hpp"
#include "models/fabric/traced_links.hpp"
#include "models/fabric/waited_for.hpp"
#include "models/gpu/activity.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/host/host_spec.hpp"
#include "models/host/other_gpus.hpp"
#include "models/network/uniform/uniform_network.hpp"
#include "models/program/program.hpp"

namespace septet {

struct SystemSpec {
  GpuSpec gpu;
  HostSpec host;
  std::uint32_t connections = 0;  // CUDA_DEVICE_MAX_CONNECTIONS; 0: the GPU's default
  bool mps = false;               // processes share the SMs; without: they take turns
  // Kernels with recorded durations that overlap slow each other (models/gpu/shared_run.hpp). Off
  // where the recording's own durations contain it already.
  bool recorded_share = false;
  std::vector<double> sm_shares;   // by process, with MPS: share of the SMs that it may use
  Duration peer_latency{500'000};  // one GPU's signal to another over NVLink or PCIe
  NetworkSpec network;             // over which collectives run, unless `cluster` is there
  std::shared_ptr<const CollectiveModel> cluster;
  std::uint32_t traced_gpus = kNone;  // rows are kept of the first so many; kNone: of all
  bool trace_links = false;           // rows of what the links of `cluster` carry
  std::vector<OtherGpus> others{};    // devices of other kinds, each node of one kind
};

// The hardware connections that the system has. Throws ModelError where the GPU has fewer.
std::uint32_t connection_count(const SystemSpec& system);

// The tables that a system writes, and what the codes in them mean.
struct SystemTrace {
  TraceSchema schema;
  TableId api_calls = 0;
  TableId kernels = 0;
  TableId copies = 0;
  TableId event_records = 0;
  TableId collectives = 0;                 // only where the program has some
  TableId links = 0;                       // only where `traced_links` has some
  std::vector<std::string> calls;          // dictionary "call"
  std::vector<std::string> threads;        // dictionary "thread"
  std::vector<std::string> communicators;  // dictionary "communicator"
  Dictionary kernel_names;                 // dictionary "kernel"
  Dictionary shortcuts;                    // dictionary "shortcut", see CollectivePlan
  TracedLinks traced_links;                // dictionary "link"
};

// What a run left undone that was cut short by RunOptions::end.
struct Unfinished {
  std::uint64_t launches = 0;      // of kernels, graphs, copies, fills, collectives: not ended
  std::uint64_t all_launches = 0;  // of the program
  std::uint64_t calls = 0;         // API calls and CPU work of all threads: not returned
};

// What a GPU of a run with collectives did.
struct GpuActivity {
  ActivityTimes times;
  WaitedFor waited_for;
};

class System {
 public:
  // The program must outlive the system. Throws ConfigError where the program is wrong and
  // ModelError where the GPU cannot run one of its kernels.
  System(const Program& program, const SystemSpec& spec);
  ~System();

  // Runs the program to its end. Throws ModelError naming who waits for whom where threads wait or
  // streams hold work for ever (unless `options.end` cut the run short).
  RunResult run(const RunOptions& options);

  // After run(). Nothing of a run that was not cut short.
  Unfinished unfinished() const;

  const Program& program() const;
  const SystemSpec& spec() const;
  const SystemTrace& trace() const;

  // Of all GPUs, traced or not, by device; empty where the program has no collectives.
  std::vector<GpuActivity> activity() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace septet
