// What a layer costs one GPU: its work in both directions, its parameters gathered, its gradients
// reduced.
#pragma once

#include "models/host/host_spec.hpp"
#include "models/workload/training/list_cost.hpp"

namespace septet::training {

// Of one layer, or of what surrounds the layers.
struct LayerCost {
  ListCost forward, backward;
  ExchangeCost gather;  // of its parameters
  ExchangeCost reduce;  // of its gradients
};

// Of all kinds of layers of a step, at the clock under their power.
class LayerCosts {
 public:
  LayerCosts(const TrainingSpec& spec, const gpu::GpuSpec& gpu, const host::HostSpec& host,
             const ExchangeModel& exchange);

  const LayerCost& layer(std::uint32_t index) const { return layers_[work_.layers[index]]; }
  const LayerWork& work(std::uint32_t index) const { return work_.kinds[work_.layers[index]]; }
  const LayerCost& embedding() const { return embedding_; }
  const LayerCost& head() const { return head_; }
  double table_parameters() const { return work_.embedding_parameters; }  // of one of the two
  const ListPricer& pricer() const { return pricer_; }

  // Of activations, from a stage to the next.
  Duration hand_over() const;

 private:
  void settle();
  LayerCost of_layer(const LayerWork& kind) const;
  ExchangeCost in_buckets(Group group, program::CollectiveOp op, double bytes) const;
  ExchangeCost gather(double dense, double experts) const;
  ExchangeCost reduce(double dense, double experts) const;

  const TrainingSpec& spec_;
  const StageWork work_;
  ListPricer pricer_;
  std::vector<LayerCost> layers_;  // by kind
  LayerCost embedding_, head_;
};

}  // namespace septet::training
