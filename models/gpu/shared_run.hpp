// Kernels that share the GPU while they run: each has an amount of work left, in time that it would
// take alone, and a rate at which the others let it progress. Rates change only when a kernel
// starts or ends.
//
// Kernels that the kernel model times share by their use of resources (kernel/sharing.hpp). Of a
// recorded kernel only duration and shape are known: it takes its share of the block slots of the
// SMs that it covers, averaged over its waves. Where kernels together cover more SMs than there
// are, they meet, and where the shares of all then add up to more than the SMs have, all progress
// more slowly by that factor. The start of a kernel lengthens each recorded one that runs by
// `neighbour_start` (kernels that only spin do not show it: it is what they must load again, not
// the front end). Not modelled: competition for memory among recorded kernels; room that modelled
// kernels, recorded ones and those of fixed block time take from each other.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/gpu/kernel/sharing.hpp"

namespace septet {

// What a recorded kernel takes of the GPU while it runs, 0 to 1.
struct RecordedShare {
  double sms = 0;         // SMs that hold a block of it
  double throughput = 0;  // of what such an SM can do
};

class SharedRun {
 public:
  struct Ending {
    std::uint32_t work = 0;
    Duration in{};  // from now
  };

  explicit SharedRun(const GpuSpec& gpu) : gpu_(gpu) {}

  // `kernel` (index of the program) starts as `work` at `now`.
  void start(std::uint32_t work, std::uint32_t kernel, const Kernel& description, Instant now);
  // A recorded kernel that takes `alone` by itself.
  void start_recorded(std::uint32_t work, Duration alone, const RecordedShare& share, Instant now);
  void end(std::uint32_t work, Instant now);

  // When each running work ends if nothing starts or ends before, oldest first.
  std::vector<Ending> endings() const;

 private:
  // What is worked out once for each kernel of the program.
  struct Known {
    Duration alone{};
    SharedKernel shared;
  };
  struct Running {
    std::uint32_t work = 0;
    const Known* known = nullptr;  // null: recorded
    RecordedShare share;           // of a recorded kernel
    double left = 0;               // picoseconds alone
    double slow_down = 1;
  };

  const Known& known(std::uint32_t kernel, const Kernel& description);
  void progress(Instant now);
  void share();

  void share_slots();

  const GpuSpec& gpu_;
  std::map<std::uint32_t, Known> known_;  // by kernel
  std::vector<Running> running_;          // oldest first
  Instant since_;
};

RecordedShare recorded_share(const GpuSpec& gpu, const LaunchShape& shape);

}  // namespace septet
