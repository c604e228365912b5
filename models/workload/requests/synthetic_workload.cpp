#include "models/workload/requests/synthetic_workload.hpp"

#include <utility>

#include "core/base/error.hpp"

namespace septet::requests {
namespace {

enum Purpose : std::uint32_t { kTimes, kInput, kOutput, kPause, kGroup };

RandomStream stream_of(std::uint64_t seed, std::uint64_t request, Purpose purpose) {
  return RandomStream({seed, static_cast<std::uint32_t>(request), purpose});
}

std::vector<Instant> begins(const SyntheticWorkload& spec, std::uint64_t seed) {
  RandomStream stream = stream_of(seed, 0, kTimes);
  if (spec.requests) return arrival_times(spec.arrivals, *spec.requests, stream);
  SEPTET_ASSERT(spec.duration.has_value());
  return arrival_times_before(spec.arrivals, Instant(spec.duration->count()), stream);
}

Lengths lengths_of(const SyntheticWorkload& spec, std::uint64_t seed, std::uint64_t request) {
  if (!spec.lengths.empty()) return spec.lengths[request % spec.lengths.size()];
  RandomStream input = stream_of(seed, request, kInput);
  RandomStream output = stream_of(seed, request, kOutput);
  return {draw_length(spec.input, input), draw_length(spec.output, output)};
}

// Contents of shared prefixes are the first numbers, those of conversations follow.
std::vector<Piece> pieces_of(const SyntheticWorkload& spec, std::uint64_t group,
                             std::uint64_t conversation) {
  std::vector<Piece> out;
  if (spec.prefix.tokens > 0) out.push_back({spec.prefix.tokens, group});
  if (spec.turns.count > 1) out.push_back({kAllTokens, spec.prefix.groups + conversation});
  return out;
}

Duration pause_of(const SyntheticWorkload& spec, std::uint64_t seed, std::uint64_t request) {
  if (spec.turns.think_time.count() == 0) return {};
  RandomStream stream = stream_of(seed, request, kPause);
  return from_seconds(stream.exponential(to_seconds(spec.turns.think_time)));
}

// The turns of one conversation, one after another.
void add_conversation(const SyntheticWorkload& spec, std::uint64_t seed, Instant begin,
                      std::uint64_t conversation, std::vector<Request>& out) {
  RandomStream groups = stream_of(seed, conversation, kGroup);
  const std::uint64_t group = groups.below(spec.prefix.groups);
  std::int64_t said = spec.prefix.tokens;
  for (std::uint32_t turn = 0; turn < spec.turns.count; ++turn) {
    const std::uint64_t number = out.size();
    const Lengths lengths = lengths_of(spec, seed, number);
    Request request{begin, said + lengths.input_tokens, lengths.output_tokens};
    if (turn > 0) {
      request.follows = static_cast<std::int64_t>(number) - 1;
      request.pause = pause_of(spec, seed, number);
    }
    request.pieces = pieces_of(spec, group, conversation);
    said = request.input_tokens + request.output_tokens;
    out.push_back(std::move(request));
  }
}

}  // namespace

Workload synthetic_workload(const SyntheticWorkload& spec, std::uint64_t seed) {
  Workload out;
  out.concurrency = spec.concurrency;
  std::uint64_t conversation = 0;
  for (const Instant begin : begins(spec, seed)) {
    add_conversation(spec, seed, begin, conversation++, out.requests);
  }
  return out;
}

}  // namespace septet::requests
