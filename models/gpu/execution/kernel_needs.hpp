// The SM resources of a block of each kernel of a Program, computed once for all GPUs of a kind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpu/block_scheduler/sm_pool.hpp"
#include "models/program/program.hpp"

namespace septet::gpu {

class KernelNeeds {
 public:
  // Throws ModelError if an SM can't hold a block of some kernel; if there are GPUs of other kinds,
  // on which it may run instead, this becomes an error of its launch.
  KernelNeeds(const program::Program& program, const SmSpec& spec, bool several_kinds);

  const BlockNeeds& of(std::uint32_t kernel) const { return of_[kernel]; }
  // Why an SM can't hold a block of the kernel; empty: it can.
  const std::string& why_impossible(std::uint32_t kernel) const { return impossible_[kernel]; }
  // A block of a collective's kernel.
  const BlockNeeds& of_collective() const { return collective_; }
  // Some launches have no recorded duration and use SM resources, so collectives do too.
  // `recorded_share`: recorded ones do.
  bool take_room(bool recorded_share) const {
    return some_modelled_ || (recorded_share && !of_.empty());
  }

 private:
  void add(const program::Kernel& kernel, const SmSpec& spec, bool several_kinds);

  std::vector<BlockNeeds> of_;
  std::vector<std::string> impossible_;
  BlockNeeds collective_;
  const bool some_modelled_;
};

}  // namespace septet::gpu
