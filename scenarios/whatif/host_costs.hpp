// All costs that a host has, changed together.
#pragma once

#include <vector>

#include "models/host/host_spec.hpp"

namespace septet::whatif {

// Every time of HostSpec that the CPU spends. A test compares their number with the fields of the
// profile.
const std::vector<Duration host::HostSpec::*>& host_times();
// Every rate at which the CPU moves data.
const std::vector<ByteRate host::HostSpec::*>& host_rates();

// Times are multiplied by `factor`, rates divided by it.
void scale_host_costs(host::HostSpec& host, double factor);

}  // namespace septet::whatif
