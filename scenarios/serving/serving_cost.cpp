#include "scenarios/serving/serving_cost.hpp"

namespace septet::serving {
namespace {

constexpr double kHour = 3600;
constexpr double kMillion = 1e6;

std::optional<double> share(double of, std::int64_t count) {
  if (count == 0) return std::nullopt;
  return of / static_cast<double>(count);
}

void add_price(double price, double hours, const fleet::FleetMetrics& metrics, ServingCost& out) {
  out.price = price;
  if (hours > 0) out.per_hour = price / hours;
  const fleet::LoadTotals& done = metrics.completed;
  out.per_million_output_tokens = share(kMillion * price, done.output_tokens);
  out.per_million_tokens = share(kMillion * price, done.input_tokens + done.output_tokens);
}

}  // namespace

ServingCost cost_of(const GpuCost& gpu, const GpuCost* prefill, const fleet::FleetResult& result,
                    const fleet::FleetMetrics& metrics) {
  ServingCost out;
  double price = 0;
  for (const fleet::ReplicaTotals& replica : result.replicas) {
    const GpuCost& of = replica.prefill && prefill != nullptr ? *prefill : gpu;
    const double gpu_seconds = to_seconds(replica.provided) * of.gpus_of_replica;
    out.energy += replica.energy + Energy(gpu_seconds * of.waiting.count());
    out.gpu_hours += gpu_seconds / kHour;
    if (of.price) price += gpu_seconds / kHour * of.price->gpu_hour;
  }
  const double seconds = to_seconds(result.engine.last - Instant());
  if (seconds > 0) out.power = Power(out.energy.count() / seconds);
  out.joules_per_output_token = share(out.energy.count(), metrics.completed.output_tokens);
  if (gpu.price) add_price(price, seconds / kHour, metrics, out);
  return out;
}

}  // namespace septet::serving
