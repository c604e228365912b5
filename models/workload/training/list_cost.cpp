#include "models/workload/training/list_cost.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/gpu/operators/library_kernels.hpp"

namespace septet::training {
namespace {

Part exposed_by(Group group) {
  switch (group) {
    case Group::kTensor:
      return Part::kTensor;
    case Group::kContext:
      return Part::kContext;
    case Group::kExpert:
    case Group::kExpertTensor:
      return Part::kExpert;
    case Group::kPipeline:
      return Part::kPipeline;
    default:
      return Part::kData;
  }
}

Part part_for(const program::Operator& what) {
  if (std::holds_alternative<program::Gemm>(what)) return Part::kProducts;
  return std::holds_alternative<program::Attention>(what) ? Part::kAttention : Part::kOther;
}

const program::OperatorWork& work_of(const program::Kernel& kernel) {
  return std::get<program::OperatorWork>(kernel.work);
}

}  // namespace

Duration sum(const Times& times) {
  return std::accumulate(times.begin(), times.end(), Duration(0));
}

void add(Times& to, const Times& what) {
  for (std::size_t p = 0; p < kEnumSize<Part>; ++p) to[p] += what[p];
}

ListPricer::ListPricer(const gpu::GpuSpec& gpu, HostCost host, Graphs graphs,
                       ExchangeModel exchange)
    : gpu_(gpu), host_(host), graphs_(graphs), exchange_(std::move(exchange)) {}

const gpu::OperatorTime& ListPricer::library(const program::Kernel& kernel) const {
  const program::OperatorWork& work = work_of(kernel);
  const auto found = std::ranges::find(known_, work, [](const auto& one) { return one.first; });
  if (found != known_.end()) return found->second;
  return known_.emplace_back(work, gpu::operator_time(gpu_, work)).second;
}

Duration ListPricer::timed(const WorkItem& item) const {
  constexpr double kOfWarps = 0.63;
  const gpu::OperatorTime& alone = library(item.kernel);
  if (item.tensor_share <= 0) return alone.time;
  const double peak = gpu_.tensor.bf16_flops * gpu_.sm_count * gpu_.clock.count() *
                      (gpu_.tensor.mma_rows > 0 ? kOfWarps : 1);
  const double flops = std::visit(
      [](const auto& what) -> double {
        if constexpr (requires { operations(what); }) return operations(what);
        return 0;
      },
      work_of(item.kernel).what);
  return std::max(alone.time, from_seconds(flops / (item.tensor_share * peak)));
}

Duration ListPricer::gap() const {
  if (host_.between > Duration(0)) return host_.between;
  return graphs_ == Graphs::kNone ? gpu_.front_end.stream_gap : gpu_.front_end.graph_node_gap;
}

void ListPricer::settle(const std::vector<std::pair<const WorkList*, double>>& lists) {
  const gpu::GpuSpec full = gpu_;
  const auto at = [&](Frequency clock) {
    gpu_.clock = clock;
    known_.clear();
    gpu::OperatorTime out;
    double seconds = 0;
    for (const auto& [list, times] : lists) {
      seconds += times * to_seconds(cost(*list).total());
      add(activity_of(*list), times, out.activity);
    }
    out.time = from_seconds(seconds);
    out.clock = clock;
    activity_ = out.activity;
    return out;
  };
  const Frequency clock = under_load(full, at, {.steady = true}).clock;
  gpu_.clock = clock;
}

gpu::Activity ListPricer::activity_of(const WorkList& list) const {
  gpu::Activity out;
  for (const WorkItem& item : list) {
    if (item.is_kernel()) add(library(item.kernel).activity, 1, out);
  }
  return out;
}

// A product cut into pieces of its rows; other kernels stay as they are.
Duration ListPricer::in_pieces(const WorkItem& item, std::uint32_t pieces) const {
  program::OperatorWork work = work_of(item.kernel);
  auto* gemm = std::get_if<program::Gemm>(&work.what);
  if (pieces <= 1 || gemm == nullptr) return timed(item);
  gemm->m /= pieces;
  WorkItem piece = item;
  piece.kernel.work = work;
  return std::max(timed(item), timed(piece) * pieces);
}

void ListPricer::add_beside(const WorkItem& exchange, const WorkItem& kernel, ListCost& out) const {
  const ExchangeCost other = exchange_(exchange.group, exchange.op, exchange.bytes);
  const Duration alone = timed(kernel);
  const Duration own = in_pieces(kernel, exchange.pieces);
  const double left = 1.0 - std::min(0.9, static_cast<double>(other.channels) / gpu_.sm_count);
  const Duration slowed = scale(own, 1.0 / left);
  const Part part = part_for(work_of(kernel.kernel).what);
  part_of(out.gpu, part) += alone;
  Duration exposed = std::max(slowed, other.time) - own;
  if (other.time < own) exposed = scale(other.time, 1.0 / left - 1.0);
  // The first piece waits for its exchange, or the last exchange for its piece.
  if (exchange.pieces > 1) exposed += own - alone + scale(other.time, 1.0 / exchange.pieces);
  part_of(out.gpu, exposed_by(exchange.group)) += exposed;
}

ListCost ListPricer::cost(const WorkList& list) const {
  ListCost out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const WorkItem& item = list[i];
    out.host += scale(item.is_kernel() ? host_.kernel : host_.exchange, item.calls);
    const bool beside =
        !item.is_kernel() && item.beside && i + 1 < list.size() && list[i + 1].is_kernel();
    if (beside) {
      add_beside(item, list[i + 1], out);
      out.host += host_.kernel;
      part_of(out.gpu, Part::kGaps) += gap();
      ++i;
    } else if (item.is_kernel()) {
      part_of(out.gpu, part_for(work_of(item.kernel).what)) += timed(item);
      part_of(out.gpu, Part::kGaps) += gap();
    } else {
      part_of(out.gpu, exposed_by(item.group)) += exchange_(item.group, item.op, item.bytes).time;
    }
  }
  return out;
}

}  // namespace septet::training
