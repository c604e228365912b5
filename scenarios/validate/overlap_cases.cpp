// Group overlap: four GEMMs on one stream and four all-reduces on another. Blocks of both need an
// SM each: a collective takes its channels' SMs away from the product, and can only start where a
// product leaves them. The host issues the collectives first.
#include "models/gpu/operators/gemm.hpp"
#include "scenarios/validate/case_run.hpp"
#include "scenarios/validate/nccl_cases.hpp"

namespace septet::validation {
namespace {

constexpr double kSide = 8192;
constexpr double kTimedRuns = 10;  // half of those that were timed, and warm-up

// Blocks that leave no room for others on their SM, all of one length.
program::Kernel whole_sm_kernel(const gpu::GpuSpec& gpu, std::string name, double blocks,
                                Duration block_time) {
  program::Kernel kernel;
  kernel.name = std::move(name);
  kernel.shape.grid.x = static_cast<std::uint32_t>(blocks);
  kernel.shape.block.x = 384;
  kernel.shape.registers_per_thread = 128;
  kernel.shape.dynamic_shared = gpu.sm.shared_per_block_max;
  kernel.work = program::FixedBlockWork{block_time};
  return kernel;
}

program::Kernel product(const gpu::GpuSpec& gpu, double count) {
  program::Gemm gemm;
  gemm.m = gemm.n = gemm.k = kSide;
  const gpu::GemmPlan plan = plan_gemm(gpu, gemm);
  const double tiles = plan.kernel.tiles;
  const auto at = [&](Frequency clock) { return plan_time(gpu, gemm, plan, clock); };
  const gpu::OperatorTime time = under_load(gpu, at, {.calls = count * kTimedRuns});
  const double waves = std::ceil(tiles / gpu.sm_count);
  return whole_sm_kernel(gpu, "product", tiles, scale(time.time, 1 / waves));
}

struct Overlap {
  std::int64_t count = 0;
  bool products = false;
  bool collectives = false;
};

program::Program program_of(const system::SystemSpec& system, const Overlap& what,
                            const network::CollectivePlan& plan) {
  program::ProgramBuilder builder;
  const gpu::GpuSpec& gpu = system.gpu;
  builder.kernel(product(gpu, static_cast<double>(what.count)));
  builder.kernel(whole_sm_kernel(gpu, "all-reduce", plan.channels, plan.alone()));
  const std::uint32_t first = builder.stream();
  const std::uint32_t second = builder.stream();
  builder.thread();
  for (std::int64_t i = 0; what.collectives && i < what.count; ++i) {
    builder.work(system.host.collective_cost - system.host.launch_cost);
    builder.launch(1, second);
  }
  for (std::int64_t i = 0; what.products && i < what.count; ++i) builder.launch(0, first);
  builder.synchronize_device();
  return builder.take();
}

Prediction overlap(const MeasuredRow& row, const system::SystemSpec& system) {
  if (row.text("gemm") != "4x8192^3 bf16") return unsupported("no products " + row.text("gemm"));
  const bool products = row.metric == "gemm_alone" || row.metric == "together";
  const bool collectives = row.metric == "comm_alone" || row.metric == "together";
  if (!products && !collectives) return unsupported("no metric " + row.metric);
  const Bytes bytes(row.integer("all_reduce_mbytes") << 20);
  const auto gpus = static_cast<std::uint32_t>(row.integer("gpus"));
  const network::CollectivePlan plan = plain_all_reduce(system.gpu, gpus, bytes);
  return predict_wall(program_of(system, {row.integer("count"), products, collectives}, plan),
                      system);
}

}  // namespace

std::vector<CaseKind> overlap_cases() { return {{"overlap", "", overlap}}; }

}  // namespace septet::validation
