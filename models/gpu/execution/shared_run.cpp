#include "models/gpu/execution/shared_run.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace septet::gpu {

SharedRun::SharedRun(const GpuSpec& gpu, const SmPartitions& partitions, std::size_t kernels)
    : gpu_(gpu), partitions_(partitions), kernels_(kernels), sharing_(gpu) {}

const GpuSpec& SharedRun::gpu_of(std::uint32_t sms) {
  if (sms == gpu_.sm_count) return gpu_;
  const auto [found, inserted] = gpus_.try_emplace(sms, gpu_);
  if (inserted) found->second.sm_count = sms;
  return found->second;
}

const SharedRun::Known& SharedRun::known(const Start& start, const program::Kernel& description) {
  if (known_.empty()) known_.resize(kernels_ * partitions_.count());
  std::unique_ptr<Known>& entry = known_[start.partition * kernels_ + start.kernel];
  if (entry != nullptr) return *entry;
  const GpuSpec& gpu = gpu_of(partitions_.sms(start.partition, gpu_.sm_count));
  entry = std::make_unique<Known>();
  entry->gpu = &gpu;
  if (!start.recorded) {
    entry->kernel = timed_kernel(gpu, description);
    return *entry;
  }
  entry->kernel = recorded_kernel(gpu, description.shape, *start.recorded);
  const TimedKernel whole = recorded_kernel(gpu_, description.shape, *start.recorded);
  entry->recorded_scale =
      static_cast<double>(entry->kernel.waves) / static_cast<double>(whole.waves);
  return *entry;
}

const SharedKernel* SharedRun::shared_of(const Known& known, std::uint64_t blocks,
                                         std::uint64_t wanted) {
  if (blocks == 0) return nullptr;
  if (blocks == known.kernel.at_once && wanted == blocks) return &known.kernel.shared;
  const auto [found, inserted] = parts_.try_emplace({&known, blocks, wanted});
  if (inserted) found->second = shared_with(*known.gpu, known.kernel, blocks, wanted);
  return &found->second;
}

SharedRun::Running& SharedRun::running(std::uint32_t work) {
  const auto found = std::find_if(running_.begin(), running_.end(),
                                  [work](const Running& r) { return r.work == work; });
  SEPTET_ASSERT(found != running_.end());
  return *found;
}

const TimedKernel& SharedRun::start(const Start& start, const program::Kernel& description,
                                    Instant now) {
  progress(now);
  const Known& entry = known(start, description);
  Running r;
  r.work = start.work;
  r.known = &entry;
  r.sms = entry.gpu->sm_count;
  r.partition = start.partition;
  r.priority = start.priority;
  r.recorded = start.recorded.has_value();
  r.wanted = entry.kernel.at_once;
  const Duration alone = start.recorded.value_or(entry.kernel.alone);
  r.left = static_cast<double>(alone.count()) * entry.recorded_scale;
  r.wave = r.left / static_cast<double>(entry.kernel.waves);
  r.last_wave = entry.kernel.waves == 1;
  running_.push_back(r);
  return entry.kernel;
}

void SharedRun::set_blocks(std::uint32_t work, std::uint64_t blocks, Duration delay, Instant now) {
  progress(now);
  if (!running(work).started && blocks > 0) disturb_recorded();
  Running& r = running(work);
  if (!r.started) r.left += static_cast<double>(delay.count());
  r.started = r.started || blocks > 0;
  r.blocks = blocks;
  r.shared = shared_of(*r.known, blocks, r.wanted);
  changed_ = true;
}

void SharedRun::disturb_recorded() {
  const auto disturbance = static_cast<double>(gpu_.kernel.cold.neighbour_start.count());
  for (Running& r : running_) {
    if (r.recorded && r.started) r.left += disturbance;
  }
}

std::uint64_t SharedRun::begin_last_wave(std::uint32_t work, Instant now) {
  progress(now);
  Running& r = running(work);
  r.last_wave = true;
  r.wanted = r.known->kernel.last;
  return r.wanted;
}

void SharedRun::end(std::uint32_t work, Instant now) {
  progress(now);
  std::erase_if(running_, [work](const Running& r) { return r.work == work; });
  changed_ = true;
}

void SharedRun::pause(Instant now) {
  progress(now);
  paused_ = true;
}

void SharedRun::resume(Instant now) {
  since_ = now;
  paused_ = false;
}

void SharedRun::progress(Instant now) {
  const auto elapsed = static_cast<double>((now - since_).count());
  since_ = now;
  if (paused_ || elapsed == 0) return;
  if (changed_) share();
  for (Running& r : running_) {
    if (r.blocks > 0) r.left = std::max(0.0, r.left - elapsed / r.slow_down);
  }
}

void SharedRun::share() {
  changed_ = false;
  sharers_.clear();
  bool short_of_room = false;
  for (const Running& r : running_) {
    if (r.blocks == 0) continue;
    sharers_.push_back({r.shared, r.sms, r.sms < gpu_.sm_count ? r.partition + 1 : 0, 1.0});
    short_of_room = short_of_room || r.blocks < r.wanted;
  }
  if (sharers_.size() > 1 || short_of_room) sharing_.solve(sharers_);
  auto sharer = sharers_.begin();
  for (Running& r : running_) {
    if (r.blocks > 0) r.slow_down = (sharer++)->slow_down;
  }
}

// When `r` ends, or reaches the end of a wave that matters.
std::optional<SharedRun::Due> SharedRun::next_of(const Running& r,
                                                 std::optional<std::int32_t> urgent) const {
  if (r.blocks == 0) return std::nullopt;
  Due due{Duration(0), r.work, DueKind::kEnd, 0};
  const double waves = std::ceil(r.left / r.wave) - 1;  // after this one
  if (!r.last_wave && waves >= 1) {
    const bool uneven = r.known->kernel.last < r.known->kernel.at_once;
    if (urgent && *urgent < r.priority && !(waves == 1 && uneven)) {
      due.kind = DueKind::kTurnOver;
      due.left = waves * r.wave;
    } else if (uneven) {
      due.kind = DueKind::kLastWave;
      due.left = r.wave;
    }
  }
  due.in = from_picoseconds((r.left - due.left) * r.slow_down);
  return due;
}

void SharedRun::reach(const Due& due, Instant now) {
  progress(now);
  running(due.work).left = due.left;
}

std::optional<SharedRun::Due> SharedRun::next(std::optional<std::int32_t> urgent, Instant now) {
  progress(now);
  if (changed_) share();
  std::optional<Due> first;
  for (const Running& r : running_) {
    const std::optional<Due> due = next_of(r, urgent);
    if (due && (!first || due->in < first->in)) first = due;
  }
  return first;
}

}  // namespace septet::gpu
