// One GPU: the front end (stage 1) takes commands off hardware connections, the distributor
// (stages 2 and 3) places blocks on SMs, copy engines move data, graphs run node by node.
//
// Front end: each process has connections of its own. A stream takes one when it launches while
// nothing of it waits to start: a free one if there is one, else the one given out least recently;
// it keeps it until its last queued command has started. A launch starts when it stands at the head
// of its stream and of its connection, and the events that its stream waits for were recorded; from
// there latencies of FrontEndSpec apply. Waits and records belong to their stream alone: they hold
// up a connection only through the launch behind them. Kernels with a recorded duration keep it
// and, unless they are told to share, take no SM room: their recording already contains what they
// shared. Programmatic dependent launch: a kernel may start once the one before it has triggered;
// what follows its griddepcontrol.wait starts when the one before it has ended. Kernels described
// by their instructions or as operators are timed as a whole (timed_kernel.hpp) and share the GPU
// (shared_run.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/extent.hpp"
#include "core/engine/logical_process.hpp"
#include "models/gpu/activity.hpp"
#include "models/gpu/call_horizon.hpp"
#include "models/gpu/distributor.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/gpu/gpu_state.hpp"
#include "models/gpu/shared_run.hpp"
#include "models/gpu/sm_partition.hpp"
#include "models/graph/compiled_graph.hpp"
#include "models/network/rendezvous/call_table.hpp"
#include "models/program/layout.hpp"
#include "models/program/waiting.hpp"
#include "models/records/gpu_records.hpp"

namespace septet {

class Gpu : public LogicalProcess {
 public:
  // What all GPUs of one kind share; must outlive them.
  struct Wiring {
    const Program& program;
    const std::vector<CompiledGraph>& graphs;  // one for each of the program's
    const GpuSpec& spec;
    const ProgramLayout& layout;
    const CollectiveCallTable& sites;
    std::vector<LpId> hosts{};    // by process of the program
    std::vector<LpId> gpus{};     // by device
    std::vector<LpId> fabrics{};  // by number
    std::uint32_t connections = 0;
    Duration peer_latency{};  // to another GPU
    Bytes inline_copy_max{};  // copies and memsets up to these sizes come with the command
    Bytes inline_memset_max{};
    ByteRate host_copy_rate{};                     // of copies from host memory to host memory
    std::vector<std::int32_t> kernel_codes{};      // by kernel: its code in dictionary "kernel"
    std::vector<std::int32_t> collective_codes{};  // by collective: the same
    bool mps = false;                 // processes share the SMs; without: they take turns
    bool recorded_share = false;      // recorded kernels that overlap slow each other
    std::vector<double> sm_shares{};  // by process, with MPS: see partition_sms
    TableId kernels = 0;
    TableId copies = 0;
    TableId event_records = 0;
    // Worked out by describe_kernels().
    std::vector<BlockNeeds> needs{};        // by kernel
    std::vector<std::string> impossible{};  // by kernel: why an SM can't hold a block of it, if so
    BlockNeeds collective_needs{};
    bool takes_room = false;            // some kernels take SM room, so collectives do as well
    std::uint32_t traced_gpus = kNone;  // the first so many write rows
    std::shared_ptr<const CallHorizons> horizons{};
    std::vector<bool> between_nodes{};  // by fabric: its collectives leave the node

    // Throws ModelError where an SM can't hold a block of some kernel; where there are GPUs of
    // other kinds, on which it may run instead, that is an error of its launch.
    void describe_kernels(bool several_kinds);
    BlockNeeds needs_of(const Kernel& kernel, bool several_kinds);
  };

  Gpu(const Wiring& wiring, std::uint32_t device);

  void handle(const Event& event, Context& context) override;
  bool has_dynamic_lookahead() const override { return horizon_ != nullptr; }
  Instant earliest_output_time(Instant next) const override;

  // Once nothing can happen any more: what each stream with work left waits for.
  std::vector<Waiting> waiting() const;
  QueueStanding standing(std::uint32_t queue) const;

  // Kernels, graphs, copies, memsets and collectives, each launch once, that have ended so far.
  std::uint64_t launches_ended() const { return launches_ended_; }
  // What it spent its time on; nothing where the program has no collectives.
  ActivityTimes activity() const { return activity_.times(); }
  // Of the works that traces would show, traced or not, that have ended so far.
  const Extent& extent() const { return extent_; }

 private:
  // A process that uses the GPU.
  struct Client {
    std::unique_ptr<Distributor> distributor;  // null until a grid takes room
    std::unique_ptr<SharedRun> shared;         // kernels timed as a whole; null until there is one
    std::uint64_t shared_generation = 0;
    SharedRun::Due due;                     // of the shared ones, while the generation lasts
    std::uint64_t outstanding = 0;          // commands that have arrived and not completed
    std::vector<Event> deferred;            // what happened while it was switched out
    Instant switched_out = Instant::max();  // max(): it is not
  };

  void dispatch(const Event& event, Context& context);

  // Front end (gpu_front_end.cpp).
  void arrive(const Event& event, Context& context);
  void pump(std::uint32_t stream, WaitCause cause, Context& context);
  void pump(const PendingPump& look, Context& context);
  bool take_head(const PendingPump& look, Context& context);
  bool record(std::uint32_t index, std::uint32_t slot, Context& context);
  bool pass_wait(const PendingPump& look, std::uint32_t slot, Context& context);
  std::uint32_t event_of(const Command& command) const;
  bool launch(std::uint32_t index, std::uint32_t slot, WaitCause cause, Context& context);
  void join_connection(std::uint32_t stream, std::uint32_t slot, Context& context);
  std::uint32_t pick_connection(std::uint32_t client) const;
  void leave_connection(std::uint32_t stream, Instant start, Context& context);
  Duration launch_latency(const Call& call) const;
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
  const BlockNeeds& needs_of(std::uint32_t kernel) const;
  void admit(std::uint32_t work, const GridRequest& request, Context& context);
  void end_work(std::uint32_t work, Context& context);
  void start_copy(Work& work, std::uint32_t slot, Context& context);
  void finish_grid(std::uint32_t owner, GridId grid, Context& context);
  void trigger(std::uint32_t work, Context& context);
  void release(std::uint32_t work, Duration latency, Context& context);
  bool traced() const { return device_ < wiring_.traced_gpus; }
  void emit(const Work& work, Context& context);
  GpuRecord record_of(const Work& work, Instant end) const;
  bool metered(const Work& work) const { return work.is_kernel && !program_.collectives.empty(); }
  void meter(const Work& work, Instant end);
  std::uint64_t blocks_of(const Work& work) const;
  std::uint32_t command_work(std::uint32_t command, Instant start);

  Distributor& distributor_of(const Work& work);
  std::uint32_t owner_of(std::uint32_t stream) const;

  // Collectives (gpu_collectives.cpp).
  void start_collective(std::uint32_t work, Context& context);
  void join_collective(std::uint32_t work, Context& context);
  void collective_done(std::uint32_t work, Instant complete, Context& context);
  void note_launched(std::uint32_t stream, const Command& command);
  void note_departed(std::uint32_t stream, std::uint32_t communicator);
  void note_ended(std::uint32_t stream, const Command& command);

  // Kernels that the kernel model times (gpu_modelled.cpp).
  SharedRun& shared_run_of(std::uint32_t owner);
  void start_shared(std::uint32_t work, Context& context);
  void room_changed(std::uint32_t owner, Context& context);
  void schedule_shared(std::uint32_t owner, Context& context);
  void shared_due(std::uint32_t owner, std::uint64_t generation, Context& context);

  // Persistent kernels (gpu_queues.cpp).
  void start_persistent(std::uint32_t work, const PersistentWork& description, Context& context);
  void blocks_at_gate(std::uint32_t owner, GridId grid, Context& context);
  void item_pushed(const Event& event, Context& context);
  void serve_queue(std::uint32_t queue, Context& context);
  void item_ended(std::uint32_t item, Instant next, Context& context);
  void emit_item(const QueueItem& item, const Work& work, Context& context);
  bool shown_by_items(const Work& work) const;
  void end_persistent(PersistentQueue& queue, Context& context);

  // What stands still (gpu_waiting.cpp).
  std::string command_text(std::uint32_t command) const;
  void explain_stream(std::uint32_t stream, Waiting& out) const;
  void explain_turn(Waiting& out) const;
  void explain_event_wait(std::uint32_t command, Waiting& out) const;
  void explain_resident_grids(Waiting& out) const;
  void explain_running(std::uint32_t command, Waiting& out) const;
  void explain_work(const Work& work, Waiting& out) const;

  // Processes (gpu_contexts.cpp).
  bool sliced() const { return clients_.size() > 1 && !wiring_.mps; }
  std::uint32_t client_of_stream(std::uint32_t stream) const;
  std::uint32_t client_of(const Event& event) const;
  LpId host_of(std::uint32_t stream) const;
  bool deferred(const Event& event);
  void client_arrival(std::uint32_t client, Context& context);
  void client_completion(std::uint32_t client, Context& context);
  void start_slice(Context& context);
  void slice_ended(std::uint64_t turn, Context& context);
  void switch_out(Context& context);
  void switched_in(std::uint32_t from, Context& context);
  void activate(std::uint32_t client, Context& context);
  Duration client_gap() const;

  // Graphs (gpu_graphs.cpp).
  void start_graph(std::uint32_t command, Context& context);
  void ready_node(std::uint32_t run, std::uint32_t node, Duration gap, Duration interval,
                  Context& context);
  void launch_node(std::uint32_t run, std::uint32_t node, Context& context);
  void end_node(std::uint32_t run, std::uint32_t node, bool triggered, Context& context);
  void trigger_node(std::uint32_t run, std::uint32_t node, Context& context);
  Duration node_gap(std::uint32_t run, std::uint32_t from, bool triggered) const;
  Duration node_interval(std::uint32_t run, std::uint32_t from) const;
  bool forks_widely(std::uint32_t run, std::uint32_t node) const;

  const Wiring& wiring_;
  const Program& program_;
  const std::vector<CompiledGraph>& graphs_;
  const GpuSpec& spec_;
  const DeviceLayout& layout_;
  const std::uint32_t device_;
  const SmPartitions partitions_;
  std::vector<Client> clients_;  // by slot in the layout's processes
  std::vector<PersistentQueue> queues_;
  Subset<StreamQueue> streams_;
  std::vector<Connection> connections_;  // of the first client, then of the next, ...
  Subset<AwaitedEvent> events_;
  std::vector<std::uint32_t> grid_waiters_;  // streams that wait for a resident grid
  std::vector<PendingPump> to_pump_;
  std::uint64_t connections_given_ = 0;
  std::uint64_t launches_ended_ = 0;
  Instant next_node_;  // the node launcher, which all graphs share, is free
  SlotPool<Command> commands_;
  SlotPool<Work> works_;
  SlotPool<QueueItem> items_;
  SlotPool<GraphRun> graph_runs_;
  std::array<Instant, kCopyEngines> engine_free_;
  std::vector<std::vector<std::uint32_t>> grid_work_;  // by client, grid: its work
  const CallHorizon* const horizon_;                   // nullptr: no dynamic lookahead
  std::vector<StreamProgress> progress_;               // by slot, with a horizon
  Fifo<std::uint32_t> nodes_waiting_;  // works of graph nodes that wait for a resident grid
  std::uint32_t resident_grids_ = 0;
  std::uint32_t active_ = 0;  // the client that has the GPU; kNone: none (time-slicing)
  bool switching_ = false;
  bool slice_running_ = false;
  std::uint32_t idle_turns_ = 0;  // turns in a row in which nothing happened
  std::uint64_t turn_ = 0;
  Instant activated_;
  ActivityMeter activity_;
  Extent extent_;
};

}  // namespace septet
