// One GPU. The path of a launch (gpu.cpp; for the nodes of a graph gpu_graphs.cpp):
//
//   arrive      FrontEnd: the command is queued in its stream and its hardware connection
//   dispatch    FrontEnd: it is at the head of both, and what its stream waits for has happened
//   launch      it becomes a work, or a graph whose nodes become works (GraphRuns)
//   start_work  Execution: blocks on SMs (BlockScheduler), a share of the GPU (SharedRun) or a copy
//               engine; PersistentKernels and CollectiveKernels keep their blocks there
//   end_work    WorkLog: a row of the trace; another grid may become resident
//   complete    the host is notified, and the next command of the stream may continue
//
// Time-sliced processes (ProcessTurns, gpu_processes.cpp) do this while they have the GPU. Parts
// don't know each other, except for Execution, which PersistentKernels and CollectiveKernels use:
// they report what happened, and this class acts on it. HorizonProgress predicts when the GPU next
// sends to other nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/logical_process.hpp"
#include "models/gpu/blocked_work.hpp"
#include "models/gpu/collective_kernels.hpp"
#include "models/gpu/execution/execution.hpp"
#include "models/gpu/front_end/front_end.hpp"
#include "models/gpu/gpu_environment.hpp"
#include "models/gpu/graphs/graph_runs.hpp"
#include "models/gpu/horizon/horizon_progress.hpp"
#include "models/gpu/persistent_kernels.hpp"
#include "models/gpu/processes/process_turns.hpp"
#include "models/gpu/work_log.hpp"
#include "models/program/waiting.hpp"

namespace septet::gpu {

class Gpu : public engine::LogicalProcess {
 public:
  Gpu(const GpuEnvironment& environment, std::uint32_t device);

  void handle(const engine::Event& event, engine::Context& context) override;
  bool has_dynamic_lookahead() const override { return horizon_.foresees(); }
  Instant earliest_output_time(Instant next) const override {
    return horizon_.earliest_output(next);
  }

  // When nothing more can happen: what each stream with pending work waits for.
  std::vector<program::Waiting> waiting() const;
  program::QueueState queue_state(std::uint32_t queue) const;

  // Kernels, graphs, copies, memsets and collectives, each launch once, that have ended so far.
  std::uint64_t launches_ended() const { return launches_ended_; }
  // What it spent its time on; nothing where the program has no collectives.
  ActivityTimes activity() const { return log_.activity(); }
  // Of the works that traces would show, traced or not, that have ended so far.
  const Extent& extent() const { return log_.extent(); }

 private:
  void react(const engine::Event& event, engine::Context& context);

  void arrive(const engine::Event& event, engine::Context& context);
  void dispatch(const StreamTurn& turn, engine::Context& context);
  void launch(std::uint32_t command, engine::Context& context);
  void record(std::uint32_t command, engine::Context& context);
  void event_recorded(std::uint32_t event, std::uint16_t generation, engine::Context& context);
  std::uint32_t add_work(Work& work, std::uint32_t command);
  void begin_work(std::uint32_t work, Duration delay, engine::Context& context);
  void start_work(std::uint32_t work, engine::Context& context);
  void cohort_ended(const engine::Event& event, engine::Context& context);
  void trigger(std::uint32_t work, engine::Context& context);
  void end_work(std::uint32_t work, engine::Context& context);
  void grid_left(engine::Context& context);
  void complete(std::uint32_t command, bool triggered, engine::Context& context);
  void retire(std::uint32_t command, engine::Context& context);

  void start_graph(std::uint32_t command, engine::Context& context);
  void follow(std::uint32_t run, engine::Context& context);
  void launch_node(std::uint32_t run, std::uint32_t node, engine::Context& context);
  void end_node(std::uint32_t run, std::uint32_t node, bool triggered, engine::Context& context);

  std::uint32_t process_of(const engine::Event& event) const;
  void process_arrived(std::uint32_t process, engine::Context& context);
  void start_slice(engine::Context& context);
  void switch_out(engine::Context& context);
  void switch_in(std::uint32_t process, engine::Context& context);
  Duration process_gap() const;

  BlockedWork blocked_work() const;

  const GpuEnvironment& environment_;
  const program::DeviceLayout& layout_;
  ProcessTurns turns_;
  FrontEnd front_end_;
  GraphRuns graphs_;
  Execution execution_;
  HorizonProgress horizon_;
  WorkLog log_;
  PersistentKernels persistent_;
  CollectiveKernels collectives_;
  std::uint64_t launches_ended_ = 0;
};

}  // namespace septet::gpu
