// The mean of a few samples and how sure it is.
#pragma once

#include <vector>

namespace septet {

struct MeanEstimate {
  double mean = 0;
  double half_width = 0;  // of the 95 % confidence interval (Student's t); 0 of one value
};

// Asserts at least one value.
MeanEstimate mean_estimate(const std::vector<double>& values);

}  // namespace septet
