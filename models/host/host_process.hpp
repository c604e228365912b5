// A process on a host: its CPU threads run the calls of a Program in order.
//
// Modelled: the CPU time of each call; the driver lock, which threads of one process acquire in
// request order, with an extra cost when it changes hands; the ring buffer of pending launches of
// each stream, which blocks the caller when full; synchronisation with streams, events and devices;
// hand-offs between threads. Not modelled: scheduling of more threads than cores, and caches. Costs
// come from HostSpec or from the program where a recording measured them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/extent.hpp"
#include "core/engine/logical_process.hpp"
#include "models/host/host_spec.hpp"
#include "models/host/host_state.hpp"
#include "models/program/layout.hpp"
#include "models/program/program.hpp"
#include "models/program/protocol.hpp"
#include "models/program/waiting.hpp"
#include "models/records/api_call_record.hpp"

namespace septet::host {

class HostProcess : public engine::LogicalProcess {
 public:
  // What all processes on hosts of one kind share; must outlive them.
  struct Wiring {
    const program::Program& program;
    const HostSpec& spec;
    const program::ProgramLayout& layout;
    std::vector<engine::LpId> gpus{};  // by device
    Duration doorbell_latency{};
    std::vector<std::uint64_t> graph_nodes{};   // by graph
    std::vector<std::uint32_t> queue_device{};  // by queue: where its persistent kernel runs
    trace::TableId api_calls = 0;
    std::uint32_t traced_gpus =
        kNone;  // processes that use one of this many GPUs, from the first, write rows
  };

  // Runs the threads of `process`.
  HostProcess(const Wiring& wiring, std::uint32_t process);

  void start(engine::Context& context) override;
  void handle(const engine::Event& event, engine::Context& context) override;

  // When nothing more can happen: what each unfinished thread waits for.
  std::vector<program::Waiting> waiting() const;

  // Calls of all threads that have not returned so far, including those not made yet.
  std::uint64_t calls_left() const;

  // Of the calls that traces would show, traced or not, that have returned so far.
  const Extent& extent() const { return extent_; }

 private:
  const program::Call& call_of(const ThreadState& thread) const;
  const program::HostThread& program_thread(const ThreadState& thread) const;
  std::uint32_t stream_of(const ThreadState& thread, const program::Call& call) const;
  std::uint64_t nodes_of(std::uint32_t graph) const;  // none of kNone

  void advance(std::uint32_t thread, engine::Context& context);
  bool begin(std::uint32_t thread, engine::Context& context);
  void finish(std::uint32_t thread, engine::Context& context);
  records::ApiCallRecord record_of(const ThreadState& state, Instant end) const;

  bool run_for(std::uint32_t thread, Duration cost, engine::Context& context);
  bool submit(std::uint32_t thread, engine::Context& context);
  bool admitted(std::uint32_t thread, engine::Context& context);
  Duration locked_delay(std::uint32_t thread, Duration cost, engine::Context& context);
  Duration extra_cost(ThreadState& thread, const program::Call& call) const;
  Duration first_upload(const program::Call& call, std::uint32_t graph);
  std::uint16_t generation(const ThreadState& thread, const program::Call& call) const;
  void note_submission(const ThreadState& thread, const program::Call& call);

  bool synchronize(std::uint32_t thread, engine::Context& context);
  void wait_for(std::uint32_t thread, std::uint32_t stream, std::uint64_t sequence);
  bool settle(std::uint32_t thread, engine::Context& context);
  void complete(std::uint32_t stream, engine::Context& context);
  void resume_at(std::uint32_t thread, Duration delay, engine::Context& context);

  void post(std::uint32_t signal, engine::Context& context);
  bool await(std::uint32_t thread, engine::Context& context);
  bool push_item(std::uint32_t thread, engine::Context& context);
  bool await_items(std::uint32_t thread, engine::Context& context);
  void item_done(std::uint32_t queue, engine::Context& context);
  void unblock(std::uint32_t thread, engine::Context& context);
  void explain(std::uint32_t thread, program::Waiting& out) const;

  const Wiring& wiring_;
  const program::Program& program_;
  const HostSpec& spec_;
  const program::ProcessLayout& layout_;
  const bool traced_;
  Extent extent_;
  std::vector<ThreadState> threads_;
  program::Subset<StreamState> streams_;
  program::Subset<EventState> events_;
  std::vector<SignalState> signals_;
  std::vector<QueueState> queues_;
  std::vector<bool> graph_on_device_;  // by graph: its next launch need not upload it
  Instant lock_free_;
  std::uint32_t lock_owner_ = kNone;  // thread that took the driver lock last
};

}  // namespace septet::host
