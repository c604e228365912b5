// One line of a request log, whatever the format, and what is wrong with lines.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "models/workload/requests/log_time.hpp"

namespace septet::requests {

struct LogLine {
  std::int64_t line = 0;
  LogTime time;
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::vector<std::uint64_t> hash_ids{};
};

using TakeLine = std::function<void(LogLine)>;

// More tokens than any request has: a mistake of the log.
constexpr std::int64_t kMostTokens = 100'000'000;

// The tokens of mooncake's hash ids.
constexpr std::int64_t kHashedTokens = 512;

struct LogColumns {
  std::string_view time;
  std::string_view input;
  std::string_view output;
  std::optional<LogTime> (*parse_time)(std::string_view);
  std::string_view wanted_time;
};

// Read every line; throw ConfigError.
void read_csv_log(std::istream& in, const std::string& file, const LogColumns& columns,
                  const TakeLine& take);
void read_json_log(std::istream& in, const std::string& file, const TakeLine& take);

// A whole number of tokens, at least 0.
std::int64_t parse_tokens(std::string_view text, const Location& where, const std::string& key);

}  // namespace septet::requests
