#include "models/workload/recorded/import/orphans.hpp"

#include <algorithm>

namespace septet::recorded {
namespace {

// Orphans further apart than this were not launched together.
constexpr Duration kLongestPause = 20_us;

class OrphanWriter {
 public:
  OrphanWriter(const RecordedTrace& trace, const ImportPlans& plans, ProgramObjects& objects,
               Import& import)
      : trace_(trace), plans_(plans), objects_(objects), import_(import) {}

  void write(std::uint32_t number) {
    const GpuCommand& command = plans_.index.commands[number];
    const RecordedKind kind = trace_.events[command.event].kind;
    wait_until(command.launched - launch_latency(import_.latencies, ApiKind::kLaunch, kind));
    const program::Hold& hold = plans_.commands.commands[number].hold;
    if (hold.duration > Duration{}) {
      calls().push_back({.what = hold, .stream = command.stream, .cost = Duration{}});
    }
    import_.rows[number].thread = 0;
    import_.rows[number].call = static_cast<std::uint32_t>(calls().size());
    program::Call launch = objects_.call_of(number);
    launch.cost = Duration{};
    calls().push_back(launch);
  }

 private:
  std::vector<program::Call>& calls() { return import_.program.threads[0].calls; }

  void wait_until(Instant instant) {
    if (instant <= clock_) return;
    calls().push_back({.what = program::HostWork{instant - clock_}, .cost = Duration{}});
    clock_ = instant;
  }

  const RecordedTrace& trace_;
  const ImportPlans& plans_;
  ProgramObjects& objects_;
  Import& import_;
  Instant clock_;
};

}  // namespace

void launch_orphans(RecordingIndex& index) {
  std::vector<GpuCommand>& commands = index.commands;
  for (GpuCommand& command : commands) {
    if (command.call != kNone) continue;
    command.launched = command.start;
    if (command.previous == kNone) continue;
    const GpuCommand& before = commands[command.previous];
    if (before.call == kNone && command.start - before.end <= kLongestPause) {
      command.launched = before.launched;
    }
  }
  std::vector<Instant> next(index.streams.size(), Instant::max());
  for (std::size_t c = commands.size(); c-- > 0;) {
    GpuCommand& command = commands[c];
    command.launched = std::min(command.launched, next[command.stream]);
    next[command.stream] = command.launched;
  }
}

void write_orphans(const RecordedTrace& trace, const ImportPlans& plans, ProgramObjects& objects,
                   Import& import) {
  std::vector<std::uint32_t> orphans;
  for (std::uint32_t c = 0; c < plans.index.commands.size(); ++c) {
    if (plans.index.commands[c].call == kNone) orphans.push_back(c);
  }
  if (orphans.empty()) return;
  std::stable_sort(orphans.begin(), orphans.end(), [&plans](std::uint32_t a, std::uint32_t b) {
    return plans.index.commands[a].launched < plans.index.commands[b].launched;
  });
  import.program.threads.push_back({"before the recording", 0, {}});
  OrphanWriter writer(trace, plans, objects, import);
  for (const std::uint32_t orphan : orphans) writer.write(orphan);
}

}  // namespace septet::recorded
