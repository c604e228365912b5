#include "models/gpu/execution/kernel_needs.hpp"

#include <algorithm>
#include <span>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

// A block of a collective's kernel, as NCCL 2.27 launches it for the Simple protocol: 512 threads
// plus the copying warps, and the register limit of its kernels.
constexpr program::LaunchShape kCollectiveShape{{1, 1, 1}, {544, 1, 1}, 96, {}, {}, {1, 1, 1}};

// The others are timed as a whole.
bool placed_by_block(const program::Kernel& kernel) {
  return std::holds_alternative<program::FixedBlockWork>(kernel.work) ||
         std::holds_alternative<program::PersistentWork>(kernel.work);
}

// Of calls, or of nodes of a graph.
template <class Thing>
bool some_modelled(std::span<const Thing> things) {
  return std::any_of(things.begin(), things.end(), [](const Thing& thing) {
    const auto* launch = program::get_if<program::LaunchKernel>(thing);
    return launch != nullptr && launch->recorded == program::kModelled;
  });
}

bool some_modelled(const program::Program& program) {
  using Calls = std::span<const program::Call>;
  using Nodes = std::span<const program::GraphNode>;
  return std::ranges::any_of(program.call_lists,
                             [](const auto& list) { return some_modelled(Calls(list)); }) ||
         std::ranges::any_of(
             program.threads,
             [](const auto& thread) { return some_modelled(Calls(thread.calls)); }) ||
         std::ranges::any_of(program.graphs,
                             [](const auto& graph) { return some_modelled(Nodes(graph.nodes)); });
}

}  // namespace

KernelNeeds::KernelNeeds(const program::Program& program, const SmSpec& spec, bool several_kinds)
    : some_modelled_(some_modelled(program)) {
  for (const program::Kernel& kernel : program.kernels) add(kernel, spec, several_kinds);
  if (program.collectives.empty()) return;
  collective_ = block_needs(spec, {"collective", kCollectiveShape, {}, {}});
}

void KernelNeeds::add(const program::Kernel& kernel, const SmSpec& spec, bool several_kinds) {
  of_.emplace_back();
  impossible_.emplace_back();
  if (!placed_by_block(kernel)) return;
  try {
    of_.back() = block_needs(spec, kernel);
  } catch (const ModelError& error) {
    if (!several_kinds) throw;
    impossible_.back() = error.what();
  }
}

}  // namespace septet::gpu
