// Requests drawn from distributions: arrivals, lengths, shared beginnings, conversations.
//
// Draws belong to one request and one purpose: a further request, or another distribution of the
// answers, leaves all other draws as they are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/workload/requests/arrival_process.hpp"
#include "models/workload/requests/length_distribution.hpp"
#include "models/workload/requests/request.hpp"

namespace septet::requests {

// The lengths of one request, as a file lists them.
struct Lengths {
  std::int64_t input_tokens = 1;
  std::int64_t output_tokens = 1;
};

// Conversations of several turns: each turn's prompt is all that was said before and a new
// message of `input` tokens.
struct Turns {
  std::uint32_t count = 1;
  Duration think_time{};  // mean pause, exponential, between an answer and the next message
};

// Beginnings that many requests have in common, such as system prompts.
struct SharedPrefix {
  std::int64_t tokens = 0;   // comes before the tokens of `input`
  std::uint32_t groups = 1;  // so many of them, each request has one by chance
};

struct SyntheticWorkload {
  ArrivalProcess arrivals{};
  std::optional<std::uint64_t> requests{};  // or
  std::optional<Duration> duration{};       // arrivals end then
  std::optional<std::uint32_t> concurrency{};
  LengthDistribution input{};
  LengthDistribution output{};
  std::vector<Lengths> lengths{};  // not empty: taken in turn instead of the distributions
  Turns turns{};
  SharedPrefix prefix{};
};

// `requests` and `arrivals` count conversations; each has `turns.count` requests.
Workload synthetic_workload(const SyntheticWorkload& spec, std::uint64_t seed);

}  // namespace septet::requests
