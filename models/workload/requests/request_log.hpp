// Recorded request logs as workloads.
//
// | format   | what a line holds                                                                |
// |----------|----------------------------------------------------------------------------------|
// | azure    | CSV: TIMESTAMP (date and time), ContextTokens, GeneratedTokens                   |
// | mooncake | JSON: timestamp (ms), input_length, output_length, hash_ids (one per 512 tokens: |
// |          | equal ids mean that everything up to there is equal)                             |
// | burstgpt | CSV: Timestamp (s), Request tokens, Response tokens; further columns             |
// | plain    | CSV: arrival_s, input_tokens, output_tokens; further columns                     |
//
// Lines end in LF or CRLF. A line that lacks something, a time before the one above, zero or
// absurdly many tokens are ConfigErrors with file and line; nothing is skipped unless requested.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "core/base/quantity.hpp"
#include "models/workload/requests/request.hpp"
#include "models/workload/requests/synthetic_workload.hpp"

namespace septet::requests {

enum class LogFormat : std::uint8_t { kAzure, kMooncake, kBurstGpt, kPlain };
constexpr auto enum_table(std::type_identity<LogFormat>) {
  return enum_texts<LogFormat>("azure", "mooncake", "burstgpt", "plain");
}

struct LogReading {
  std::optional<LogFormat> format{};  // nothing: what the first line looks like
  Duration from{};                    // of the log's time: requests from here on, ...
  std::optional<Duration> to{};       // ... before this one; `from` becomes time zero
  double rate_scale = 1;              // above 1: gaps shrink by it
  bool drop_unanswered = false;       // leave out requests without an answer, which else are errors
};

// Throws ConfigError, also where the file cannot be read or where nothing is left of it.
Workload read_request_log(const std::filesystem::path& file, const LogReading& reading);
Workload read_request_log(std::istream& in, const std::string& name, const LogReading& reading);

// The columns input_tokens and output_tokens of a CSV file.
std::vector<Lengths> read_lengths(const std::filesystem::path& file);

}  // namespace septet::requests
