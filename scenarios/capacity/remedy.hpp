// The nearest change that helps where no fleet of an option can hold.
#pragma once

#include <string>

#include "scenarios/capacity/option.hpp"

namespace septet::capacity {

// Of a removed option: more GPUs a replica or narrower weights, the first that no bound rules out,
// as the setting that makes it; else the objective at what a request alone takes. Nothing for other
// bounds, or where none helps.
std::string remedy_of(const Option& option, const serving::ServingConfiguration& base,
                      const serving::Libraries& libraries, const requests::Workload& workload);

}  // namespace septet::capacity
