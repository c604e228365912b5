#include "scenarios/claims/part_value.hpp"

#include "core/base/units.hpp"
#include "scenarios/claims/population.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/config/toml/setting.hpp"
#include "scenarios/explain/kernel_file.hpp"
#include "scenarios/explain/named_metrics.hpp"
#include "scenarios/explain/stages.hpp"
#include "scenarios/validate/validate.hpp"

namespace septet::claims {
namespace {

constexpr const char* kLaunchTime = "launch_time_us";
constexpr const char* kDefaultTake = "kernel_time_us";

validation::Prediction case_value(const PartText& part, const system::SystemSpec& system,
                                  Measurements& measurements) {
  validation::MeasuredRow row = part.rows.empty() ? unmeasured_row(part) : measurements.row(part);
  row.value.reset();
  return predict(row, system);
}

validation::Prediction kernel_value(const PartText& part, const Claim& claim,
                                    const system::SystemSpec& system) {
  const config::KernelText& text = claim.kernel(part);
  const explain::KernelDescription kernel =
      explain::describe_kernel(text, text.segments, system.gpu);
  const gpu::KernelTime time = kernel_time(system.gpu, kernel.shape, work_of(kernel));
  const std::string take = part.take.empty() ? kDefaultTake : part.take;
  if (take == kLaunchTime) {
    return {to_us(stage_times(system.gpu, system.host, kernel, time).total()),
            std::string(text_of(time.limiter))};
  }
  const explain::NamedMetric* metric = explain::find_metric(take);
  if (metric == nullptr) {
    std::vector<std::string> names = explain::metric_names();
    names.emplace_back(kLaunchTime);
    part.place.fail("take", "\"" + take + "\"",
                    "one of: " + config::listed(names) + config::did_you_mean(take, names));
  }
  return {metric->of(metrics_of(system.gpu, kernel, time)), std::string(text_of(time.limiter))};
}

// The number at a dotted path.
const config::ConfigValue& number_at(const PartText& part, const config::ConfigValue& numbers) {
  const config::ConfigValue* at = config::find_dotted(numbers, part.number);
  const config::ConfigValue* value = at != nullptr ? at->find("value") : nullptr;
  if (value == nullptr && at != nullptr && at->table() == nullptr) value = at;
  if (value == nullptr) {
    part.place.fail("number", "\"" + part.number + "\"",
                    "the path of a hardware parameter, such as \"gpu.l2\"");
  }
  return *value;
}

// A quantity as a multiple of "1 UNIT"; absent if `parse` rejects either.
template <class Parse>
std::optional<double> in_units(Parse parse, const std::string& quantity, const std::string& unit) {
  try {
    return static_cast<double>(parse(quantity).count()) /
           static_cast<double>(parse("1 " + unit).count());
  } catch (const UnitError&) {
    return std::nullopt;
  }
}

validation::Prediction number_value(const PartText& part, const config::ConfigValue& numbers) {
  const config::ConfigValue& value = number_at(part, numbers);
  const char* const kNoLimiter = "";
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) {
    return {static_cast<double>(*whole), kNoLimiter};
  }
  if (const auto* real = std::get_if<double>(&value.data)) return {*real, kNoLimiter};
  if (const std::string* text = value.string()) {
    for (const std::optional<double> out :
         {in_units(parse_bytes, *text, part.unit), in_units(parse_byte_rate, *text, part.unit),
          in_units(parse_duration, *text, part.unit),
          in_units(parse_frequency, *text, part.unit)}) {
      if (out) return {*out, kNoLimiter};
    }
  }
  part.place.fail("unit", "\"" + part.unit + "\"", "a unit of " + described(value));
}

validation::Prediction value_of(const PartText& part, const Claim& claim, const ClaimGpu& gpu,
                                Measurements& measurements) {
  if (part.kernel) return kernel_value(part, claim, gpu.system);
  if (!part.number.empty()) return number_value(part, gpu.numbers);
  if (!part.reports.empty()) {
    const std::optional<double> share = simulated_share(part, gpu.system, measurements);
    return share ? validation::Prediction{share, ""}
                 : validation::unsupported("no kernel meets `among`");
  }
  return case_value(part, gpu.system, measurements);
}

}  // namespace

validation::Prediction part_value(const PartText& part, const Claim& claim, const ClaimGpu& gpu,
                                  Measurements& measurements) {
  try {
    return value_of(part, claim, gpu, measurements);
  } catch (const ModelError& error) {
    return validation::unsupported(error.what());
  }
}

std::optional<double> part_measured(const PartText& part, Measurements& measurements) {
  if (!part.rows.empty()) return measurements.row(part).value;
  if (!part.reports.empty()) return measured_share(part, measurements);
  return std::nullopt;
}

}  // namespace septet::claims
