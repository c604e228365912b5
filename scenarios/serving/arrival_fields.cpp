// The fields of requests: tables [arrivals], [arrivals.input], [arrivals.output].
#include "scenarios/serving/arrival_fields.hpp"

namespace septet::serving {
namespace {

using config::at_least;
using config::between;
using config::field;
using config::ranged;

constexpr std::uint32_t kMostTokens = 100'000'000;
constexpr double kMostRate = 1e9;

config::Fields<ArrivalsText> log_fields() {
  using S = ArrivalsText;
  return {
      field("log", &S::log,
            "a recorded log of requests; a relative path starts in the folder of the file that "
            "names it"),
      field("format", &S::format,
            "azure, mooncake, burstgpt, plain; default: detected from the first line"),
      field("from", &S::from, "only requests at or after this time of the log; default: all"),
      field("to", &S::to, "only requests before this time of the log"),
      ranged("rate_scale", &S::rate_scale, "factor on the rate of the log; default 1",
             between(1e-6, 1e6)),
      field("drop_unanswered", &S::drop_unanswered,
            "skip requests of the log without a response; default: they are an error"),
  };
}

config::Fields<ArrivalsText> process_fields() {
  using S = ArrivalsText;
  return {
      field("process", &S::process,
            "poisson, gamma, constant, bursts, diurnal, all-at-once, closed; default poisson"),
      ranged("rate", &S::rate, "requests per second", between(1e-6, kMostRate)),
      ranged("shape", &S::shape, "gamma: 1 is Poisson, smaller is burstier", between(1e-3, 1e3)),
      ranged("burst_rate", &S::burst_rate, "bursts: requests per second within a burst",
             between(1e-6, kMostRate)),
      ranged("burst_length", &S::burst_length, "bursts: duration of a burst",
             at_least(Duration(1))),
      ranged("period", &S::period, "bursts: time between bursts; diurnal: period of the sine",
             at_least(Duration(1))),
      ranged("amplitude", &S::amplitude, "diurnal: relative amplitude of the rate",
             between(0.0, 1.0)),
      ranged("requests", &S::requests, "number of requests, or of conversations",
             at_least(std::uint64_t{1})),
      ranged("duration", &S::duration, "time at which arrivals end", at_least(Duration(1))),
      ranged("concurrency", &S::concurrency,
             "maximum concurrent requests; clients wait beyond that", at_least(1U)),
      ranged("turns", &S::turns,
             "turns of a conversation, each with all previous ones in its prompt; default 1",
             between(1U, 10'000U)),
      field("think_time", &S::think_time, "mean pause between a response and the next turn"),
      ranged("prefix_tokens", &S::prefix_tokens, "tokens of the shared prefix of each prompt",
             between(0U, kMostTokens)),
      ranged("prefix_groups", &S::prefix_groups, "number of different prefixes; default 1",
             at_least(1U)),
      section("input", &S::input, length_fields, "prompt tokens"),
      section("output", &S::output, length_fields, "output tokens"),
      field("lengths", &S::lengths,
            "a CSV file with columns input_tokens, output_tokens, used in order"),
  };
}

}  // namespace

const config::Fields<LengthText>& length_fields() {
  using S = LengthText;
  static const config::Fields<S> rows = {
      field("distribution", &S::distribution, "fixed, uniform, lognormal; default fixed"),
      ranged("tokens", &S::tokens, "fixed: all; lognormal: the median", between(1U, kMostTokens)),
      ranged("least", &S::least, "uniform, lognormal: minimum; default 1",
             between(1U, kMostTokens)),
      ranged("most", &S::most, "uniform, lognormal: maximum", between(1U, kMostTokens)),
      ranged("sigma", &S::sigma, "lognormal: standard deviation of the logarithm; default 1",
             between(0.0, 10.0)),
  };
  return rows;
}

const config::Fields<ArrivalsText>& arrival_fields() {
  static const config::Fields<ArrivalsText> rows = [] {
    config::Fields<ArrivalsText> out = log_fields();
    const config::Fields<ArrivalsText> more = process_fields();
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }();
  return rows;
}

}  // namespace septet::serving
