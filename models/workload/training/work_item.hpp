// What a GPU does in a training step: a kernel, or an exchange with the others of a group.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/program/collective_terms.hpp"
#include "models/program/kernel.hpp"

namespace septet::training {

// Which GPUs a collective joins.
enum class Group : std::uint8_t {
  kNone,
  kTensor,
  kContext,
  kPipeline,
  kData,          // replicas and context ranks: all with the same parameters
  kShard,         // those of them that share parameters or states
  kExpert,        // over which experts are spread
  kExpertTensor,  // that share each expert's matrices
  kReplica,       // that hold the same shard (HSDP)
  kExpertData,    // that hold the same experts
};

struct WorkItem {
  Group group = Group::kNone;  // none: a kernel
  program::Kernel kernel{};
  program::CollectiveOp op = program::CollectiveOp::kAllReduce;
  Bytes bytes{};
  double calls = 1;  // of the host: kernels, where one stands for several
  // Of the peak rate of the instructions of a warp (mma.sync) that the framework's own kernel
  // reaches, where it is not the library's; 0: it is.
  double tensor_share = 0;
  bool beside = false;       // the exchange runs beside the kernel that follows
  std::uint32_t pieces = 1;  // in which that kernel runs, each beside a piece of the exchange

  bool is_kernel() const { return group == Group::kNone; }
};

using WorkList = std::vector<WorkItem>;

}  // namespace septet::training
