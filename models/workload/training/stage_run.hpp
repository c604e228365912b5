// One GPU of a pipeline stage: its streams and its host, as times at which they are free. The
// equations are in step_time.hpp.
#pragma once

#include <utility>
#include <vector>

#include "models/workload/training/layer_cost.hpp"
#include "models/workload/training/schedule.hpp"

namespace septet::training {

class StageRun {
 public:
  StageRun(const TrainingSpec& spec, const LayerCosts& costs, std::uint32_t stage,
           std::vector<std::vector<const LayerCost*>> chunks)
      : spec_(spec),
        costs_(costs),
        chunks_(std::move(chunks)),
        passes_(one_forward_one_backward(stage, spec.pipeline_parallel_size, spec.num_microbatches,
                                         spec.virtual_pipeline_size)) {}

  bool done() const { return next_ == passes_.size(); }
  const Pass& next() const { return passes_[next_]; }
  Duration free() const { return compute_; }
  Duration forward_end() const { return forward_end_; }
  const Times& parts() const { return parts_; }
  Times& parts() { return parts_; }

  // The next pass, whose input is there at `ready`. Returns when it has ended.
  Duration run(Duration ready);

  // All gradients are reduced; what did not fit beside the passes is exposed.
  void finish() {
    wait_for(exchange_, Part::kData);
    wait_for(compute_ + late_, Part::kData);
  }

  Duration gathered_after() const;

 private:
  bool gathers(const Pass& pass) const;
  bool reduces(const Pass& pass) const;

  void wait_for(Duration when, Part part);

  // While the other stream is busy, its channels are missing.
  void beside(Duration start, const ExchangeCost& other, Duration end_of_other);

  void layer(const Pass& pass, const LayerCost& cost);

  void reduce(const ExchangeCost& cost);

  const TrainingSpec& spec_;
  const LayerCosts& costs_;
  const std::vector<std::vector<const LayerCost*>> chunks_;
  const std::vector<Pass> passes_;
  std::size_t next_ = 0;
  Duration compute_{};  // when the streams are free
  Duration exchange_{};
  Duration late_{};  // of what is reduced after all passes
  Duration host_{};
  Duration layer_start_{};
  Duration forward_end_{};
  Times parts_{};
};

}  // namespace septet::training
