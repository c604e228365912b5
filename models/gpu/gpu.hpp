// One GPU: the front end (stage 1) takes commands off hardware connections, the distributor
// (stages 2 and 3) places blocks on SMs, copy engines move data, graphs run node by node.
//
// Front end: a stream's connection is its index modulo the number of connections. A launch starts
// when it stands at the head of its stream and of its connection, and the events that its stream
// waits for were recorded; from there latencies of FrontEndSpec apply. Waits and records belong to
// their stream alone: they hold up a connection only through the launch behind them. Kernels with a
// recorded duration keep it and take no SM room: their recording already contains what they shared.
// Programmatic dependent launch: a kernel may start once the one before it has triggered; what
// follows its griddepcontrol.wait starts when the one before it has ended. Not modelled here: time
// by instruction and memory behaviour.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/process.hpp"
#include "models/gpu/distributor.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/gpu/gpu_state.hpp"
#include "models/graph/compiled_graph.hpp"

namespace septet {

class Gpu : public LogicalProcess {
 public:
  struct Wiring {
    std::uint32_t device = 0;
    std::vector<ProcessId> hosts;              // by process of the program
    std::vector<ProcessId> gpus;               // by device
    std::vector<std::uint32_t> connection;     // by stream
    std::uint32_t connections = 0;
    std::vector<std::vector<std::uint32_t>> event_devices;  // by event: other devices that wait
    Duration peer_latency{};                   // to another GPU
    std::vector<std::int32_t> kernel_codes;    // by kernel: its code in dictionary "kernel"
    TableId kernels = 0;
    TableId copies = 0;
    TableId event_records = 0;
  };

  // The program and the compiled graphs (one for each of the program's) must outlive the GPU.
  Gpu(const Program& program, const std::vector<CompiledGraph>& graphs, const GpuSpec& spec,
      Wiring wiring);

  void handle(const Event& event, Context& context) override;

 private:
  // Front end (gpu_front_end.cpp).
  void arrive(const Event& event, Context& context);
  void pump(std::uint32_t stream, WaitCause cause, Context& context);
  bool take_head(std::uint32_t index, WaitCause cause, Context& context);
  bool record(std::uint32_t index, std::uint32_t slot, Context& context);
  bool pass_wait(std::uint32_t index, std::uint32_t slot, WaitCause cause, Context& context);
  bool launch(std::uint32_t index, std::uint32_t slot, WaitCause cause, Context& context);
  void leave_connection(Connection& connection, Context& context);
  Instant start_time(Command& command, WaitCause cause, Context& context) const;
  void event_done(std::uint32_t event, std::uint16_t generation, Context& context);
  void retire(std::uint32_t index, std::uint32_t slot, Context& context);
  void tell_host(std::uint32_t stream, Context& context);
  void complete(std::uint32_t slot, bool triggered, Context& context);
  void grid_left(Context& context);
  std::uint32_t call_stream(const Command& command) const;

  // Execution (gpu_execution.cpp).
  void begin_work(std::uint32_t work, Duration delay, Context& context);
  void start_work(std::uint32_t work, Context& context);
  void end_work(std::uint32_t work, Context& context);
  void start_copy(Work& work, std::uint32_t slot, Context& context);
  void finish_grid(GridId grid, Context& context);
  void trigger(std::uint32_t work, Context& context);
  void release(std::uint32_t work, Duration latency, Context& context);
  void emit(const Work& work, Context& context) const;
  std::uint32_t command_work(std::uint32_t command, Instant start);

  // Graphs (gpu_graphs.cpp).
  void start_graph(std::uint32_t command, Context& context);
  void ready_node(std::uint32_t run, std::uint32_t node, Duration gap, Context& context);
  void launch_node(std::uint32_t run, std::uint32_t node, Context& context);
  void end_node(std::uint32_t run, std::uint32_t node, bool triggered, Context& context);
  void trigger_node(std::uint32_t run, std::uint32_t node, Context& context);
  Duration node_gap(std::uint32_t run, std::uint32_t from, std::uint32_t to, bool triggered) const;

  const Program& program_;
  const std::vector<CompiledGraph>& graphs_;
  const GpuSpec spec_;
  const Wiring wiring_;
  Distributor distributor_;
  std::vector<StreamQueue> streams_;
  std::vector<Connection> connections_;
  std::vector<std::uint16_t> event_generation_;
  std::vector<std::vector<std::uint32_t>> event_waiters_;  // by event: streams
  std::deque<std::uint32_t> grid_waiters_;                 // streams that wait for a resident grid
  std::vector<PendingPump> to_pump_;
  SlotPool<Command> commands_;
  SlotPool<Work> works_;
  SlotPool<GraphRun> graph_runs_;
  std::vector<std::uint32_t> grid_work_;  // by grid: its work
  std::vector<BlockNeeds> needs_;         // by kernel
  std::vector<Instant> engine_free_;      // by copy engine
  std::deque<std::uint32_t> nodes_waiting_;  // works of graph nodes that wait for a resident grid
  std::uint32_t resident_grids_ = 0;
};

}  // namespace septet
