#include "models/gpu/operators/timed_lists.hpp"

#include <map>
#include <tuple>
#include <utility>

#include "models/gpu/operators/library_kernels.hpp"

namespace septet::gpu {
namespace {

class OperatorTimer {
 public:
  OperatorTimer(program::Program& program, const ByRange<GpuSpec>& gpus,
                const ByRange<double>& slowness)
      : program_(program), gpus_(gpus), slowness_(slowness), untimed_(program.call_lists) {}

  void run() {
    for (program::HostThread& thread : program_.threads) {
      if (thread.list != kNone) thread.list = list_of(thread.list, thread.offsets.device);
    }
  }

 private:
  // The usual kind of GPU keeps the list's number.
  std::uint32_t list_of(std::uint32_t list, std::uint32_t device) {
    const std::size_t kind = gpus_.kind(device);
    const std::size_t slow = slowness_.kind(device);
    const bool usual = kind == 0 && slow == 0;
    const auto next = static_cast<std::uint32_t>(program_.call_lists.size());
    const auto [entry, fresh] = timed_.emplace(std::tuple(list, kind, slow), usual ? list : next);
    if (!fresh) return entry->second;
    if (!usual) program_.call_lists.push_back(untimed_[list]);
    time(program_.call_lists[entry->second], kind, slowness_[device]);
    return entry->second;
  }

  void time(std::vector<program::Call>& calls, std::size_t kind, double factor) {
    for (program::Call& call : calls) {
      auto* launch = program::get_if<program::LaunchKernel>(call);
      if (launch == nullptr || launch->recorded != program::kModelled) continue;
      const auto* work = std::get_if<program::OperatorWork>(&program_.kernels[launch->kernel].work);
      if (work != nullptr) launch->recorded = scale(time_of(launch->kernel, *work, kind), factor);
    }
  }

  Duration time_of(std::uint32_t kernel, const program::OperatorWork& work, std::size_t kind) {
    const auto [entry, fresh] = times_.try_emplace({kernel, kind});
    if (fresh) entry->second = operator_time(gpus_.of_kind(kind), work).time;
    return entry->second;
  }

  program::Program& program_;
  const ByRange<GpuSpec>& gpus_;
  const ByRange<double>& slowness_;
  const std::vector<std::vector<program::Call>> untimed_;
  std::map<std::tuple<std::uint32_t, std::size_t, std::size_t>, std::uint32_t> timed_;
  std::map<std::pair<std::uint32_t, std::size_t>, Duration> times_;  // by kernel, kind of GPU
};

}  // namespace

void time_operators(program::Program& program, const ByRange<GpuSpec>& gpus,
                    const ByRange<double>& slowness) {
  OperatorTimer(program, gpus, slowness).run();
}

}  // namespace septet::gpu
