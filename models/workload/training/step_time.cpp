#include "models/workload/training/step_time.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "models/workload/training/stage_run.hpp"

namespace septet::training {
namespace {

constexpr Duration kNever = Duration(-1);

class Pipeline {
 public:
  Pipeline(const TrainingSpec& spec, const LayerCosts& costs) : spec_(spec), hand_over_(0) {
    const std::uint32_t stages = spec.pipeline_parallel_size;
    if (stages > 1) hand_over_ = costs.hand_over();
    const auto layers = layers_of_chunks(spec);
    const std::uint32_t pieces = stages * spec.virtual_pipeline_size;
    std::uint32_t first = 0;
    std::vector<std::vector<std::vector<const LayerCost*>>> chunks(
        stages, std::vector<std::vector<const LayerCost*>>(spec.virtual_pipeline_size));
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
      auto& chunk = chunks[piece % stages][piece / stages];
      if (piece == 0) chunk.push_back(&costs.embedding());
      const std::uint32_t count = layers[piece % stages][piece / stages];
      for (std::uint32_t l = 0; l < count; ++l) chunk.push_back(&costs.layer(first + l));
      first += count;
      if (piece + 1 == pieces) {
        for (std::uint32_t h = 0; h <= spec.model.mtp_layers; ++h) chunk.push_back(&costs.head());
      }
    }
    for (std::uint32_t s = 0; s < stages; ++s) {
      stages_.emplace_back(spec, costs, s, std::move(chunks[s]));
    }
    const std::size_t passes = std::size_t{pieces} * spec.num_microbatches;
    forward_.assign(passes, kNever);
    backward_.assign(passes, kNever);
  }

  std::vector<StageRun>& run() {
    bool all = false;
    while (!all) {
      all = true;
      bool moved = false;
      for (std::uint32_t s = 0; s < stages_.size(); ++s) {
        while (!stages_[s].done() && step(s)) moved = true;
        all = all && stages_[s].done();
      }
      if (!moved && !all) throw ModelError("training: the pipeline's order of passes blocks");
    }
    for (StageRun& stage : stages_) stage.finish();
    return stages_;
  }

 private:
  Duration& end_of(bool forward, std::uint32_t piece, std::uint32_t microbatch) {
    auto& ends = forward ? forward_ : backward_;
    return ends[std::size_t{piece} * spec_.num_microbatches + microbatch];
  }

  // When the input of a pass is there; kNever: not known yet.
  Duration input(std::uint32_t piece, const Pass& pass) {
    const auto pieces = static_cast<std::uint32_t>(forward_.size() / spec_.num_microbatches);
    const bool starts = pass.forward ? piece == 0 : piece + 1 == pieces;
    if (starts) return Duration(0);
    const Duration before =
        end_of(pass.forward, pass.forward ? piece - 1 : piece + 1, pass.microbatch);
    return before == kNever ? kNever : before + hand_over_;
  }

  bool step(std::uint32_t s) {
    const Pass pass = stages_[s].next();
    const auto piece = pass.chunk * static_cast<std::uint32_t>(stages_.size()) + s;
    const Duration ready = input(piece, pass);
    if (ready == kNever) return false;
    end_of(pass.forward, piece, pass.microbatch) = stages_[s].run(ready);
    return true;
  }

  const TrainingSpec& spec_;
  Duration hand_over_;
  std::vector<StageRun> stages_;
  std::vector<Duration> forward_, backward_;
};

// Parameters of one GPU of a stage whose optimizer states it holds.
double own_parameters(const TrainingSpec& spec, const LayerCosts& costs, std::uint32_t stage) {
  const auto layers = layers_of_chunks(spec);
  const std::uint32_t stages = spec.pipeline_parallel_size;
  double dense = 0;
  double experts = 0;
  std::uint32_t index = 0;
  for (std::uint32_t piece = 0; piece < stages * spec.virtual_pipeline_size; ++piece) {
    for (std::uint32_t l = 0; l < layers[piece % stages][piece / stages]; ++l, ++index) {
      if (piece % stages != stage) continue;
      dense += costs.work(index).dense_parameters;
      experts += costs.work(index).expert_parameters;
    }
  }
  if (stage == 0) dense += costs.table_parameters();
  if (stage + 1 == stages) dense += costs.table_parameters();
  const double holders = std::min(spec.shards(), spec.same_experts());
  return dense / spec.shards() + experts / (spec.zero_stage == 0 ? 1 : holders);
}

}  // namespace

std::vector<std::vector<std::uint32_t>> layers_of_chunks(const TrainingSpec& spec) {
  const std::uint32_t stages = spec.pipeline_parallel_size;
  const std::uint32_t chunks = spec.virtual_pipeline_size;
  const std::uint32_t pieces = stages * chunks;
  const std::uint32_t layers = spec.model.num_layers + spec.model.mtp_layers;
  std::vector<std::vector<std::uint32_t>> out(stages,
                                              std::vector<std::uint32_t>(chunks, layers / pieces));
  // What is left goes to pieces in the middle: the ends have embedding and head.
  const std::uint32_t left = layers % pieces;
  const std::uint32_t start = (pieces - left) / 2;
  for (std::uint32_t p = start; p < start + left; ++p) ++out[p % stages][p / stages];
  return out;
}

double largest_of_normal(double count) {
  constexpr double kFourPi = 4 * 3.14159265358979;
  if (count <= 1) return 0;
  const double root = std::sqrt(2 * std::log(count));
  return std::max(0.0, root - std::log(std::log(count) * kFourPi) / (2 * root));
}

StepTime step_time(const TrainingSpec& spec, const gpu::GpuSpec& gpu, const host::HostSpec& host,
                   const ExchangeModel& exchange) {
  const LayerCosts costs(spec, gpu, host, exchange);
  Pipeline pipeline(spec, costs);
  StepTime out;
  out.clock = costs.pricer().clock();
  Duration end{};
  std::vector<StageRun>& stages = pipeline.run();
  for (const StageRun& stage : stages) end = std::max(end, stage.free());
  Duration longest{};
  Duration busiest{};
  gpu::Activity update_activity;
  const double share = 1.0 / spec.pipeline_parallel_size;  // of all layers
  add(costs.pricer().activity(), share * spec.num_microbatches, out.activity);
  for (std::uint32_t s = 0; s < stages.size(); ++s) {
    Times parts = stages[s].parts();
    part_of(parts, Part::kPipeline) += end - stages[s].free();
    const WorkList updates = update_work(spec, own_parameters(spec, costs, s));
    const ListCost update = costs.pricer().cost(updates);
    const Duration gather = stages[s].gathered_after();
    longest = std::max(longest, update.total() + gather);
    const Duration computes = part_of(parts, Part::kProducts) + part_of(parts, Part::kOther);
    if (computes <= busiest) continue;
    busiest = computes;
    out.forward = stages[s].forward_end();
    out.backward = end - out.forward;
    part_of(parts, Part::kOptimizer) += update.total();
    part_of(parts, Part::kData) += gather;
    out.parts = parts;
    update_activity = costs.pricer().activity_of(updates);
  }
  add(update_activity, 1, out.activity);
  const Duration kernels = part_of(out.parts, Part::kProducts) +
                           part_of(out.parts, Part::kAttention) + part_of(out.parts, Part::kOther);
  const Duration slowest = scale(kernels, spec.gpu_spread * largest_of_normal(spec.ranks()));
  part_of(out.parts, Part::kStragglers) += slowest;
  out.backward += slowest;
  out.total = end + slowest + longest;
  out.optimizer = longest;
  part_of(out.parts, Part::kOptimizer) += out.total - sum(out.parts);
  out.power = board_power(gpu.power, load_power(gpu.power, out.activity, out.total),
                          ratio(out.clock, gpu.clock));
  out.bubble = to_seconds(part_of(out.parts, Part::kPipeline)) / to_seconds(out.total);
  return out;
}

}  // namespace septet::training
