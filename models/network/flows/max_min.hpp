// Max-min fair rates by progressive filling (D. Bertsekas, R. Gallager, "Data Networks", 1992,
// section 6.5.2): all rates grow alike until a link is full or a flow has its cap; those flows keep
// their rate, the others grow on. A flow takes of each of its links its rate times a weight, so
// that what is shared fairly may be the progress of transfers that load links unequally.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace septet::network {

// Flows and links by their places in the vectors. A flow's rate times a weight has the unit of a
// capacity.
struct SharingProblem {
  struct Use {
    std::uint32_t link = 0;
    double weight = 1;  // above 0
  };
  struct Flow {
    std::uint32_t first_use = 0;  // of `uses`
    std::uint32_t use_count = 0;
    double cap = 0;  // infinity: none
  };

  std::vector<Flow> flows;
  std::vector<Use> uses;           // a link at most once for each flow
  std::vector<double> capacities;  // by link

  std::span<const Use> uses_of(const Flow& flow) const {
    return {uses.data() + flow.first_use, flow.use_count};
  }
};

// The rate of each flow. One without links gets its cap. Links that are full within a billionth of
// one level are full at that level, so that sums of rounded numbers don't tell equals apart.
// O(uses log links), for links of a bounded number of flows.
std::vector<double> max_min_rates(const SharingProblem& problem);

}  // namespace septet::network
