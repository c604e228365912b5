// What-if: runs of kernels fused into one kernel each.
#include <map>
#include <utility>

#include <fmt/format.h>

#include "scenarios/whatif/call_removal.hpp"
#include "scenarios/whatif/changes.hpp"
#include "scenarios/whatif/graph_edit.hpp"
#include "scenarios/whatif/kernel_runs.hpp"
#include "scenarios/whatif/name_pattern.hpp"
#include "scenarios/whatif/scopes.hpp"

namespace septet::whatif::changes {
namespace {

// Kernels made of several, each listed once.
class FusedKernels {
 public:
  FusedKernels(program::Program& program, double factor) : program_(program), factor_(factor) {}

  // Of a run whose kernels take `sum`.
  Duration time(Duration sum) {
    before_ += sum;
    const Duration out = factor_ == 1.0 ? sum : scale(sum, factor_);
    after_ += out;
    return out;
  }

  std::uint32_t of(const std::vector<std::uint32_t>& kernels) {
    const auto number = static_cast<std::uint32_t>(program_.kernels.size());
    const auto [entry, fresh] = known_.try_emplace(kernels, number);
    if (fresh) {
      program::Kernel fused = program_.kernels[kernels.front()];
      fused.name = fmt::format("fused x{}: {}", kernels.size(), fused.name);
      program_.kernels.push_back(std::move(fused));
    }
    return entry->second;
  }

  void count(std::size_t kernels) {
    ++runs_;
    fused_ += kernels;
  }
  std::uint64_t runs() const { return runs_; }
  std::string note() const {
    const std::string out = fmt::format("{} kernels fused into {}", fused_, runs_);
    if (factor_ == 1.0) return out;
    return out + fmt::format(": from {:.1f} us to {:.1f} us", to_us(before_), to_us(after_));
  }

 private:
  program::Program& program_;
  double factor_;
  Duration before_{}, after_{};
  std::map<std::vector<std::uint32_t>, std::uint32_t> known_;
  std::uint64_t runs_ = 0;
  std::uint64_t fused_ = 0;
};

void fuse_calls(program::Program& program, const std::vector<KernelRun>& runs,
                FusedKernels& fused) {
  std::vector<Removed> removed;
  for (const program::HostThread& thread : program.threads)
    removed.emplace_back(thread.calls.size(), false);
  for (const auto& [thread, run] : runs) {
    if (run.size() < 2) continue;
    std::vector<program::Call>& calls = program.threads[thread].calls;
    program::LaunchKernel& first = program::as<program::LaunchKernel>(calls[run.front()]);
    std::vector<std::uint32_t> kernels{first.kernel};
    for (std::size_t r = 1; r < run.size(); ++r) {
      const program::LaunchKernel& more = program::as<program::LaunchKernel>(calls[run[r]]);
      first.recorded += more.recorded;
      kernels.push_back(more.kernel);
      removed[thread][run[r]] = true;
    }
    first.recorded = fused.time(first.recorded);
    first.kernel = fused.of(kernels);
    fused.count(kernels.size());
  }
  for (std::size_t t = 0; t < removed.size(); ++t) {
    remove_operators(program.threads[t], removed[t]);
  }
}

void fuse_nodes(program::Program& program, const std::vector<std::vector<bool>>& matching,
                FusedKernels& fused) {
  std::vector<std::vector<bool>> removed;
  for (std::size_t g = 0; g < program.graphs.size(); ++g) {
    program::Graph& graph = program.graphs[g];
    removed.emplace_back(graph.nodes.size(), false);
    for (const std::vector<std::uint32_t>& run : chains(graph, matching[g])) {
      program::LaunchKernel& first = program::as<program::LaunchKernel>(graph.nodes[run.front()]);
      std::vector<std::uint32_t> kernels{first.kernel};
      for (std::size_t r = 1; r < run.size(); ++r) {
        const program::LaunchKernel& more = program::as<program::LaunchKernel>(graph.nodes[run[r]]);
        first.recorded += more.recorded;
        kernels.push_back(more.kernel);
        removed[g][run[r]] = true;
      }
      first.recorded = fused.time(first.recorded);
      first.kernel = fused.of(kernels);
      fused.count(kernels.size());
    }
  }
  remove_nodes(program, removed);
}

}  // namespace

void fuse(const std::string& value, WhatIfState& state) {
  program::Program& program = state.program;
  static constexpr std::string_view kScale = ":scale=";
  const std::size_t at = value.rfind(kScale);
  const bool scales = at != std::string::npos;
  const double factor = scales ? read_factor("fuse", value.substr(at + kScale.size())) : 1.0;
  const NamePattern pattern("fuse", value.substr(0, at), program);
  RunRules rules;
  rules.wanted = [&](const program::Call& call) { return pattern.launch(call); };
  const std::vector<KernelRun> runs = kernel_runs(program, run_now(state), rules);
  std::uint64_t found = 0;
  for (const program::HostThread& thread : program.threads) {
    for (const program::Call& call : thread.calls) found += pattern.launch(call) ? 1 : 0;
  }
  std::vector<std::vector<bool>> nodes;
  for (const program::Graph& graph : program.graphs) {
    std::vector<bool>& matching = nodes.emplace_back();
    for (const program::GraphNode& node : graph.nodes) {
      found += pattern.launch(node) ? 1 : 0;
      matching.push_back(pattern.launch(node) &&
                         program::as<program::LaunchKernel>(node).recorded != program::kModelled);
    }
  }
  if (found == 0) pattern.nothing_matches(program);
  FusedKernels fused(program, factor);
  fuse_calls(program, runs, fused);
  fuse_nodes(program, nodes, fused);
  state.notes.push_back(fused.note());
  if (fused.runs() == 0) {
    state.notes.back() = fmt::format("{} kernels match, but no two of them are consecutive", found);
  }
}

}  // namespace septet::whatif::changes
