// Steps that take longer or shorter by a factor than a StepCost says: what its error would mean.
#pragma once

#include <memory>
#include <utility>

#include "models/workload/serving/batch.hpp"

namespace septet::serving {

class ScaledCost : public StepCost {
 public:
  // `factor` is above 0.
  ScaledCost(std::shared_ptr<const StepCost> cost, double factor)
      : cost_(std::move(cost)), factor_(factor) {}

  Duration time(std::span<const Batch> ranks) const override {
    return scale(cost_->time(ranks), factor_);
  }
  // The same work takes the same energy.
  StepUse use(std::span<const Batch> ranks) const override {
    const StepUse use = cost_->use(ranks);
    return {scale(use.time, factor_), use.energy};
  }

 private:
  std::shared_ptr<const StepCost> cost_;
  double factor_;
};

}  // namespace septet::serving
