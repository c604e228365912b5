// What-ifs about kernels: faster ones, none, several as one.
#include <set>

#include <fmt/format.h>

#include "scenarios/whatif/call_removal.hpp"
#include "scenarios/whatif/changes.hpp"
#include "scenarios/whatif/name_pattern.hpp"
#include "scenarios/whatif/submission.hpp"

namespace septet::whatif::changes {
namespace {

class Scaler {
 public:
  Scaler(const NamePattern& pattern, double factor) : pattern_(pattern), factor_(factor) {}

  void scale_all(program::Program& program) {
    for (program::HostThread& thread : program.threads) {
      for (program::Call& call : thread.calls) {
        if (pattern_.launch(call)) add(program::as<program::LaunchKernel>(call));
      }
    }
    for (program::Graph& graph : program.graphs) {
      for (program::GraphNode& node : graph.nodes) {
        if (pattern_.launch(node)) add(program::as<program::LaunchKernel>(node));
      }
    }
    for (const std::uint32_t kernel : described_) scale_kernel(program, kernel);
  }

  std::uint64_t launches() const { return launches_; }
  std::string note() const {
    std::string out = fmt::format("{} launches of matching kernels: from {:.1f} us to {:.1f} us",
                                  launches_, to_us(before_), to_us(after_));
    if (described_.empty()) return out;
    return out + fmt::format("; {} kernels are described, not recorded", described_.size());
  }

 private:
  void add(program::LaunchKernel& launch) {
    ++launches_;
    if (launch.recorded == program::kModelled) {
      described_.insert(launch.kernel);
      return;
    }
    before_ += launch.recorded;
    launch.recorded = scale(launch.recorded, factor_);
    after_ += launch.recorded;
  }

  void scale_kernel(program::Program& program, std::uint32_t kernel) const {
    program::KernelWork& work = program.kernels[kernel].work;
    const bool is_operator = std::holds_alternative<program::OperatorWork>(work);
    if (is_operator || std::holds_alternative<program::InstructionWork>(work)) {
      wrong_value("kernel", program.kernels[kernel].name,
                  fmt::format("a kernel with a duration (the time of this one comes from its {})",
                              is_operator ? "operator" : "instructions"));
    }
    if (auto* fixed = std::get_if<program::FixedBlockWork>(&work)) {
      fixed->block_time = scale(fixed->block_time, factor_);
      fixed->prologue = scale(fixed->prologue, factor_);
    }
    const auto* persistent = std::get_if<program::PersistentWork>(&work);
    if (persistent == nullptr) return;
    for (program::HostThread& thread : program.threads) {
      for (program::Call& call : thread.calls) {
        auto* push = program::get_if<program::PushItem>(call);
        if (push == nullptr || push->queue != persistent->queue) continue;
        push->duration = scale(push->duration, factor_);
      }
    }
  }

  const NamePattern& pattern_;
  const double factor_;
  std::uint64_t launches_ = 0;
  Duration before_{}, after_{};
  std::set<std::uint32_t> described_;
};

}  // namespace

void scale_kernels(const std::string& value, WhatIfState& state) {
  static constexpr std::string_view kScale = ":scale=";
  const std::size_t at = value.rfind(kScale);
  if (at == std::string::npos) wrong_value("kernel", value, "REGEX:scale=X");
  const NamePattern pattern("kernel", value.substr(0, at), state.program);
  Scaler scaler(pattern, read_factor("kernel", value.substr(at + kScale.size())));
  scaler.scale_all(state.program);
  if (scaler.launches() == 0) pattern.nothing_matches(state.program);
  state.notes.push_back(scaler.note());
}

void remove_work(const std::string& value, WhatIfState& state) {
  const NamePattern pattern("remove", value, state.program);
  std::uint64_t commands = 0;
  std::uint64_t waits = 0;
  std::uint64_t nodes = 0;
  for (program::HostThread& thread : state.program.threads) {
    Removed removed;
    for (const program::Call& call : thread.calls) {
      removed.push_back(pattern.work(call));
      commands += removed.back() ? 1 : 0;
      waits += removed.back() && is_blocking(call) ? 1 : 0;
    }
    remove_submissions(thread, removed);
  }
  std::vector<std::vector<bool>> of_graphs;
  for (const program::Graph& graph : state.program.graphs) {
    std::vector<bool>& removed = of_graphs.emplace_back();
    for (const program::GraphNode& node : graph.nodes) {
      removed.push_back(pattern.work(node));
      nodes += removed.back() ? 1 : 0;
    }
  }
  if (commands + nodes == 0) pattern.nothing_matches(state.program);
  remove_nodes(state.program, of_graphs);
  std::string note =
      fmt::format("{} kernels and copies and {} graph nodes removed", commands, nodes);
  if (waits > 0) note += fmt::format("; the CPU had waited for {} of them", waits);
  state.notes.push_back(note);
}

}  // namespace septet::whatif::changes
