#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "models/workload/nsight/csv.hpp"
#include "models/workload/requests/log_line.hpp"

namespace septet::requests {
namespace {

std::size_t column_of(const nsight::CsvRecord& header, std::string_view name,
                      const std::string& file) {
  const auto found = std::ranges::find(header.fields, name);
  if (found == header.fields.end()) {
    throw ConfigError({file, header.line},
                      fmt::format("no column '{}' among {}", name, fmt::join(header.fields, ", ")));
  }
  return static_cast<std::size_t>(found - header.fields.begin());
}

const std::string& field(const nsight::CsvRecord& record, std::size_t column,
                         const std::string& file) {
  if (column >= record.fields.size()) {
    throw ConfigError({file, record.line},
                      fmt::format("got {} fields, wanted {} at least, as in the first line",
                                  record.fields.size(), column + 1));
  }
  return record.fields[column];
}

}  // namespace

std::int64_t parse_tokens(std::string_view text, const Location& where, const std::string& key) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || value < 0 || value > kMostTokens) {
    throw ConfigError::value(where, key, fmt::format("'{}'", text),
                             fmt::format("a whole number from 0 to {}", kMostTokens));
  }
  return value;
}

void read_csv_log(std::istream& in, const std::string& file, const LogColumns& columns,
                  const TakeLine& take) {
  nsight::CsvReader reader(in);
  const std::optional<nsight::CsvRecord> header = reader.next();
  if (!header) throw ConfigError({file}, "an empty file");
  const std::size_t time = column_of(*header, columns.time, file);
  const std::size_t input = column_of(*header, columns.input, file);
  const std::size_t output = column_of(*header, columns.output, file);
  while (const std::optional<nsight::CsvRecord> record = reader.next()) {
    const Location where{file, record->line};
    const std::string& text = field(*record, time, file);
    const std::optional<LogTime> parsed = columns.parse_time(text);
    if (!parsed) {
      throw ConfigError::value(where, std::string(columns.time), fmt::format("'{}'", text),
                               std::string(columns.wanted_time));
    }
    take({record->line, *parsed,
          parse_tokens(field(*record, input, file), where, std::string(columns.input)),
          parse_tokens(field(*record, output, file), where, std::string(columns.output))});
  }
}

}  // namespace septet::requests
