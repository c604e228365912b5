// What-ifs about the CPU and its path to the GPU.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/units.hpp"
#include "scenarios/whatif/changes.hpp"
#include "scenarios/whatif/host_costs.hpp"
#include "scenarios/whatif/submission.hpp"
#include "scenarios/whatif/submission_order.hpp"

namespace septet::whatif::changes {
namespace {

// Changes every kind of GPU and the hosts that such GPUs are in.
template <class Change>
void for_each_kind(system::SystemSpec& system, Change change) {
  change(system.gpu, system.host);
  for (host::OtherGpus& other : system.others) change(other.gpu, other.host);
}

// That all kinds have.
std::uint32_t most_connections(const system::SystemSpec& system) {
  std::uint32_t most = system.gpu.front_end.max_connections;
  for (const host::OtherGpus& other : system.others) {
    most = std::min(most, other.gpu.front_end.max_connections);
  }
  return most;
}

void scale_cost(Duration& cost, double factor) {
  if (cost != program::kModelled) cost = scale(cost, factor);
}

// Submission takes no CPU time: of the calls that submit, and of the rest of their API calls.
std::uint64_t free_submissions(program::Program& program) {
  std::uint64_t freed = 0;
  for (program::HostThread& thread : program.threads) {
    const std::vector<bool> parts =
        parts_of_submissions(thread, [](const program::Call&) { return true; });
    for (std::size_t c = 0; c < thread.calls.size(); ++c) {
      program::Call& call = thread.calls[c];
      if (!submits(call.kind()) && !parts[c]) continue;
      freed += submits(call.kind()) && !program::is<program::Hold>(call) ? 1 : 0;
      call.cost = Duration(0);
      call.submit = program::kModelled;
    }
  }
  return freed;
}

void free_all_calls(program::Program& program) {
  for (program::HostThread& thread : program.threads) {
    std::erase_if(thread.calls,
                  [](const program::Call& c) { return program::is<program::HostWork>(c); });
    for (program::Call& call : thread.calls) {
      call.cost = Duration(0);
      call.submit = program::kModelled;
    }
  }
}

// No time from the call to the start of the command, where nothing else holds it up.
void remove_launch_latency(gpu::GpuSpec& gpu, host::HostSpec& host) {
  gpu::FrontEndSpec& front = gpu.front_end;
  front.doorbell_latency = Duration(1);  // the least that the engine's channels allow
  for (Duration gpu::FrontEndSpec::*latency :
       {&gpu::FrontEndSpec::launch_latency, &gpu::FrontEndSpec::copy_launch_latency,
        &gpu::FrontEndSpec::memset_launch_latency, &gpu::FrontEndSpec::graph_launch_latency,
        &gpu::FrontEndSpec::launch_latency_per_connection, &gpu::FrontEndSpec::command_interval}) {
    front.*latency = Duration(0);
  }
  host.driver_lock_time = Duration(0);
  host.lock_handover = Duration(0);
}

// No time between a command and what waited for it on the GPU.
void remove_gaps(gpu::GpuSpec& gpu) {
  gpu::FrontEndSpec& front = gpu.front_end;
  for (Duration gpu::FrontEndSpec::*gap :
       {&gpu::FrontEndSpec::record_latency, &gpu::FrontEndSpec::engine_hop,
        &gpu::FrontEndSpec::stream_gap, &gpu::FrontEndSpec::triggered_stream_gap,
        &gpu::FrontEndSpec::trigger_latency, &gpu::FrontEndSpec::release_latency,
        &gpu::FrontEndSpec::event_wait_latency, &gpu::FrontEndSpec::event_poll_interval,
        &gpu::FrontEndSpec::client_gap, &gpu::FrontEndSpec::graph_gap,
        &gpu::FrontEndSpec::graph_node_gap, &gpu::FrontEndSpec::triggered_node_gap,
        &gpu::FrontEndSpec::node_trigger_latency, &gpu::FrontEndSpec::node_release_latency,
        &gpu::FrontEndSpec::graph_node_interval, &gpu::FrontEndSpec::graph_fork_interval,
        &gpu::FrontEndSpec::graph_fan_gap, &gpu::FrontEndSpec::connection_hold}) {
    front.*gap = Duration(0);
  }
}

Duration read_time(const std::string& name, const std::string& value) {
  try {
    return parse_duration(value);
  } catch (const UnitError& error) {
    wrong_value(name, value, error.wanted_with_suggestion());
  }
}

}  // namespace

void connections(const std::string& value, WhatIfState& state) {
  const std::uint32_t most = most_connections(state.system);
  const std::string wanted = fmt::format("a whole number from 1 to {}", most);
  std::int64_t count = 0;
  try {
    count = parse_count(value);
  } catch (const UnitError&) {
    wrong_value("connections", value, wanted);
  }
  if (count < 1 || count > most) wrong_value("connections", value, wanted);
  const std::uint32_t before = state.system.connections;
  state.system.connections = static_cast<std::uint32_t>(count);
  // The recorded latency belongs to the default number.
  state.system.gpu.front_end.launch_latency_per_connection =
      state.profile.gpu.front_end.launch_latency_per_connection;
  for (std::size_t i = 0; i < state.system.others.size(); ++i) {
    state.system.others[i].gpu.front_end.launch_latency_per_connection =
        state.profile.others[i].gpu.front_end.launch_latency_per_connection;
  }
  state.notes.push_back(
      fmt::format("{} hardware connections instead of {}", count,
                  before == 0 ? state.system.gpu.front_end.default_connections : before));
}

void host_speed(const std::string& value, WhatIfState& state) {
  const double factor = 1.0 / read_factor("host-speed", value);
  if (factor < 1.0) share_if_alone(state);
  Duration before{};
  for (program::HostThread& thread : state.program.threads) {
    for (program::Call& call : thread.calls) {
      before += std::max(call.cost, Duration(0));
      scale_cost(call.cost, factor);
      scale_cost(call.submit, factor);
      auto* work = program::get_if<program::HostWork>(call);
      if (work == nullptr) continue;
      before += work->duration;
      scale_cost(work->duration, factor);
    }
  }
  for_each_kind(state.system,
                [&](gpu::GpuSpec&, host::HostSpec& host) { scale_host_costs(host, factor); });
  std::string note = "calls cost the CPU the time in its profile, scaled by the speed";
  if (before > Duration(0)) {
    note = fmt::format("CPU work and calls, summed over the threads: from {:.1f} us to {:.1f} us",
                       to_us(before), to_us(scale(before, factor)));
  }
  state.notes.push_back(note);
}

void launch_cost(const std::string& value, WhatIfState& state) {
  const Duration cost = read_time("launch-cost", value);
  const auto is_kernel = [](const program::Call& c) {
    return program::is<program::LaunchKernel>(c);
  };
  std::uint64_t launches = 0;
  Duration before{};
  for (program::HostThread& thread : state.program.threads) {
    const std::vector<bool> parts = parts_of_submissions(thread, is_kernel);
    for (std::size_t c = 0; c < thread.calls.size(); ++c) {
      program::Call& call = thread.calls[c];
      // A launch without CPU time belongs to the call before it, or was made before the recording.
      const bool launch = is_kernel(call) && call.cost != Duration(0);
      if (!launch && !parts[c]) continue;
      before += std::max(call.cost, Duration(0));
      launches += launch ? 1 : 0;
      call.cost = launch ? cost : Duration(0);
      call.submit = program::kModelled;
    }
  }
  for_each_kind(state.system, [&](gpu::GpuSpec&, host::HostSpec& host) {
    host.launch_cost = cost;
    host.programmatic_launch_cost = cost;
  });
  std::string note = fmt::format("{} kernel launches take {:.1f} us of CPU time", launches,
                                 to_us(cost * static_cast<std::int64_t>(launches)));
  if (before > Duration(0)) note += fmt::format(", recorded: {:.1f} us", to_us(before));
  state.notes.push_back(note);
}

void ideal_launch(const std::string& value, WhatIfState& state) {
  const bool calls_only = value == "calls";
  if (!calls_only && !value.empty() && value != "all") {
    wrong_value("ideal-launch", value, "all or calls");
  }
  const analysis::RunRows before = run_now(state);
  share_if_alone(state, before);
  if (state.program.threads.size() > 1) keep_submission_order(state.program, before);
  const std::uint64_t freed = free_submissions(state.program);
  for_each_kind(state.system, remove_launch_latency);
  if (calls_only) {
    state.notes.push_back(fmt::format(
        "{} submissions cost no CPU time and reach the GPU instantly; gaps on the GPU remain",
        freed));
    return;
  }
  free_all_calls(state.program);
  for_each_kind(state.system, [](gpu::GpuSpec& gpu, host::HostSpec&) { remove_gaps(gpu); });
  state.system.connections = most_connections(state.system);
  state.notes.push_back(fmt::format(
      "{} submissions, the CPU work around them and all gaps on the GPU cost nothing; what remains "
      "are kernels, copies, their dependencies and the completion latency of synchronisations",
      freed));
}

}  // namespace septet::whatif::changes
