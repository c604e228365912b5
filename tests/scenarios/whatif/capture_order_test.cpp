// Whatever streams, events and synchronisations ordered in a program is in the same order when its
// captured form runs.
#include <map>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "tests/scenarios/whatif/captured.hpp"
#include "tests/support/random_program.hpp"

namespace septet::test {
namespace {

// Kernels by their number of blocks, copies by their size: each is there once.
using Work = std::pair<bool, std::int64_t>;
using Works = std::set<Work>;

Work work_of(const program::Program& program, const program::Call& call) {
  if (const auto* copy = program::get_if<program::Copy>(call)) return {false, copy->bytes.count()};
  return {true, static_cast<std::int64_t>(program.kernels[*index_in(call)].shape.blocks())};
}

// Which work has to end before which starts, of a program of one thread.
class Order {
 public:
  explicit Order(const program::Program& program) {
    for (const program::Call& call : program.threads.at(0).calls) add(program, call);
  }
  const std::map<Work, Works>& before() const { return before_; }

 private:
  void add(const program::Program& program, const program::Call& call) {
    Works& stream = streams_[call.stream];
    switch (call.kind()) {
      case program::CallKind::kLaunchKernel:
      case program::CallKind::kCopy: {
        Works& earlier = before_[work_of(program, call)];
        earlier = stream;
        earlier.insert(host_.begin(), host_.end());
        stream = {work_of(program, call)};
        return;
      }
      case program::CallKind::kRecordEvent:
        events_[*index_in(call)] = stream;
        return;
      case program::CallKind::kWaitEvent:
        stream.insert(events_[*index_in(call)].begin(), events_[*index_in(call)].end());
        return;
      case program::CallKind::kSynchronizeStream:
        host_.insert(stream.begin(), stream.end());
        return;
      default:
        return;
    }
  }

  std::map<std::uint32_t, Works> streams_;  // the work that the next command waits for
  std::map<std::uint32_t, Works> events_;
  Works host_;  // what the thread has waited for
  std::map<Work, Works> before_;
};

std::map<Work, analysis::GpuWork> works_of(const TimedRun& run) {
  std::map<Work, analysis::GpuWork> works;
  for (const analysis::GpuWork& work : run.rows().works) works[{work.is_kernel, work.size}] = work;
  return works;
}

system::SystemSpec copying_system() {
  system::SystemSpec system = round_system();
  system.gpu.copy.host_to_device = 1_GBps;
  return system;
}

void expect_order(const Order& order, const TimedRun& run, const char* form, std::uint64_t seed) {
  const std::map<Work, analysis::GpuWork> works = works_of(run);
  ASSERT_EQ(works.size(), order.before().size()) << form << ", seed " << seed;
  for (const auto& [later, earlier] : order.before()) {
    for (const Work& work : earlier) {
      EXPECT_LE(works.at(work).end, works.at(later).start)
          << form << ", seed " << seed << ": " << work.second << " and " << later.second;
    }
  }
}

TEST(CaptureOrder, IsThatOfTheProgram) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const program::Program program = random_program(seed);
    const Order order(program);
    const TimedRun base(program, copying_system());
    expect_order(order, base, "as it is", seed);
    whatif::CaptureOptions options;
    expect_order(order,
                 TimedRun(captured(program, options, copying_system()).program, copying_system()),
                 "captured", seed);
  }
}

TEST(CaptureOrder, IsThatOfTheProgramOverSteps) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const program::Program program = random_program(seed);
    whatif::CaptureOptions options;
    for (int step = 0; step < 10; ++step) options.steps.push_back(Instant() + 30_us * step);
    expect_order(Order(program),
                 TimedRun(captured(program, options, copying_system()).program, copying_system()),
                 "captured by steps", seed);
  }
}

}  // namespace
}  // namespace septet::test
