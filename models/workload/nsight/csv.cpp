#include "models/workload/nsight/csv.hpp"

#include "core/base/error.hpp"

namespace septet::nsight {
namespace {

// Parses one line; `quoted`: its last field continues in the next line.
void split(const std::string& line, bool& quoted, std::vector<std::string>& fields) {
  if (!quoted) fields.emplace_back();
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
}

}  // namespace

std::optional<CsvRecord> CsvReader::next() {
  CsvRecord record;
  bool quoted = false;
  std::string line;
  while (std::getline(in_, line)) {
    ++line_;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() && !quoted) continue;
    if (quoted) {
      record.fields.back() += '\n';
    } else {
      record.line = line_;
    }
    split(line, quoted, record.fields);
    if (!quoted) return record;
  }
  if (in_.bad()) {
    throw ConfigError({"", line_ + 1, 0, -1}, "cannot be read: input error");
  }
  if (quoted) throw ConfigError({"", record.line, 0, -1}, "a quoted field does not end");
  return std::nullopt;
}

}  // namespace septet::nsight
