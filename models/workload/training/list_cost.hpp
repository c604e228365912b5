// Lists of work as times: kernels at one SM clock, exchanges on an idle network.
//
// An exchange beside a kernel takes that kernel's SMs for its channels: together they take the
// longer of the exchange and the kernel on the SMs that are left; where the kernel runs in pieces,
// the first piece's exchange comes before it. A kernel of the framework's own reaches a share of
// the rate of mma.sync, the instructions of a warp, which on GPUs with instructions of a group of
// warps have 63 % of the peak (Luo et al., "Dissecting the NVIDIA Hopper architecture", 2024). The
// clock is the one that the board sustains under the mean power of a microbatch, forward and
// backward.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "models/gpu/operators/operator_time.hpp"
#include "models/workload/training/stage_work.hpp"

namespace septet::training {

// Where the time of a GPU goes.
enum class Part : std::uint8_t {
  kProducts,
  kAttention,
  kOther,   // norms, activations, casts, copies, loss
  kGaps,    // between kernels
  kTensor,  // exchanges that nothing hides
  kContext,
  kExpert,
  kPipeline,    // activations on their way, and the bubble
  kData,        // gradients and parameters
  kHost,        // launches that are late
  kStragglers,  // the slowest GPU's kernels
  kOptimizer,   // and what surrounds it
};
constexpr auto enum_table(std::type_identity<Part>) {
  return enum_texts<Part>("products", "attention", "other_kernels", "gaps", "tensor_exchange",
                          "context_exchange", "expert_exchange", "pipeline", "data_exchange",
                          "host", "stragglers", "optimizer");
}
using Times = std::array<Duration, kEnumSize<Part>>;

inline Duration& part_of(Times& times, Part part) { return times[static_cast<std::size_t>(part)]; }
Duration sum(const Times& times);
void add(Times& to, const Times& what);

struct ExchangeCost {
  Duration time{};
  std::uint32_t channels = 0;  // SMs that it takes
};
using ExchangeModel = std::function<ExchangeCost(Group, program::CollectiveOp, Bytes)>;

struct ListCost {
  Times gpu{};
  Duration host{};  // to launch it all

  Duration total() const { return sum(gpu); }
};

// What the host takes for each kernel and each exchange.
struct HostCost {
  Duration kernel{};
  Duration exchange{};
  Duration between{};  // kernels, where each launch waits for the one before
};

class ListPricer {
 public:
  ListPricer(const gpu::GpuSpec& gpu, HostCost host, Graphs graphs, ExchangeModel exchange);

  // Chooses the clock: that of these lists, each so many times, over and over.
  void settle(const std::vector<std::pair<const WorkList*, double>>& lists);

  ListCost cost(const WorkList& list) const;
  gpu::Activity activity_of(const WorkList& list) const;  // of its kernels, for their energy
  Frequency clock() const { return gpu_.clock; }
  const gpu::Activity& activity() const { return activity_; }
  const HostCost& host() const { return host_; }
  const ExchangeModel& exchange() const { return exchange_; }
  std::uint32_t sm_count() const { return gpu_.sm_count; }

 private:
  const gpu::OperatorTime& library(const program::Kernel& kernel) const;
  Duration timed(const WorkItem& item) const;
  Duration in_pieces(const WorkItem& item, std::uint32_t pieces) const;
  Duration gap() const;
  void add_beside(const WorkItem& exchange, const WorkItem& kernel, ListCost& out) const;

  gpu::GpuSpec gpu_;  // at the clock chosen
  const HostCost host_;
  const Graphs graphs_;
  const ExchangeModel exchange_;
  gpu::Activity activity_;
  mutable std::vector<std::pair<program::OperatorWork, gpu::OperatorTime>> known_;
};

}  // namespace septet::training
