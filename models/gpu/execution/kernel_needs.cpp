#include "models/gpu/execution/kernel_needs.hpp"

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

// A block of a collective's kernel, as NCCL 2.27 launches them for the Simple protocol: 512 threads
// and what copies, and the registers to which its kernels are bound.
constexpr LaunchShape kCollectiveShape{{1, 1, 1}, {544, 1, 1}, 96, {}, {}, {1, 1, 1}};

// The others are timed as a whole.
bool placed_by_block(const Kernel& kernel) {
  return std::holds_alternative<FixedBlockWork>(kernel.work) ||
         std::holds_alternative<PersistentWork>(kernel.work);
}

}  // namespace

KernelNeeds::KernelNeeds(const Program& program, const SmSpec& spec, bool several_kinds) {
  for (const Kernel& kernel : program.kernels) add(kernel, spec, several_kinds);
  if (program.collectives.empty()) return;
  collective_ = block_needs(spec, {"collective", kCollectiveShape, {}, {}});
}

void KernelNeeds::add(const Kernel& kernel, const SmSpec& spec, bool several_kinds) {
  some_modelled_ = some_modelled_ || !std::holds_alternative<RecordedWork>(kernel.work);
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
