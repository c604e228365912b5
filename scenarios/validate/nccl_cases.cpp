// Group nccl: one collective, called over and over: in a stream, where calls of PyTorch cost the
// host more than small collectives take, or as nodes of a graph. Answered by the plan alone: all
// GPUs of the group are in step.
#include "scenarios/validate/nccl_cases.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/network/collective/algorithms/chooser.hpp"

namespace septet::validation {
namespace {

std::vector<std::uint32_t> first_gpus(std::uint32_t count) {
  if (count < 2) throw ModelError(fmt::format("a group of {}, wanted at least 2 GPUs", count));
  std::vector<std::uint32_t> gpus(count);
  std::iota(gpus.begin(), gpus.end(), 0U);
  return gpus;
}

network::CollectiveRequest request_of(const MeasuredRow& row) {
  const std::string name = row.text("op");
  const auto op = from_text<program::CollectiveOp>(name);
  if (!op) throw ConfigError::value(row.where(), "case.op", "\"" + name + "\"", "a collective");
  network::CollectiveRequest request;
  request.op = *op;
  request.bytes = Bytes(row.integer("bytes"));
  request.gpus = first_gpus(static_cast<std::uint32_t>(row.integer("gpus")));
  return request;
}

// The switch adds up no integers of one byte.
bool reduces_in_switch(const MeasuredRow& row, program::CollectiveOp op) {
  if (!row.has("nvls") || !row.flag("nvls")) return false;
  return op == program::CollectiveOp::kAllGather || row.text("dtype") != "int8";
}

std::string name_of(const network::CollectivePlan& plan) {
  return std::string(text_of(plan.algorithm)) + " " + std::string(text_of(plan.protocol));
}

bool of_framework(const MeasuredRow& row) {
  return row.text("timer").find("nccl-tests") == std::string::npos;
}

Duration stream_gap(const gpu::GpuSpec& gpu) {
  return gpu.front_end.stream_gap + gpu.block_scheduler.block_overhead;
}

Prediction in_stream(const MeasuredRow& row, const system::SystemSpec& system,
                     const network::CollectivePlan& plan) {
  const Duration device = plan.alone() + stream_gap(system.gpu);
  const Duration host = of_framework(row) ? system.host.collective_cost : system.host.launch_cost;
  if (host > device) return {to_us(host), "host_work"};
  return {to_us(device), name_of(plan)};
}

// Replays follow each other.
Prediction in_graph(const MeasuredRow& row, const system::SystemSpec& system,
                    const network::CollectivePlan& plan) {
  const gpu::FrontEndSpec& front_end = system.gpu.front_end;
  const std::int64_t nodes = std::max<std::int64_t>(1, row.integer("graph_of"));
  const Duration between = (front_end.graph_gap - front_end.graph_node_gap) / nodes;
  return {to_us(plan.alone() + collective_node_gap(system.gpu) + between), name_of(plan)};
}

Prediction peer_copy(const MeasuredRow& row, const system::SystemSpec& system) {
  const Duration copy = transfer_time(Bytes(row.integer("bytes")), system.gpu.collective.peer_copy);
  return {to_us(system.host.peer_copy_cost + copy), "copy engine"};
}

Prediction nccl(const MeasuredRow& row, const system::SystemSpec& system) {
  if (row.text("op") == "peer_copy") return peer_copy(row, system);
  if (row.metric != "device_time") return unsupported("no metric " + row.metric);
  const network::CollectiveRequest request = request_of(row);
  const network::CollectivePlan plan =
      plan_in_node(system.gpu.collective, reduces_in_switch(row, request.op), request);
  return row.has("graph_of") ? in_graph(row, system, plan) : in_stream(row, system, plan);
}

}  // namespace

Duration collective_node_gap(const gpu::GpuSpec& gpu) {
  return gpu.front_end.graph_node_gap + gpu.block_scheduler.block_overhead +
         gpu.collective.node_extra;
}

network::CollectivePlan plain_all_reduce(const gpu::GpuSpec& gpu, std::uint32_t gpus, Bytes bytes) {
  network::CollectiveRequest request;
  request.bytes = bytes;
  request.gpus = first_gpus(gpus);
  return plan_in_node(gpu.collective, false, request);
}

std::vector<CaseKind> nccl_cases() { return {{"nccl", "", nccl}}; }

}  // namespace septet::validation
