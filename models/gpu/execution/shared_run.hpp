// Kernels timed as a whole, while they run and share the GPU: each has an amount of work left, as
// time that it would take alone, and a rate of progress that depends on the others. Rates change
// only when a kernel starts or ends, or when the number of its blocks on the SMs changes.
//
// SM resources: the block scheduler places as many blocks of each as fit, alongside those of fixed
// time; with only some of its blocks a kernel progresses more slowly, without any it stalls. Its
// last wave has fewer blocks. If a grid of higher priority waits, a kernel of several waves yields
// all its SM resources at the end of a wave. Resources: issue, L2 and DRAM by kernel/sharing.hpp.
// A recorded kernel's use of them is inferred from its first launch (recorded_use.hpp). The start
// of a kernel lengthens each running recorded one by `neighbour_start` (kernels that only spin do
// not show this: it is caused by reloading data, not by the front end).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "models/gpu/block_scheduler/sm_partition.hpp"
#include "models/gpu/execution/timed_kernel.hpp"

namespace septet::gpu {

class SharedRun {
 public:
  enum class DueKind : std::uint8_t { kEnd, kLastWave, kTurnOver };
  struct Due {
    Duration in{};  // from the question on
    std::uint32_t work = 0;
    DueKind kind = DueKind::kEnd;
    double left = 0;  // picoseconds alone that are left then
  };
  struct Start {
    std::uint32_t work = 0;
    std::uint32_t kernel = 0;     // index of the program
    std::uint32_t partition = 0;  // of SMs
    std::int32_t priority = 0;
    std::optional<Duration> recorded;  // time of a recorded kernel alone
  };

  SharedRun(const GpuSpec& gpu, const SmPartitions& partitions, std::size_t kernels);

  // A kernel is to start; it stalls until its blocks are placed.
  const TimedKernel& start(const Start& start, const program::Kernel& description, Instant now);
  // What was due has come.
  void reach(const Due& due, Instant now);
  // Number of its blocks on SMs; `delay`: until the first of them starts.
  void set_blocks(std::uint32_t work, std::uint64_t blocks, Duration delay, Instant now);
  // From now on it needs only the blocks of its last wave.
  std::uint64_t begin_last_wave(std::uint32_t work, Instant now);
  void end(std::uint32_t work, Instant now);

  // Nothing progresses between the two.
  void pause(Instant now);
  void resume(Instant now);

  // What happens next if nothing else changes before. `urgent`: the highest priority (lowest
  // number) of the grids that wait for room.
  std::optional<Due> next(std::optional<std::int32_t> urgent, Instant now);
  bool empty() const { return running_.empty(); }

 private:
  // A kernel of the program on the SMs of a partition.
  struct Known {
    TimedKernel kernel;
    const GpuSpec* gpu = nullptr;  // with as many SMs
    double recorded_scale = 1;     // of a time recorded on the whole GPU
  };
  struct Running {
    std::uint32_t work = 0;
    const Known* known = nullptr;
    const SharedKernel* shared = nullptr;  // with the blocks that it has now
    std::uint32_t sms = 0;
    std::uint32_t partition = 0;
    std::int32_t priority = 0;
    bool recorded = false;
    bool started = false;
    bool last_wave = false;
    std::uint64_t blocks = 0;
    std::uint64_t wanted = 0;
    double wave = 0;  // picoseconds of a wave alone
    double left = 0;  // picoseconds alone
    double slow_down = 1;
  };

  const Known& known(const Start& start, const program::Kernel& description);
  const GpuSpec& gpu_of(std::uint32_t sms);
  const SharedKernel* shared_of(const Known& known, std::uint64_t blocks, std::uint64_t wanted);
  Running& running(std::uint32_t work);
  void disturb_recorded();
  void progress(Instant now);
  void share();
  std::optional<Due> next_of(const Running& r, std::optional<std::int32_t> urgent) const;

  const GpuSpec& gpu_;
  const SmPartitions& partitions_;
  const std::size_t kernels_;
  Sharing sharing_;
  std::map<std::uint32_t, GpuSpec> gpus_;      // by number of SMs, fewer than all
  std::vector<std::unique_ptr<Known>> known_;  // by partition and kernel
  // By kernel, blocks and wanted blocks, where not all that fit are resident.
  std::map<std::tuple<const Known*, std::uint64_t, std::uint64_t>, SharedKernel> parts_;
  std::vector<Running> running_;  // oldest first
  std::vector<Sharer> sharers_;
  bool changed_ = false;  // since the rates were computed
  bool paused_ = false;
  Instant since_;
};

}  // namespace septet::gpu
