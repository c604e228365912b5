#include "scenarios/serving/serving_workload.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace septet::serving {
namespace {

using requests::ArrivalKind;
using requests::LengthKind;

// Keys that mean something beside a log.
constexpr const char* kLogKeys[] = {"log",        "format",          "from",       "to",
                                    "rate_scale", "drop_unanswered", "concurrency"};

std::filesystem::path beside(const config::Place& place, const char* key, const std::string& name) {
  const config::ConfigValue& value = *place.table->find(key);
  return std::filesystem::path(value.where.file).parent_path() / name;
}

requests::LengthDistribution length_of(const LengthText& text, const ArrivalsText& arrivals,
                                       const char* key) {
  if (text.place.table == nullptr) {
    arrivals.place.fail(
        key, "nothing",
        "a length: arrivals." + std::string(key) + ".tokens, arrivals.lengths or arrivals.log");
  }
  requests::LengthDistribution out;
  out.kind = text.distribution;
  out.tokens = text.tokens.value_or(1);
  out.least = text.least.value_or(1);
  out.most = text.most.value_or(static_cast<std::uint32_t>(out.most));
  out.sigma = text.sigma;
  const bool uniform = out.kind == LengthKind::kUniform;
  if (uniform && !text.most) text.place.fail("most", "nothing", "the maximum that is drawn");
  if (!uniform && !text.tokens) text.place.fail("tokens", "nothing", "a number of tokens");
  if (out.least > out.most) {
    text.place.fail("least", std::to_string(out.least), fmt::format("at most {}", out.most));
  }
  return out;
}

template <class Value>
Value needed(const ArrivalsText& text, const std::optional<Value>& value, const char* key) {
  if (!value) {
    text.place.fail(key, "nothing", fmt::format("a value, for {} arrivals", text_of(text.process)));
  }
  return *value;
}

requests::ArrivalProcess process_of(const ArrivalsText& text) {
  requests::ArrivalProcess out;
  if (text.process == Source::kAtOnce || text.process == Source::kClosed) {
    out.kind = ArrivalKind::kAtOnce;
    return out;
  }
  out.kind = static_cast<ArrivalKind>(text.process);
  out.rate = needed(text, text.rate, "rate");
  out.shape = text.shape;
  out.amplitude = text.amplitude;
  if (text.process == Source::kBursts) {
    out.burst_rate = needed(text, text.burst_rate, "burst_rate");
    out.burst_length = needed(text, text.burst_length, "burst_length");
    out.period = needed(text, text.period, "period");
    if (out.burst_length > out.period) {
      text.place.fail("burst_length", config::range_text(out.burst_length),
                      "at most arrivals.period, " + config::range_text(out.period));
    }
  }
  if (text.process == Source::kDiurnal) out.period = needed(text, text.period, "period");
  return out;
}

requests::SyntheticWorkload synthetic_of(const ArrivalsText& text) {
  requests::SyntheticWorkload out;
  out.arrivals = process_of(text);
  out.requests = text.requests;
  out.duration = text.duration;
  const bool at_once = out.arrivals.kind == ArrivalKind::kAtOnce;
  if (at_once && !text.requests) needed(text, text.requests, "requests");
  if (!text.requests == !text.duration) {
    text.place.fail("requests", text.requests ? "requests and duration" : "nothing",
                    "arrivals.requests or arrivals.duration");
  }
  out.concurrency = text.concurrency;
  if (text.process == Source::kClosed)
    out.concurrency = needed(text, text.concurrency, "concurrency");
  if (text.lengths) {
    out.lengths = requests::read_lengths(beside(text.place, "lengths", *text.lengths));
  } else {
    out.input = length_of(text.input, text, "input");
    out.output = length_of(text.output, text, "output");
  }
  if (text.turns == 1 && text.think_time.count() > 0) {
    text.place.fail("think_time", config::range_text(text.think_time),
                    "none: arrivals.turns is 1, so nothing follows an answer");
  }
  out.turns = {text.turns, text.think_time};
  out.prefix = {text.prefix_tokens, text.prefix_groups};
  return out;
}

// A log says all that the other keys would.
requests::Workload logged(const ArrivalsText& text) {
  for (const config::ConfigEntry& entry : *text.place.table->table()) {
    const bool known =
        std::ranges::any_of(kLogKeys, [&](const char* key) { return entry.key == key; });
    if (!known) text.place.fail(entry.key, "a key together with arrivals.log", "one of both");
  }
  requests::LogReading reading{text.format, text.from, text.to, text.rate_scale,
                               text.drop_unanswered};
  requests::Workload out =
      requests::read_request_log(beside(text.place, "log", *text.log), reading);
  out.concurrency = text.concurrency;
  return out;
}

}  // namespace

bool is_random(const ArrivalsText& text) { return !text.log; }

std::vector<std::filesystem::path> files_of(const ArrivalsText& text) {
  std::vector<std::filesystem::path> out;
  if (text.log) out.push_back(beside(text.place, "log", *text.log));
  if (text.lengths) out.push_back(beside(text.place, "lengths", *text.lengths));
  return out;
}

requests::Workload workload_of(const ArrivalsText& text, std::uint64_t seed) {
  if (text.log) return logged(text);
  return requests::synthetic_workload(synthetic_of(text), seed);
}

requests::Workload at_rate(requests::Workload workload, double factor) {
  for (requests::Request& request : workload.requests) {
    request.arrival = Instant(scale(Duration(request.arrival.count()), 1 / factor).count());
  }
  return workload;
}

requests::Workload with_lengths(requests::Workload workload, double input, double output) {
  const auto scaled = [](std::int64_t tokens, double factor) {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(tokens) * factor));
  };
  for (requests::Request& request : workload.requests) {
    request.input_tokens = scaled(request.input_tokens, input);
    request.output_tokens = scaled(request.output_tokens, output);
    for (requests::Piece& piece : request.pieces) {
      if (piece.end != requests::kAllTokens) piece.end = scaled(piece.end, input);
    }
  }
  return workload;
}

}  // namespace septet::serving
