// Comma-separated values as RFC 4180 describes them: fields may be quoted, quotes inside are
// doubled, line ends may be inside quotes.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace septet::nsight {

struct CsvRecord {
  std::int64_t line = 0;  // of the file, where the record begins, from 1
  std::vector<std::string> fields;
};

class CsvReader {
 public:
  explicit CsvReader(std::istream& in) : in_(in) {}
  // The next record that is not an empty line; nothing at the end. Throws ConfigError (with the
  // line, without a file) where a quoted field does not end.
  std::optional<CsvRecord> next();

 private:
  std::istream& in_;
  std::int64_t line_ = 0;
};

}  // namespace septet::nsight
