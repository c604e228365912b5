#include "scenarios/system/work_estimate.hpp"

#include <algorithm>

#include "models/program/work_size.hpp"

namespace septet::system {
namespace {

constexpr double kEventsOfCall = 1.5;
constexpr double kEventsOfCommand = 4;
constexpr double kEventsOfWave = 32;
constexpr double kThreadsOfSm = 2048;
constexpr double kSecondsOfEvent = 1.2e-6;
constexpr double kBytesOfRow = 400;  // in memory, and again sorted for summaries
constexpr double kBytesOfCall = 200;

// The share of GPUs whose rows are kept.
double traced_share(const program::Program& program, const SystemSpec& spec) {
  return std::min(1.0, static_cast<double>(spec.traced_gpus) / std::max(1U, program.devices));
}

}  // namespace

WorkEstimate estimate_work(const program::Program& program, const SystemSpec& spec) {
  const program::WorkSize size = program::work_size(program);
  const double waves = size.block_threads / (kThreadsOfSm * spec.gpu.sm_count);
  WorkEstimate out;
  out.events =
      kEventsOfCall * size.calls + kEventsOfCommand * size.gpu_commands + kEventsOfWave * waves;
  out.rows = (size.calls + size.gpu_commands) * traced_share(program, spec);
  out.bytes = kBytesOfRow * out.rows + kBytesOfCall * size.calls;
  out.seconds = kSecondsOfEvent * out.events;
  return out;
}

}  // namespace septet::system
