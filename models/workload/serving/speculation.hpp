// How many drafted tokens the model accepts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace septet::serving {

// Chances given that all before were accepted, from the share of all rounds in which position i was
// accepted (what vLLM prints). Shares fall, from 0 to 1; throws ModelError otherwise.
std::vector<double> acceptance_by_shares(std::span<const double> shares);

// The same for each of `steps` positions, such that a round yields `mean_length` tokens on average,
// the one that the model adds itself among them: 1 + a + a^2 + .. + a^steps. Throws ModelError
// where that is not from 1 to steps + 1.
std::vector<double> acceptance_by_mean_length(double mean_length, std::uint32_t steps);

// The accepted tokens of round `round` of a request: draws of its own, whoever shares the batch.
std::uint32_t accepted_tokens(std::span<const double> acceptance, std::uint64_t seed,
                              std::uint64_t request, std::uint64_t round);

}  // namespace septet::serving
