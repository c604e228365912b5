#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/workload/requests/log_line.hpp"

namespace septet::requests {
namespace {

constexpr const char* kHashIds = "hash_ids";

const nlohmann::json& member(const nlohmann::json& object, const char* key, const Location& where) {
  const auto found = object.find(key);
  if (found == object.end()) throw ConfigError(where, fmt::format("no key '{}'", key));
  return *found;
}

std::int64_t tokens_of(const nlohmann::json& object, const char* key, const Location& where) {
  return parse_tokens(member(object, key, where).dump(), where, key);
}

// "timestamp" is in milliseconds.
LogTime time_of(const nlohmann::json& object, const Location& where) {
  constexpr const char* kKey = "timestamp";
  constexpr double kLatest = 9e9;  // 104 days
  const nlohmann::json& value = member(object, kKey, where);
  const double milliseconds = value.is_number() ? value.get<double>() : -1;
  if (!(milliseconds >= 0 && milliseconds <= kLatest)) {
    throw ConfigError::value(where, kKey, value.dump(), "milliseconds from 0 to 9e9");
  }
  const std::int64_t picoseconds =
      std::llround(milliseconds * static_cast<double>(kPicosecondsPerMillisecond));
  return {picoseconds / kPicosecondsPerSecond, picoseconds % kPicosecondsPerSecond};
}

std::vector<std::uint64_t> hash_ids_of(const nlohmann::json& object, std::int64_t input_tokens,
                                       const Location& where) {
  const auto found = object.find(kHashIds);
  if (found == object.end()) return {};
  const auto wanted = static_cast<std::size_t>((input_tokens + kHashedTokens - 1) / kHashedTokens);
  std::vector<std::uint64_t> out;
  for (const nlohmann::json& id : *found) {
    if (!id.is_number_unsigned()) {
      throw ConfigError::value(where, kHashIds, id.dump(), "whole numbers, not negative");
    }
    out.push_back(id.get<std::uint64_t>());
  }
  if (out.size() > wanted) {
    throw ConfigError::value(where, kHashIds, fmt::format("{} ids", out.size()),
                             fmt::format("at most {}, one for each {} of the {} input tokens",
                                         wanted, kHashedTokens, input_tokens));
  }
  return out;
}

LogLine line_of(const nlohmann::json& object, const Location& where) {
  if (!object.is_object()) throw ConfigError(where, "got no JSON object");
  LogLine out{where.line, time_of(object, where), tokens_of(object, "input_length", where),
              tokens_of(object, "output_length", where)};
  out.hash_ids = hash_ids_of(object, out.input_tokens, where);
  return out;
}

}  // namespace

void read_json_log(std::istream& in, const std::string& file, const TakeLine& take) {
  std::string text;
  for (std::int64_t line = 1; std::getline(in, text); ++line) {
    if (text.find_first_not_of(" \t\r") == text.npos) continue;
    const Location where{file, line};
    const nlohmann::json object = nlohmann::json::parse(text, nullptr, false);
    if (object.is_discarded()) throw ConfigError(where, "got a line that is no JSON");
    take(line_of(object, where));
  }
}

}  // namespace septet::requests
