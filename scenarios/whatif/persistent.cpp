// What-if: runs of kernels as items of a persistent kernel.
//
// One persistent kernel for each run: it is launched where the run's first kernel was, in its
// stream, and ends after the last item, so that copies, events and synchronisations around it stay
// as they are. The CPU pushes one item for each kernel into a queue in host memory. The persistent
// kernel counts as one worker, a grid that fills the GPU and takes one item after the other: one
// block reads the queue, all work on the item for as long as its kernel took, and the queue's tail
// is written when all are done. The cost of distributing an item to all blocks and collecting them
// again inside the GPU is not included: about one grid-wide barrier each.
#include <unordered_set>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "scenarios/whatif/changes.hpp"
#include "scenarios/whatif/kernel_runs.hpp"

namespace septet::whatif::changes {
namespace {

// Adds the kernel that serves one run, and its queue.
std::uint32_t add_server(program::Program& program, std::uint64_t items) {
  program::Kernel server;
  server.name = "persistent kernel";
  server.shape.block = {32, 1, 1};
  server.work = program::PersistentWork{program.queues++, items};
  program.kernels.push_back(std::move(server));
  return static_cast<std::uint32_t>(program.kernels.size() - 1);
}

program::Call push_of(const program::Call& call, std::uint32_t queue) {
  const program::LaunchKernel& launch = program::as<program::LaunchKernel>(call);
  return {.what = program::PushItem{queue, launch.kernel, launch.recorded},
          .name = call.name,
          .correlation = call.correlation};
}

class PersistentRuns {
 public:
  PersistentRuns(program::Program& program, const std::vector<KernelRun>& runs)
      : program_(program), queue_(program.threads.size()), server_(program.threads.size()) {
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      queue_[t].assign(program.threads[t].calls.size(), kNone);
      server_[t].assign(program.threads[t].calls.size(), kNone);
    }
    for (const KernelRun& run : runs) add(run);
  }

  void rewrite(std::uint32_t thread) {
    std::vector<program::Call>& calls = program_.threads[thread].calls;
    const std::unordered_set<std::uint64_t> gone = replaced_launches(thread);
    std::vector<program::Call> out;
    for (std::size_t c = 0; c < calls.size(); ++c) {
      const program::Call& call = calls[c];
      if (program::is<program::OtherApiCall>(call) && gone.contains(call.correlation)) continue;
      if (queue_[thread][c] == kNone) {
        out.push_back(call);
        continue;
      }
      if (server_[thread][c] != kNone) out.push_back(launch_of(call, server_[thread][c]));
      out.push_back(push_of(call, queue_[thread][c]));
    }
    calls = std::move(out);
  }

 private:
  void add(const KernelRun& run) {
    const std::uint32_t server = add_server(program_, run.calls.size());
    const std::uint32_t queue =
        std::get<program::PersistentWork>(program_.kernels[server].work).queue;
    server_[run.thread][run.calls.front()] = server;
    for (const std::uint64_t call : run.calls) queue_[run.thread][call] = queue;
  }

  // Correlations of launches that only push now.
  std::unordered_set<std::uint64_t> replaced_launches(std::uint32_t thread) const {
    std::unordered_set<std::uint64_t> gone;
    const std::vector<program::Call>& calls = program_.threads[thread].calls;
    for (std::size_t c = 0; c < calls.size(); ++c) {
      const bool replaced = queue_[thread][c] != kNone && server_[thread][c] == kNone;
      if (replaced && calls[c].correlation != 0) gone.insert(calls[c].correlation);
    }
    return gone;
  }

  static program::Call launch_of(const program::Call& first, std::uint32_t server) {
    program::Call launch = first;
    launch.what = program::LaunchKernel{server};
    launch.name = kNone;
    return launch;
  }

  program::Program& program_;
  std::vector<std::vector<std::uint32_t>> queue_;   // [thread][call]; kNone: not in a run
  std::vector<std::vector<std::uint32_t>> server_;  // [thread][call]: of the first of a run
};

}  // namespace

void persistent(const std::string& /*value*/, WhatIfState& state) {
  RunRules rules;
  rules.wanted = [](const program::Call&) { return true; };
  rules.over_steps = true;
  std::vector<KernelRun> runs = kernel_runs(state.program, run_now(state), rules);
  std::erase_if(runs, [](const KernelRun& run) { return run.calls.size() < 2; });
  if (runs.empty()) {
    throw ConfigError({},
                      "what-if persistent: no two launched kernels with known durations are "
                      "consecutive on a stream");
  }
  std::uint64_t items = 0;
  for (const KernelRun& run : runs) items += run.calls.size();
  PersistentRuns persistent(state.program, runs);
  for (std::uint32_t t = 0; t < state.program.threads.size(); ++t) persistent.rewrite(t);
  const gpu::QueueSpec& queue = state.system.gpu.queue;
  state.notes.push_back(
      fmt::format("{} kernels become items of {} persistent kernels; {:.2f} us between items (a "
                  "fence and a read) instead of a gap of {:.2f} us",
                  items, runs.size(), to_us(queue.fence_round_trip + queue.read_round_trip),
                  to_us(state.system.gpu.front_end.stream_gap)));
}

}  // namespace septet::whatif::changes
