#include "scenarios/whatif/kernel_runs.hpp"

#include <utility>

#include "scenarios/whatif/call_times.hpp"

namespace septet::whatif {
namespace {

class RunFinder {
 public:
  RunFinder(const program::Program& program, const RunRules& rules)
      : program_(program), rules_(rules), open_(program.streams.size()) {}

  void add(const TimedCall& timed) {
    const program::Call& call = program_.threads[timed.thread].calls[timed.index];
    const auto* launch = program::get_if<program::LaunchKernel>(call);
    const bool known = launch != nullptr && launch->recorded != program::kModelled;
    if (known && rules_.wanted(call)) return append(call.stream, timed);
    const bool step = program::is<program::Marker>(call) && !rules_.over_steps;
    if (step || program::is<program::SynchronizeDevice>(call)) close_all();
    if (uses_stream(call.kind())) close(call.stream);
  }

  void close_all() {
    for (std::uint32_t s = 0; s < open_.size(); ++s) close(s);
  }

  std::vector<KernelRun> runs;

 private:
  void append(std::uint32_t stream, const TimedCall& timed) {
    if (open_[stream].thread != timed.thread) close(stream);
    open_[stream].thread = timed.thread;
    open_[stream].calls.push_back(timed.index);
  }

  void close(std::uint32_t stream) {
    KernelRun& open = open_[stream];
    if (!open.calls.empty()) runs.push_back(std::move(open));
    open = KernelRun{};
  }

  const program::Program& program_;
  const RunRules& rules_;
  std::vector<KernelRun> open_;  // by stream
};

}  // namespace

std::vector<KernelRun> kernel_runs(const program::Program& program, const analysis::RunRows& base,
                                   const RunRules& rules) {
  RunFinder finder(program, rules);
  for (std::uint32_t p = 0; p < program.processes; ++p) {
    for (const TimedCall& call : calls_in_order(program, base, p)) finder.add(call);
    finder.close_all();
  }
  return std::move(finder.runs);
}

}  // namespace septet::whatif
