#include "models/workload/requests/request_log.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/workload/nsight/csv.hpp"
#include "models/workload/requests/log_line.hpp"

namespace septet::requests {
namespace {

constexpr const char* kSeconds = "seconds such as 12.25";
constexpr LogColumns kAzureColumns{"TIMESTAMP", "ContextTokens", "GeneratedTokens", parse_date_time,
                                   "a date and time such as 2023-11-16 18:17:03.9799600"};
constexpr LogColumns kBurstGptColumns{"Timestamp", "Request tokens", "Response tokens",
                                      parse_seconds, kSeconds};
constexpr LogColumns kPlainColumns{"arrival_s", "input_tokens", "output_tokens", parse_seconds,
                                   kSeconds};

const LogColumns& columns_of(LogFormat format) {
  if (format == LogFormat::kAzure) return kAzureColumns;
  return format == LogFormat::kBurstGpt ? kBurstGptColumns : kPlainColumns;
}

// By the first line, which is read again later.
LogFormat recognized(std::istream& in, const std::string& file) {
  std::string first;
  std::getline(in, first);
  in.clear();
  in.seekg(0);
  if (first.starts_with("{")) return LogFormat::kMooncake;
  for (const LogFormat format : {LogFormat::kAzure, LogFormat::kBurstGpt, LogFormat::kPlain}) {
    const LogColumns& columns = columns_of(format);
    const bool all = first.find(columns.time) != first.npos &&
                     first.find(columns.input) != first.npos &&
                     first.find(columns.output) != first.npos;
    if (all) return format;
  }
  throw ConfigError({file, 1}, fmt::format("the first line is that of no request log ({})",
                                           listed_texts<LogFormat>()));
}

// Turns lines into requests, in the order of the file.
class Builder {
 public:
  Builder(const std::string& file, LogFormat format, const LogReading& reading)
      : file_(file), format_(format), reading_(reading) {}

  void take(LogLine line) {
    check(line);
    // Dates count from the first line; other clocks have a zero of their own.
    if (lines_ == 0 && format_ == LogFormat::kAzure) zero_ = line.time;
    ++lines_;
    const std::optional<Duration> at = elapsed(zero_, line.time);
    if (!at) throw ConfigError({file_, line.line}, "a time beyond 53 days of the log");
    const bool inside = *at >= reading_.from && (!reading_.to || *at < *reading_.to);
    if (!inside) return;
    if (line.output_tokens == 0) {
      ++dropped_;
      return;
    }
    add(*at - reading_.from, std::move(line));
  }

  Workload finish() {
    if (out_.requests.empty()) {
      throw ConfigError(
          {file_}, lines_ == 0 ? "no requests in the file" : "no request lies in the given time");
    }
    if (dropped_ > 0) {
      out_.findings.push_back(
          fmt::format("{}: {} requests without an answer, left out", file_, dropped_));
    }
    return std::move(out_);
  }

 private:
  void check(const LogLine& line) {
    const Location where{file_, line.line};
    if (line.time < previous_) {
      throw ConfigError(where, fmt::format("a time before that of line {}", previous_line_));
    }
    if (line.input_tokens == 0) throw ConfigError(where, "got 0 input tokens, wanted at least 1");
    if (line.output_tokens == 0 && !reading_.drop_unanswered) {
      throw ConfigError(where,
                        "got 0 output tokens, wanted at least 1 (arrivals.drop_unanswered "
                        "leaves such requests out)");
    }
    previous_ = line.time;
    previous_line_ = line.line;
  }

  void add(Duration at, LogLine line) {
    Request request{Instant(scale(at, 1 / reading_.rate_scale).count()), line.input_tokens,
                    line.output_tokens};
    for (std::size_t i = 0; i < line.hash_ids.size(); ++i) {
      const std::int64_t end = static_cast<std::int64_t>(i + 1) * kHashedTokens;
      request.pieces.push_back({std::min(end, line.input_tokens), line.hash_ids[i]});
    }
    out_.requests.push_back(std::move(request));
  }

  const std::string& file_;
  LogFormat format_;
  const LogReading& reading_;
  Workload out_;
  LogTime zero_;
  LogTime previous_;
  std::int64_t previous_line_ = 0;
  std::uint64_t lines_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace

Workload read_request_log(std::istream& in, const std::string& name, const LogReading& reading) {
  const LogFormat format = reading.format ? *reading.format : recognized(in, name);
  Builder builder(name, format, reading);
  const auto take = [&](LogLine line) { builder.take(std::move(line)); };
  if (format == LogFormat::kMooncake) {
    read_json_log(in, name, take);
  } else {
    read_csv_log(in, name, columns_of(format), take);
  }
  return builder.finish();
}

Workload read_request_log(const std::filesystem::path& file, const LogReading& reading) {
  std::ifstream in(file);
  if (!in) throw ConfigError({file.string()}, "cannot be read");
  return read_request_log(in, file.string(), reading);
}

std::vector<Lengths> read_lengths(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw ConfigError({file.string()}, "cannot be read");
  std::vector<Lengths> out;
  // Without a clock: any column does as a time, so the lengths' own is taken.
  const LogColumns columns{"input_tokens", "input_tokens", "output_tokens", parse_seconds,
                           kSeconds};
  read_csv_log(in, file.string(), columns, [&](const LogLine& line) {
    if (line.input_tokens == 0 || line.output_tokens == 0) {
      throw ConfigError({file.string(), line.line}, "got 0 tokens, wanted at least 1");
    }
    out.push_back({line.input_tokens, line.output_tokens});
  });
  if (out.empty()) throw ConfigError({file.string()}, "no lengths in the file");
  return out;
}

}  // namespace septet::requests
