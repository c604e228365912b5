#include "models/workload/training/stage_run.hpp"

#include <algorithm>

namespace septet::training {

Duration StageRun::run(Duration ready) {
  const Pass pass = passes_[next_++];
  if (ready > compute_) {
    part_of(parts_, Part::kPipeline) += ready - compute_;
    compute_ = ready;
  }
  const auto& layers = chunks_[pass.chunk];
  layer_start_ = compute_;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    layer(pass, *layers[pass.forward ? l : layers.size() - 1 - l]);
  }
  if (pass.forward) forward_end_ = compute_;
  return compute_;
}

Duration StageRun::gathered_after() const {
  Duration out{};
  if (spec_.zero_stage == 0 || spec_.zero_stage > 2 || spec_.style.gather_overlap) return out;
  for (const auto& chunk : chunks_) {
    for (const LayerCost* layer : chunk) out += layer->gather.time;
  }
  return out;
}

bool StageRun::gathers(const Pass& pass) const {
  if (spec_.zero_stage == 3) return true;
  if (spec_.zero_stage == 2) return pass.forward;
  const bool first = pass.forward && pass.microbatch == 0;
  return first && spec_.zero_stage > 0 && spec_.style.gather_overlap;
}

bool StageRun::reduces(const Pass& pass) const {
  if (pass.forward) return false;
  return spec_.zero_stage >= 2 || pass.microbatch + 1 == spec_.num_microbatches;
}

void StageRun::wait_for(Duration when, Part part) {
  if (when <= compute_) return;
  part_of(parts_, part) += when - compute_;
  compute_ = when;
}

void StageRun::beside(Duration start, const ExchangeCost& other, Duration end_of_other) {
  const Duration overlap = std::min(compute_, end_of_other) - start;
  if (overlap <= Duration(0)) return;
  const Duration lost =
      scale(overlap, static_cast<double>(other.channels) / costs_.pricer().sm_count());
  part_of(parts_, Part::kData) += lost;
  compute_ += lost;
}

void StageRun::layer(const Pass& pass, const LayerCost& cost) {
  const ListCost& work = pass.forward ? cost.forward : cost.backward;
  ExchangeCost other{};
  if (gathers(pass) && cost.gather.time > Duration(0)) {
    // One layer ahead; sharded optimizers as early as the stream allows.
    const Duration issued = spec_.zero_stage == 3 ? layer_start_ : Duration(0);
    exchange_ = std::max(exchange_, issued) + cost.gather.time;
    wait_for(exchange_, Part::kData);
    other = cost.gather;
  }
  wait_for(host_, Part::kHost);
  const Duration start = compute_;
  layer_start_ = start;
  host_ = host_ + work.host;
  compute_ += work.total();
  add(parts_, work.gpu);
  beside(start, other, exchange_);
  wait_for(host_, Part::kHost);
  if (reduces(pass)) reduce(cost.reduce);
}

void StageRun::reduce(const ExchangeCost& cost) {
  if (cost.time == Duration(0)) return;
  if (!spec_.style.reduce_overlap) {
    late_ += cost.time;
    return;
  }
  const Duration start = std::max(exchange_, compute_);
  exchange_ = start + cost.time;
  // What follows on the SMs is slower meanwhile.
  if (!done()) {
    const Duration lost =
        scale(cost.time, static_cast<double>(cost.channels) / costs_.pricer().sm_count());
    part_of(parts_, Part::kData) += lost;
    compute_ += lost;
  }
}

}  // namespace septet::training
