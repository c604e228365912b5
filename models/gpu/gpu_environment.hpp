// What all GPUs of one kind share in a run: the Program, the hardware, whom they talk to and how
// traces name things. Must outlive them.
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

namespace septet {

struct GpuEnvironment {
  // `several_kinds`: there are GPUs of other kinds, on which kernels may run that these can't hold.
  GpuEnvironment(const Program& runs, const std::vector<CompiledGraph>& compiled,
                 const GpuSpec& hardware, const ProgramLayout& where,
                 const CollectiveCallTable& table, bool several_kinds)
      : program(runs),
        graphs(compiled),
        spec(hardware),
        layout(where),
        calls(table),
        needs(runs, hardware.sm, several_kinds) {}
  GpuEnvironment(const GpuEnvironment&) = delete;
  GpuEnvironment& operator=(const GpuEnvironment&) = delete;

  const Program& program;
  const std::vector<CompiledGraph>& graphs;  // one for each of the program's
  const GpuSpec& spec;
  const ProgramLayout& layout;
  const CollectiveCallTable& calls;
  const gpu::KernelNeeds needs;
  gpu::FrontEnd::Setup front_end{program, spec.front_end};
  gpu::Execution::Setup execution{program, spec, needs};
  Bytes inline_copy_max{};          // copies up to this size come with the command
  bool mps = false;                 // processes share the SMs; without: they take turns
  std::vector<double> sm_shares{};  // by process, with MPS: see partition_sms
  std::vector<LpId> hosts{};        // by process of the program
  std::vector<LpId> gpus{};         // by device
  std::vector<LpId> rendezvous{};   // by number
  Duration peer_latency{};          // to another GPU
  std::shared_ptr<const CallHorizons> horizons{};
  std::vector<bool> between_nodes{};             // by rendezvous: its collectives leave the node
  std::vector<std::int32_t> kernel_codes{};      // by kernel: its code in dictionary "kernel"
  std::vector<std::int32_t> collective_codes{};  // by collective: the same
  TableId kernels = 0;
  TableId copies = 0;
  TableId event_records = 0;
  std::uint32_t traced_gpus = kNone;  // the first so many write rows
};

}  // namespace septet
