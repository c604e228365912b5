// The what-if about another GPU.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "models/gpu/execution/copy_time.hpp"
#include "scenarios/config/configuration.hpp"
#include "scenarios/explain/elasticity.hpp"
#include "scenarios/whatif/changes.hpp"
#include "scenarios/whatif/inferred_work.hpp"

namespace septet::whatif::changes {
namespace {

// The change in time of one class of work, and what limited it on the recorded GPU.
struct ClassTotal {
  std::uint64_t launches = 0;
  Duration before{};
  Duration after{};
  std::vector<double> limits;  // by hardware group, weighted by time
};

struct Scaled {
  double factor = 1;
  std::vector<double> elasticities;
};

class DurationScaler {
 public:
  DurationScaler(const gpu::GpuSpec& from, const gpu::GpuSpec& to) : from_(from), to_(to) {}

  void move(program::Program& program) {
    for (program::HostThread& thread : program.threads) {
      for (program::Call& call : thread.calls) {
        move_work(program, call);
        auto* push = program::get_if<program::PushItem>(call);
        if (push == nullptr || push->kernel == kNone) continue;
        move_kernel(program.kernels[push->kernel], push->kernel, push->duration);
      }
    }
    for (program::Graph& graph : program.graphs) {
      for (program::GraphNode& node : graph.nodes) move_work(program, node);
    }
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> out;
    for (const WorkClass work : values_of<WorkClass>()) {
      const ClassTotal& total = classes_[static_cast<std::size_t>(work)];
      if (total.launches > 0) out.push_back(note(work, total));
    }
    if (memory_.launches > 0) {
      out.push_back(fmt::format("copies and memsets: {}, from {:.1f} us to {:.1f} us",
                                memory_.launches, to_us(memory_.before), to_us(memory_.after)));
    }
    if (widened_ > 0) {
      out.push_back(
          fmt::format("warning: {} has no fp8 matrix instructions: {} launches of fp8 kernels are "
                      "timed in bf16, with operands twice as large",
                      to_.name, widened_));
    }
    if (fixed_ > 0) {
      out.push_back(
          fmt::format("{} launches of kernels without a recorded duration: described ones are "
                      "timed again, others keep their block time",
                      fixed_));
    }
    return out;
  }

 private:
  // Of a call or a node.
  template <class Thing>
  void move_work(const program::Program& program, Thing& thing) {
    if (auto* launch = program::get_if<program::LaunchKernel>(thing)) {
      move_kernel(program.kernels[launch->kernel], launch->kernel, launch->recorded);
    } else if (auto* copy = program::get_if<program::Copy>(thing)) {
      move_copy(copy->direction, copy->bytes, copy->pinned, copy->recorded);
    } else if (auto* set = program::get_if<program::Memset>(thing)) {
      move_memset(set->bytes, set->recorded);
    }
  }

  void move_kernel(const program::Kernel& kernel, std::uint32_t index, Duration& work) {
    if (work == program::kModelled) {
      ++fixed_;
      return;
    }
    const RecordedClass recorded = recorded_class(kernel.name);
    const WorkClass what = recorded.work;
    if (loses_fp8(recorded.type)) ++widened_;
    ClassTotal& total = classes_[static_cast<std::size_t>(what)];
    ++total.launches;
    total.before += work;
    if (what != WorkClass::kCollective && work > Duration(0)) {
      const Scaled& scaled = scaled_for(kernel, index, work);
      add(total, scaled.elasticities, to_us(work));
      work = scale(work, scaled.factor);
    }
    total.after += work;
  }

  bool loses_fp8(program::DataType type) const {
    return type == program::DataType::kFp8 && from_.tensor.fp8_flops > 0 &&
           to_.tensor.fp8_flops <= 0;
  }

  // Durations of one kernel that differ by less than 1 % are evaluated once.
  const Scaled& scaled_for(const program::Kernel& kernel, std::uint32_t index, Duration recorded) {
    constexpr double kGrain = 0.01;
    const auto bucket = std::llround(std::log(to_us(recorded)) / kGrain);
    const auto [at, fresh] = known_.try_emplace({index, bucket});
    if (!fresh) return at->second;
    const Duration typical = from_us(std::exp(static_cast<double>(bucket) * kGrain));
    const InferredWork work = infer_work(from_, kernel, typical);
    at->second.factor = ratio(time_on(to_, work), time_on(from_, work));
    at->second.elasticities =
        explain::elasticities(from_, [&](const gpu::GpuSpec& gpu) { return time_on(gpu, work); });
    return at->second;
  }

  static void add(ClassTotal& total, const std::vector<double>& more, double weight) {
    total.limits.resize(more.size());
    for (std::size_t g = 0; g < more.size(); ++g) total.limits[g] += more[g] * weight;
  }

  // The CPU's part of a copy is unchanged: staging pageable memory, copies within host memory.
  void move_copy(program::CopyDirection direction, Bytes bytes, bool pinned, Duration& work) {
    // One without a duration is part of its command, or is timed again.
    if (work <= Duration(0) || direction == program::CopyDirection::kHostToHost) return;
    const Duration then = copy_time(from_, direction, bytes, pinned);
    const Duration now = copy_time(to_, direction, bytes, pinned);
    if (gpu::is_staged(direction, pinned)) {
      move_memory(std::max(Duration(0), work + now - then), work);
    } else {
      move_scaled(then, now, work);
    }
  }
  void move_memset(Bytes bytes, Duration& work) {
    if (work == program::kModelled) return;
    move_scaled(memset_time(from_, bytes), memset_time(to_, bytes), work);
  }
  void move_scaled(Duration then, Duration now, Duration& work) {
    move_memory(then > Duration(0) ? scale(work, ratio(now, then)) : work, work);
  }
  void move_memory(Duration moved, Duration& work) {
    ++memory_.launches;
    memory_.before += work;
    work = moved;
    memory_.after += work;
  }

  static std::string note(WorkClass work, const ClassTotal& total) {
    const std::string head =
        fmt::format("{}: {} launches, from {:.1f} us to {:.1f} us ({:.2f}x)", text_of(work),
                    total.launches, to_us(total.before), to_us(total.after),
                    ratio(total.after, std::max(total.before, Duration(1))));
    if (total.limits.empty()) return head + "; durations unchanged";
    return head + "; limited by " + limits_text(total);
  }

  // The groups with the largest shares.
  static std::string limits_text(const ClassTotal& total) {
    constexpr std::size_t kMost = 4;
    constexpr double kLeastShare = 0.03;
    std::vector<std::pair<double, std::string>> shares;
    for (std::size_t g = 0; g < total.limits.size(); ++g) {
      const double share = total.limits[g] / to_us(total.before);
      if (share >= kLeastShare) shares.emplace_back(share, explain::hardware_groups()[g].name);
    }
    std::stable_sort(shares.begin(), shares.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    shares.resize(std::min(shares.size(), kMost));
    std::vector<std::string> words;
    for (const auto& [share, name] : shares) {
      words.push_back(fmt::format("{} {:.0f} %", name, 100.0 * share));
    }
    return words.empty() ? "the clock" : fmt::format("{}", fmt::join(words, ", "));
  }

  const gpu::GpuSpec& from_;
  const gpu::GpuSpec& to_;
  std::array<ClassTotal, kEnumSize<WorkClass>> classes_;
  ClassTotal memory_;
  std::uint64_t fixed_ = 0;
  std::uint64_t widened_ = 0;
  std::map<std::pair<std::uint32_t, long long>, Scaled> known_;
};

}  // namespace

void other_gpu(const std::string& value, WhatIfState& state) {
  if (!state.unknown_gpu.empty()) {
    throw ConfigError(
        {},
        fmt::format("what-if gpu: the recording was made on '{}', which has no profile, so that "
                    "its kernels can't be scaled; give one with --gpu FILE.toml (tools/probe "
                    "measures it, data/hardware/README.md says how to write it), or say --like "
                    "NAME to take it for another GPU",
                    state.unknown_gpu));
  }
  if (!state.system.others.empty()) {
    throw ConfigError({},
                      "what-if gpu: the cluster has GPUs of several kinds (hardware.other), wanted "
                      "one kind; change hardware.gpu or hardware.other in a [[what_if]] instead");
  }
  const config::ProfileLibrary library(config::data_directories());
  const config::Hardware other = read_hardware(value, "", {}, library, "");
  const gpu::GpuSpec from = state.profile.gpu;
  DurationScaler scaler(from, other.gpu);
  scaler.move(state.program);
  state.notes.push_back(
      fmt::format("{} instead of {}: launch latencies and gaps keep their recorded values",
                  other.gpu.name, from.name));
  for (const std::string& warning : other.warnings) state.notes.push_back("warning: " + warning);
  for (std::string& note : scaler.notes()) state.notes.push_back(std::move(note));
  const gpu::FrontEndSpec recorded = state.system.gpu.front_end;
  state.system.gpu = other.gpu;
  state.system.gpu.front_end = recorded;
  state.profile.gpu = other.gpu;
}

}  // namespace septet::whatif::changes
