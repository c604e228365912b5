// Max-min fair rates by progressive filling (D. Bertsekas, R. Gallager, "Data Networks", 1992,
// section 6.5.2): all rates grow alike until a link is full or a flow has its cap; those flows keep
// their rate, the others grow on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace septet {

// Flows and links by their places in the vectors. All rates in bytes per second.
struct SharingProblem {
  struct Flow {
    std::uint32_t first_link = 0;  // of `links_of_flows`
    std::uint32_t link_count = 0;
    double cap = 0;  // infinity: none
  };

  std::vector<Flow> flows;
  std::vector<std::uint32_t> links_of_flows;  // a link at most once for each flow
  std::vector<double> capacities;             // by link

  std::span<const std::uint32_t> links(const Flow& flow) const {
    return {links_of_flows.data() + flow.first_link, flow.link_count};
  }
};

// The rate of each flow. One without links gets its cap. O((flows + links) log(flows + links)), for
// routes of bounded length.
std::vector<double> max_min_rates(const SharingProblem& problem);

}  // namespace septet
