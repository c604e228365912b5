#include "scenarios/study/profiler_library.hpp"

#include <algorithm>
#include <filesystem>

#include "scenarios/config/fields/field.hpp"
#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/toml/toml_reader.hpp"

namespace septet::study {
namespace {

struct ProfilerText {
  std::string description;
  Duration per_call{};
  Duration per_op{};
  std::uint32_t ops_per_launch = 0;
};

const config::Fields<ProfilerText>& profiler_fields() {
  using P = ProfilerText;
  static const config::Fields<P> kFields = {
      config::field("description", &P::description, "what it is"),
      config::required(config::ranged("per_call", &P::per_call,
                                      "CPU time added to each recorded API call",
                                      config::at_least(Duration(0)))),
      config::required(config::ranged("per_op", &P::per_op,
                                      "CPU time added to each recorded operator and annotation",
                                      config::at_least(Duration(0)))),
      config::ranged("ops_per_launch", &P::ops_per_launch,
                     "operators of a launch, where they were taken out of the recording",
                     config::at_least(std::uint32_t{0})),
  };
  return kFields;
}

// Operators were recorded, since annotations were, but are not in the file.
bool operators_are_missing(const recorded::RecordedTrace& trace) {
  const auto any = [&](recorded::RecordedKind kind) {
    return std::any_of(trace.events.begin(), trace.events.end(),
                       [kind](const recorded::RecordedEvent& e) { return e.kind == kind; });
  };
  return any(recorded::RecordedKind::kAnnotation) && !any(recorded::RecordedKind::kCpuOp);
}

}  // namespace

whatif::ProfilerCosts profiler_costs(const recorded::RecordedTrace& trace) {
  if (trace.profiler.empty()) return {};
  for (const std::filesystem::path& data : config::data_directories()) {
    const std::filesystem::path file = data / "profilers" / (trace.profiler + ".toml");
    if (!std::filesystem::exists(file)) continue;
    const config::ConfigValue table = config::read_toml_file(file);
    ProfilerText text;
    read_fields({table, ""}, profiler_fields(), config::Sources::kRequired, text);
    whatif::ProfilerCosts out{.call = text.per_call, .op = text.per_op};
    if (operators_are_missing(trace)) out.per_launch = text.per_op * text.ops_per_launch;
    return out;
  }
  return {};
}

}  // namespace septet::study
