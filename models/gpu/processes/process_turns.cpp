#include "models/gpu/processes/process_turns.hpp"

#include <algorithm>

namespace septet::gpu {
namespace {

// So many turns in a row in which nothing happened (37 minutes on an H200): nothing ever will.
constexpr std::uint32_t kIdleTurnsMost = 1'000'000;

}  // namespace

std::size_t ProcessTurns::busy() const {
  return static_cast<std::size_t>(
      std::count_if(processes_.begin(), processes_.end(),
                    [](const Process& process) { return process.outstanding > 0; }));
}

bool ProcessTurns::defer(std::uint32_t process, const engine::Event& event) {
  if (process == active_) return false;
  processes_[process].deferred.push_back(event);
  return true;
}

ProcessTurns::Arrival ProcessTurns::arrived(std::uint32_t process) {
  ++processes_[process].outstanding;
  if (!sliced_) return Arrival::kNothing;
  if (active_ == kNone && !switching_) return Arrival::kGetsGpu;
  return process == active_ ? Arrival::kNothing : Arrival::kStartsSlice;
}

bool ProcessTurns::completed(std::uint32_t process) {
  --processes_[process].outstanding;
  const bool idle = sliced_ && process == active_ && processes_[process].outstanding == 0;
  return idle && busy() > 0;
}

std::optional<Instant> ProcessTurns::start_slice(Instant now) {
  if (slice_running_ || active_ == kNone || idle_turns_ >= kIdleTurnsMost) return std::nullopt;
  slice_running_ = true;
  return std::max(now, since_ + spec_.slice);
}

Duration ProcessTurns::switch_out(std::uint64_t resident_blocks, Instant now) {
  processes_[active_].out = now;
  active_ = kNone;
  switching_ = true;
  ++turn_;
  ++idle_turns_;
  slice_running_ = false;
  return spec_.switch_time +
         spec_.switch_time_per_block * static_cast<std::int64_t>(resident_blocks);
}

std::uint32_t ProcessTurns::switched_out(std::uint32_t from) {
  switching_ = false;
  for (std::size_t i = 1; i <= processes_.size(); ++i) {
    const std::size_t process = (from + i) % processes_.size();
    if (processes_[process].outstanding > 0) return static_cast<std::uint32_t>(process);
  }
  return kNone;
}

ProcessTurns::Return ProcessTurns::switch_in(std::uint32_t index, Instant now) {
  Process& process = processes_[index];
  active_ = index;
  since_ = now;
  Return back;
  if (process.out != Instant::max()) back.away = now - process.out;
  process.out = Instant::max();
  back.deferred.swap(process.deferred);
  return back;
}

bool ProcessTurns::others_wait(std::uint32_t process) const {
  const std::size_t own = processes_[process].outstanding > 0 ? 1 : 0;
  return busy() > own;
}

}  // namespace septet::gpu
