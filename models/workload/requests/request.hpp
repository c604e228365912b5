// What a client asks of a language model: when, how long, and what it shares with other requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/quantity.hpp"

namespace septet::requests {

// Tokens of a request that are the same as those of other requests: two requests whose piece ends
// at the same token with the same `content` have the same tokens from their beginning up to there.
struct Piece {
  std::int64_t end = 0;  // tokens before its end, counted from the beginning of the request
  std::uint64_t content = 0;

  friend bool operator==(const Piece&, const Piece&) = default;
};

constexpr std::int64_t kNoRequest = -1;
constexpr std::int64_t kAllTokens = INT64_MAX;  // the end of a piece that covers the answer too

struct Request {
  Instant arrival;  // without `follows`
  std::int64_t input_tokens = 1;
  std::int64_t output_tokens = 1;
  std::int64_t follows = kNoRequest;  // sent only after that request's answer, `pause` later
  Duration pause{};
  std::vector<Piece> pieces{};  // by ascending end; what lies beyond the last is shared with nobody
};

// Requests in the order in which clients send them.
struct Workload {
  std::vector<Request> requests;
  std::optional<std::uint32_t> concurrency{};  // clients wait while so many are being answered
  std::vector<std::string> findings{};         // irregularities of a log
};

}  // namespace septet::requests
