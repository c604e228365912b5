#include "models/workload/serving/speculation.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/base/random.hpp"

namespace septet::serving {
namespace {

constexpr std::uint32_t kAcceptance = 0x5bec;  // purpose of the draws

double mean_length_of(double chance, std::uint32_t steps) {
  double sum = 1;
  double term = 1;
  for (std::uint32_t i = 0; i < steps; ++i) sum += term *= chance;
  return sum;
}

}  // namespace

std::vector<double> acceptance_by_shares(std::span<const double> shares) {
  std::vector<double> out;
  double before = 1;
  for (const double share : shares) {
    if (!(share >= 0 && share <= before)) {
      throw ModelError(fmt::format(
          "shares of accepted drafts: got {} behind {}, wanted falling ones from 1 to 0", share,
          before));
    }
    out.push_back(before > 0 ? share / before : 0);
    before = share;
  }
  return out;
}

std::vector<double> acceptance_by_mean_length(double mean_length, std::uint32_t steps) {
  if (!(mean_length >= 1 && mean_length <= steps + 1.0)) {
    throw ModelError(
        fmt::format("mean accepted length {}: wanted from 1 to {}, the draft steps "
                    "and 1",
                    mean_length, steps + 1));
  }
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (mean_length_of(middle, steps) < mean_length ? low : high) = middle;
  }
  return std::vector<double>(steps, high);
}

std::uint32_t accepted_tokens(std::span<const double> acceptance, std::uint64_t seed,
                              std::uint64_t request, std::uint64_t round) {
  RandomStream stream({seed, static_cast<std::uint32_t>(request), kAcceptance},
                      round * acceptance.size());
  std::uint32_t accepted = 0;
  while (accepted < acceptance.size() && stream.uniform() < acceptance[accepted]) ++accepted;
  return accepted;
}

}  // namespace septet::serving
