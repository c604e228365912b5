// All costs that a host has, changed together.
#pragma once

#include <vector>

#include "models/host/host_spec.hpp"

namespace septet {

// Every time of HostSpec that the CPU spends. A test compares their number with the fields of the
// profile.
const std::vector<Duration HostSpec::*>& host_times();
// Every rate at which the CPU moves data.
const std::vector<ByteRate HostSpec::*>& host_rates();

// Times are multiplied by `factor`, rates divided by it.
void scale_host_costs(HostSpec& host, double factor);

}  // namespace septet
