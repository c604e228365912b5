// Which SMs the blocks of a stream may use.
//
// An MPS client with a share (CUDA_MPS_ACTIVE_THREAD_PERCENTAGE) uses at most that share of the
// SMs. Clients get consecutive ranges of SMs, wrapping around after the last: shares that add up to
// 100 % do not overlap. A green context owns a partition of its process's SMs; those of one process
// never overlap, but streams of the process without a context use all of them. Not modelled: which
// SMs of a GPU processing cluster the driver picks; graph nodes captured in a context other than
// that of the graph's launch. Recorded kernels, which use no SM resources, are not limited.
// Sources: the MPS documentation, chapter on resource provisioning; CUDA driver API,
// cuGreenCtxCreate and cuDevSmResourceSplitByCount.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/gpu/block_scheduler/sm_pool.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/program/program.hpp"

namespace septet::gpu {

struct SmPartitions {
  std::vector<SmSet> sets;
  std::vector<std::uint32_t> of_stream;  // by stream: index in `sets`; empty: all may use all SMs

  const SmSet& of(std::uint32_t stream) const {
    static const SmSet kAll;
    return of_stream.empty() ? kAll : sets[of_stream[stream]];
  }
  // Index of a stream's set, and the number of sets.
  std::uint32_t set_of(std::uint32_t stream) const {
    return of_stream.empty() ? 0 : of_stream[stream];
  }
  std::size_t count() const { return std::max<std::size_t>(1, sets.size()); }
  // How many SMs a set has, of a GPU of `sm_count`.
  std::uint32_t sms(std::uint32_t set, std::uint32_t sm_count) const {
    if (sets.empty() || sets[set].empty()) return sm_count;
    return static_cast<std::uint32_t>(std::count(sets[set].begin(), sets[set].end(), true));
  }
};

// `shares`: by process, of MPS clients; processes beyond its end may use all SMs. Throws ModelError
// where the contexts of a process don't fit its SMs, or the GPU can't make one of that size.
SmPartitions partition_sms(const program::Program& program, const GpuSpec& spec,
                           std::uint32_t device, const std::vector<double>& shares);

}  // namespace septet::gpu
