// What all GPUs of one kind share in a run: the Program, the hardware, their communication partners
// and names for traces. Must outlive them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/event.hpp"
#include "core/trace/row.hpp"
#include "models/gpu/execution/execution.hpp"
#include "models/gpu/execution/kernel_needs.hpp"
#include "models/gpu/front_end/front_end.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/gpu/horizon/call_horizon.hpp"
#include "models/graph/compiled_graph.hpp"
#include "models/network/rendezvous/call_table.hpp"
#include "models/program/layout.hpp"

namespace septet::gpu {

struct GpuEnvironment {
  // `several_kinds`: there are GPUs of other kinds, on which kernels may run that these can't hold.
  GpuEnvironment(const program::Program& runs, const std::vector<graph::CompiledGraph>& compiled,
                 const GpuSpec& hardware, const program::ProgramLayout& where,
                 const network::CollectiveCallTable& table, bool several_kinds)
      : program(runs),
        graphs(compiled),
        spec(hardware),
        layout(where),
        calls(table),
        needs(runs, hardware.sm, several_kinds) {}
  GpuEnvironment(const GpuEnvironment&) = delete;
  GpuEnvironment& operator=(const GpuEnvironment&) = delete;

  const program::Program& program;
  const std::vector<graph::CompiledGraph>& graphs;  // one for each of the program's
  const GpuSpec& spec;
  const program::ProgramLayout& layout;
  const network::CollectiveCallTable& calls;
  const KernelNeeds needs;
  FrontEnd::Setup front_end{program, spec.front_end};
  Execution::Setup execution{program, spec, needs};
  Bytes inline_copy_max{};                 // copies up to this size come with the command
  bool mps = false;                        // processes share the SMs; without: they are time-sliced
  std::vector<double> sm_shares{};         // by process, with MPS: see partition_sms
  std::vector<engine::LpId> hosts{};       // by process of the program
  std::vector<engine::LpId> gpus{};        // by device
  std::vector<engine::LpId> rendezvous{};  // by number
  Duration peer_latency{};                 // to another GPU
  std::shared_ptr<const CallHorizons> horizons{};
  std::vector<bool> between_nodes{};             // by rendezvous: its collectives leave the node
  std::vector<std::int32_t> kernel_codes{};      // by kernel: its code in dictionary "kernel"
  std::vector<std::int32_t> collective_codes{};  // by collective: the same
  trace::TableId kernels = 0;
  trace::TableId copies = 0;
  trace::TableId event_records = 0;
  std::uint32_t traced_gpus = kNone;  // number of GPUs, from the first, that write rows
};

}  // namespace septet::gpu
