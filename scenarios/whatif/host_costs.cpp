#include "scenarios/whatif/host_costs.hpp"

namespace septet::whatif {

const std::vector<Duration host::HostSpec::*>& host_times() {
  using S = host::HostSpec;
  static const std::vector<Duration S::*> kTimes = {
      &S::launch_cost,
      &S::programmatic_launch_cost,
      &S::first_launch_extra,
      &S::first_device_copy_extra,
      &S::stream_switch_extra,
      &S::graph_launch_cost,
      &S::graph_launch_cost_per_node,
      &S::graph_instantiate_cost,
      &S::graph_instantiate_cost_per_node,
      &S::graph_upload_cost,
      &S::graph_upload_cost_per_node,
      &S::copy_cost,
      &S::inline_copy_cost,
      &S::device_copy_cost,
      &S::memset_cost,
      &S::inline_memset_cost,
      &S::record_cost,
      &S::wait_cost,
      &S::queue_access_cost,
      &S::synchronize_cost,
      &S::api_cost,
      &S::collective_cost,
      &S::peer_copy_cost,
      &S::wake_latency,
      &S::driver_lock_time,
      &S::lock_handover,
  };
  return kTimes;
}

const std::vector<ByteRate host::HostSpec::*>& host_rates() {
  using S = host::HostSpec;
  static const std::vector<ByteRate S::*> kRates = {
      &S::inline_copy_rate,
      &S::pageable_copy_rate,
      &S::pageable_cached_rate,
      &S::pageable_read_rate,
  };
  return kRates;
}

void scale_host_costs(host::HostSpec& host, double factor) {
  for (const auto time : host_times()) host.*time = scale(host.*time, factor);
  for (const auto rate : host_rates()) host.*rate = ByteRate((host.*rate).count() / factor);
}

}  // namespace septet::whatif
