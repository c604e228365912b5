#include "models/workload/recorded/recording/nccl_names.hpp"

#include <array>
#include <utility>

namespace septet::recorded {
namespace {

using enum program::CollectiveOp;

constexpr std::array<std::pair<std::string_view, program::CollectiveOp>, 5> kOps = {
    {{"AllReduce", kAllReduce},
     {"AllGather", kAllGather},
     {"ReduceScatter", kReduceScatter},
     {"Broadcast", kBroadcast},
     {"SendRecv", kSendReceive}}};

}  // namespace

std::optional<program::CollectiveOp> nccl_op(std::string_view kernel) {
  if (!kernel.starts_with("nccl")) return std::nullopt;
  for (const auto& [part, op] : kOps) {
    if (kernel.find(part) != std::string_view::npos) return op;
  }
  return std::nullopt;
}

}  // namespace septet::recorded
