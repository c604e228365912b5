// The time of one launch on an idle GPU, by stage: from the launch call to the end of the last
// block.
//
// 1 is the host's launch cost and the front end's latency; 2, 3 and 4 are those of the kernel
// model. Its time of busy issue slots and pipes is divided: 5 has the issue slots, 7 the wavefronts
// that bank conflicts add beyond them, 6 the pipes beyond both and the dependency chains. 7 also
// has the time that warps wait for memory. The seven add up to the total.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "models/gpu/gpu_spec.hpp"
#include "models/gpu/kernel/kernel_time.hpp"
#include "models/host/host_spec.hpp"
#include "scenarios/explain/kernel_description.hpp"

namespace septet::explain {

enum class Stage : std::uint8_t {
  kSubmission,
  kDistribution,
  kCreation,
  kFetch,
  kIssue,
  kExecution,
  kMemory
};
constexpr auto enum_table(std::type_identity<Stage>) {
  return enum_texts<Stage>("submission", "work distribution", "warp creation", "fetch", "issue",
                           "execution", "memory access");
}

struct StageTimes {
  std::array<Duration, kEnumSize<Stage>> of{};

  Duration operator[](Stage stage) const { return of[static_cast<std::size_t>(stage)]; }
  Duration& operator[](Stage stage) { return of[static_cast<std::size_t>(stage)]; }
  Duration total() const;
};

Duration submission_time(const gpu::GpuSpec& gpu, const host::HostSpec& host);

// `time`: what the kernel model says about `kernel`.
StageTimes stage_times(const gpu::GpuSpec& gpu, const host::HostSpec& host,
                       const KernelDescription& kernel, const gpu::KernelTime& time);

}  // namespace septet::explain
