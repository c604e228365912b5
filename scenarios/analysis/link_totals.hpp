// Total traffic of the links of a run's network.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/network/rendezvous/traced_links.hpp"
#include "models/records/link_records.hpp"

namespace septet::analysis {

// Of one link, or of each of several that carry the same.
struct LinkTotal {
  std::string name;
  std::size_t links = 1;
  Bytes bytes{};
  double mean = 0;  // utilization over the run's span
  double peak = 0;  // the highest utilization at any time
};

// Busiest first: by mean, then by name. `span`: of the run. Empty where links were not traced.
std::vector<LinkTotal> link_totals(std::span<const records::LinkRecord> rows,
                                   const std::vector<network::TracedLink>& links, Duration span);

}  // namespace septet::analysis
