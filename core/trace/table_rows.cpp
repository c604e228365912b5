#include "core/trace/table_rows.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace septet::trace {
namespace {

bool is_real(const ColumnSpec& column) {
  return column.type == ColumnType::kFloat64 || column.type == ColumnType::kFloat32;
}

template <class Value>
Value value_at(const std::byte* place) {
  Value value{};
  std::memcpy(&value, place, sizeof value);
  return value;
}

// The columns of one table on their way from a file into rows.
class RowReader {
 public:
  RowReader(const Hdf5Reader& file, const TableSpec& wanted)
      : file_(file), stored_(file.table(wanted.name)), rows_(file.rows(wanted.name)) {
    out_.spec = wanted;
  }

  TableRows read() {
    // A run that ended before the first row of a table leaves it without columns.
    if (stored_.columns.empty() && rows_ == 0) return std::move(out_);
    for (const ColumnSpec& column : out_.spec.columns) read(column);
    return std::move(out_);
  }

 private:
  void read(const ColumnSpec& column) {
    refuse_former_name(column);
    if (is_real(column)) {
      const std::vector<double> values = file_.reals(out_.spec.name, column.name);
      check_length(column, values.size());
      if (column.type == ColumnType::kFloat64) return put<double>(column, values);
      return put<float>(column, values);
    }
    std::vector<std::int64_t> values = file_.integers(out_.spec.name, column.name);
    check_length(column, values.size());
    if (!column.flags.empty()) map_flags(column, values);
    check_range(column, values);
    if (column.type == ColumnType::kInt64) return put<std::int64_t>(column, values);
    if (column.type == ColumnType::kInt32) return put<std::int32_t>(column, values);
    put<std::uint8_t>(column, values);
  }

  const ColumnSpec* stored(const std::string& name) const {
    const auto found = std::ranges::find(stored_.columns, name, &ColumnSpec::name);
    return found == stored_.columns.end() ? nullptr : &*found;
  }

  void refuse_former_name(const ColumnSpec& column) const {
    if (column.former_name.empty() || stored(column.name) != nullptr) return;
    if (stored(column.former_name) == nullptr) return;
    throw ConfigError({file_.path().string()},
                      fmt::format("{}/{}: now called {}; the file is from an older version",
                                  out_.spec.name, column.former_name, column.name));
  }

  // Before there is memory for the rows: a damaged file may claim any number of them.
  void check_length(const ColumnSpec& column, std::size_t length) {
    if (length != rows_) {
      throw ConfigError::value({file_.path().string()},
                               fmt::format("{}/{}", out_.spec.name, column.name),
                               fmt::format("{} values", length),
                               fmt::format("{}, one for each row of the table", rows_));
    }
    out_.bytes.resize(rows_ * out_.spec.row_size);
  }

  [[noreturn]] void refuse(const ColumnSpec& column, std::size_t row, const std::string& got,
                           const std::string& wanted) const {
    refuse_value(file_, out_.spec.name, column.name, row, got, wanted);
  }

  // The file itself defines the meaning of its numbers.
  void map_flags(const ColumnSpec& column, std::vector<std::int64_t>& values) const {
    const std::vector<std::string>& theirs = stored(column.name)->flags;
    for (std::size_t row = 0; row < values.size(); ++row) {
      const auto code = static_cast<std::size_t>(values[row]);
      const bool known = code < theirs.size();
      const auto found = known ? std::ranges::find(column.flags, theirs[code]) : column.flags.end();
      if (found == column.flags.end()) {
        const std::string got = known ? theirs[code] : std::to_string(values[row]);
        refuse(column, row, got, wanted_flag(column, got));
      }
      values[row] = found - column.flags.begin();
    }
  }

  static std::string wanted_flag(const ColumnSpec& column, const std::string& got) {
    for (const auto& [older, now] : column.former_flags) {
      if (older == got) return fmt::format("{}, as it is now called", now);
    }
    return fmt::format("one of {}", fmt::join(column.flags, ", "));
  }

  void check_range(const ColumnSpec& column, const std::vector<std::int64_t>& values) const {
    std::int64_t most = column.most;
    if (!column.dictionary.empty()) {
      // The file of a run that did not end may lack dictionaries.
      const std::optional<std::size_t> texts = file_.dictionary_size(column.dictionary);
      if (texts) most = static_cast<std::int64_t>(*texts) - 1;
    }
    const auto wrong = std::ranges::find_if(
        values, [&](std::int64_t value) { return value < column.least || value > most; });
    if (wrong == values.end()) return;
    refuse(column, static_cast<std::size_t>(wrong - values.begin()), std::to_string(*wrong),
           fmt::format("{} to {}", column.least, most));
  }

  template <class Stored, class Values>
  void put(const ColumnSpec& column, const Values& values) {
    std::byte* place = out_.bytes.data() + column.offset;
    for (const auto value : values) {
      const auto narrow = static_cast<Stored>(value);
      std::memcpy(place, &narrow, sizeof narrow);
      place += out_.spec.row_size;
    }
  }

  const Hdf5Reader& file_;
  TableSpec stored_;
  std::size_t rows_;
  TableRows out_;
};

}  // namespace

std::int64_t TableRows::integer(const ColumnSpec& column, std::size_t row) const {
  const std::byte* place = bytes.data() + row * spec.row_size + column.offset;
  switch (column.type) {
    case ColumnType::kInt64:
      return value_at<std::int64_t>(place);
    case ColumnType::kInt32:
      return value_at<std::int32_t>(place);
    case ColumnType::kUint8:
      return value_at<std::uint8_t>(place);
    default:
      SEPTET_ASSERT(!"a column of whole numbers");
  }
}

double TableRows::real(const ColumnSpec& column, std::size_t row) const {
  const std::byte* place = bytes.data() + row * spec.row_size + column.offset;
  SEPTET_ASSERT(is_real(column));
  return column.type == ColumnType::kFloat64 ? value_at<double>(place) : value_at<float>(place);
}

TableRows read_rows(const Hdf5Reader& file, const TableSpec& table) {
  return RowReader(file, table).read();
}

void refuse_value(const Hdf5Reader& file, const std::string& table, const std::string& column,
                  std::size_t row, const std::string& got, const std::string& wanted) {
  throw ConfigError::value({file.path().string()}, fmt::format("{}/{}, row {}", table, column, row),
                           got, wanted);
}

}  // namespace septet::trace
