// Stage 3: the resources of the SMs of a GPU. Blocks take warps, registers, shared memory and a
// block slot of one SM, in the hardware's allocation units, and release them together. An SM that
// runs a single kernel holds as many blocks as occupancy.hpp says. If kernels are mixed, each
// leaves free the registers that its own warps could not use alone: how the hardware then divides
// the register file over the sub-cores is not documented.
//
// Placement: each block goes to an SM with the fewest blocks among those on which it fits, lowest
// number first. Not modelled: clusters, texture processing clusters, the order inside them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/program/kernel.hpp"

namespace septet::gpu {

// Resources of one block, after rounding.
struct BlockNeeds {
  std::uint32_t warps = 0;
  std::uint32_t registers = 0;
  std::uint32_t registers_unusable = 0;  // of the SM: too few for another warp on each sub-core
  std::int64_t shared = 0;               // bytes
  constexpr bool operator==(const BlockNeeds&) const = default;
};

// Throws ModelError naming the limit where no SM can ever hold such a block.
BlockNeeds block_needs(const SmSpec& spec, const program::LaunchShape& shape);
// The error includes the kernel's name.
BlockNeeds block_needs(const SmSpec& spec, const program::Kernel& kernel);

// The SMs that may be used; empty: all.
using SmSet = std::vector<bool>;

class SmPool {
 public:
  SmPool(const SmSpec& spec, std::uint32_t sm_count);

  // Puts up to `wanted` blocks on SMs of `within`, at most one on each SM; appends the SMs to
  // `placed`.
  void place_layer(const BlockNeeds& needs, std::uint64_t wanted,
                   std::vector<std::uint16_t>& placed, const SmSet& within = {});
  // Removes one block from each of `sms`.
  void release(const BlockNeeds& needs, std::span<const std::uint16_t> sms);

  std::uint32_t size() const { return static_cast<std::uint32_t>(sms_.size()); }
  std::uint64_t resident_blocks() const { return resident_; }

 private:
  struct Sm {
    std::uint32_t warps = 0;  // free
    std::uint32_t registers = 0;
    std::int64_t shared = 0;
    std::uint32_t blocks = 0;  // resident
  };

  bool fits(const Sm& sm, const BlockNeeds& needs) const;
  template <class Change>
  void change(std::span<const std::uint16_t> sms, int step, Change change_room);
  void place_level(std::uint32_t level, const BlockNeeds& needs, std::uint64_t wanted,
                   std::vector<std::uint16_t>& placed, const SmSet& within);

  std::uint32_t max_blocks_;
  std::vector<Sm> sms_;
  std::vector<std::uint32_t> at_level_;  // how many SMs hold that many blocks
  std::uint64_t resident_ = 0;
};

}  // namespace septet::gpu
