// The kernels that the kernel model times while they run: each has an amount of work left, in time
// that it would take alone, and a rate at which the others let it progress. Rates change only when
// a kernel starts or ends.
//
// Not modelled: modelled kernels and those of fixed block time take no SM room from each other.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/gpu/kernel/sharing.hpp"

namespace septet {

class SharedRun {
 public:
  struct Ending {
    std::uint32_t work = 0;
    Duration in{};  // from now
  };

  explicit SharedRun(const GpuSpec& gpu) : gpu_(gpu) {}

  // `kernel` (index of the program) starts as `work` at `now`.
  void start(std::uint32_t work, std::uint32_t kernel, const Kernel& description, Instant now);
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
    const Known* known = nullptr;
    double left = 0;  // picoseconds alone
    double slow_down = 1;
  };

  const Known& known(std::uint32_t kernel, const Kernel& description);
  void progress(Instant now);
  void share();

  const GpuSpec& gpu_;
  std::map<std::uint32_t, Known> known_;  // by kernel
  std::vector<Running> running_;          // oldest first
  Instant since_;
};

}  // namespace septet
