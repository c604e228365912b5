#include "scenarios/config/program/program_limits.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "scenarios/config/program/program_draft.hpp"
#include "scenarios/config/program/scenario_fields.hpp"

namespace septet::config {
namespace {

Duration given(Duration time) { return time == program::kModelled ? Duration(0) : time; }

Duration time_of(const gpu::CopySpec& spec, const program::Copy& copy) {
  if (copy.recorded != program::kModelled) return copy.recorded;
  switch (copy.direction) {
    case program::CopyDirection::kHostToDevice:
      return transfer_time(copy.bytes, spec.host_to_device);
    case program::CopyDirection::kDeviceToHost:
      return transfer_time(copy.bytes, spec.device_to_host);
    default:
      return transfer_time(copy.bytes, spec.device_to_device_in_l2);
  }
}

Duration time_on_thread(const program::Call& call) {
  const auto* work = program::get_if<program::HostWork>(call);
  return given(call.cost) + (work != nullptr ? given(work->duration) : Duration(0));
}

Duration time_on_stream(const gpu::CopySpec& spec, const program::Call& call) {
  if (const auto* launch = program::get_if<program::LaunchKernel>(call))
    return given(launch->recorded);
  if (const auto* copy = program::get_if<program::Copy>(call)) return time_of(spec, *copy);
  if (const auto* memset = program::get_if<program::Memset>(call)) return given(memset->recorded);
  return {};
}

}  // namespace

void ProgramLimits::add(const StepText& step, const program::Call& call) {
  if (++calls_ > max_calls_) {
    step.place.fail("", "a program with too many calls",
                    fmt::format("at most {}; run.max_calls allows more", max_calls_));
  }
  try {
    thread_ += time_on_thread(call);
    const Duration time = time_on_stream(copies_, call);
    if (time > Duration(0)) streams_[call.stream] += time;
  } catch (const RangeError& error) {
    const std::string& verb = verb_of(step.place, step_verbs()).key;
    throw ConfigError(step.place.table->find(verb)->where,
                      joined(step.place.path, verb) + ": " + error.what());
  }
}

}  // namespace septet::config
