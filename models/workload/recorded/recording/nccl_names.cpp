#include "models/workload/recorded/recording/nccl_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace septet::recorded {
namespace {

using enum program::CollectiveOp;

struct Part {
  std::string_view text;  // in lower case, without underscores
  program::CollectiveOp op;
};

// The first part that a name holds decides.
constexpr auto kParts = std::to_array<Part>({{"allreduce", kAllReduce},
                                             {"allgather", kAllGather},
                                             {"reducescatter", kReduceScatter},
                                             {"alltoall", kAllToAll},
                                             {"broadcast", kBroadcast},
                                             {"sendrecv", kSendReceive},
                                             {"coalesced", kSendReceive},
                                             {"send", kSendReceive},
                                             {"recv", kSendReceive}});

// Kernels of other libraries, by what is in their names as written there.
constexpr auto kOthers = std::to_array<Part>({
    {"multimem_all_reduce", kAllReduce},
    {"multimem_one_shot", kAllReduce},
    {"two_shot_all_reduce", kAllReduce},
    {"one_shot_all_reduce", kAllReduce},
    {"multimem_all_gather", kAllGather},
    {"cross_device_reduce_", kAllReduce},
    {"oneShotAllReduceKernel", kAllReduce},
    {"twoShotAllReduceKernel", kAllReduce},
    {"oneShotAllreduce", kAllReduce},
    {"twoshot_allreduce", kAllReduce},
    {"allreduce_fusion_kernel", kAllReduce},
    {"lamport_style_one_shot", kAllReduce},
    {"deep_ep::", kAllToAll},
    {"nvshmem", kSendReceive},
});

// Inside of a library, but not communication.
constexpr auto kNot = std::to_array<std::string_view>(
    {"deep_ep::layout", "get_dispatch_layout", "nvshmemi_init", "nvshmemi_finalize"});

std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '(' || c == '<') break;
    if (c != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

std::optional<program::CollectiveOp> op_in(const std::string& text) {
  for (const Part& part : kParts) {
    if (text.find(part.text) != std::string::npos) return part.op;
  }
  return std::nullopt;
}

}  // namespace

std::optional<program::CollectiveOp> nccl_op(std::string_view kernel) {
  if (kernel.starts_with("nccl") || kernel.starts_with("rccl")) return op_in(plain(kernel));
  const auto holds = [&](std::string_view part) {
    return kernel.find(part) != std::string_view::npos;
  };
  if (std::any_of(kNot.begin(), kNot.end(), holds)) return std::nullopt;
  for (const Part& other : kOthers) {
    if (holds(other.text)) return other.op;
  }
  return std::nullopt;
}

std::optional<program::CollectiveOp> named_op(std::string_view name) { return op_in(plain(name)); }

}  // namespace septet::recorded
