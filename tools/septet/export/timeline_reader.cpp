#include "tools/septet/export/timeline_reader.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/trace/hdf5_reader.hpp"
#include "tools/septet/export/link_counters.hpp"
#include "tools/septet/export/track_table.hpp"

namespace septet {
namespace {

// A column of integers, and what its codes stand for where they are codes.
struct Column {
  ColumnSpec spec;
  std::vector<std::int64_t> values;
  std::vector<std::string> texts;
};

bool is_integer(const ColumnSpec& spec) {
  return spec.type != ColumnType::kFloat64 && spec.type != ColumnType::kFloat32;
}

bool has_column(const TableSpec& table, std::string_view name) {
  const auto is_it = [&](const ColumnSpec& one) { return one.name == name && is_integer(one); };
  return std::ranges::any_of(table.columns, is_it);
}

// The names that the PyTorch profiler gives copies, so that an exported recording reads like one.
std::string copy_name(const std::string& kind) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kNames = {
      {{"host_to_device", "Memcpy HtoD"},
       {"device_to_host", "Memcpy DtoH"},
       {"device_to_device", "Memcpy DtoD"},
       {"host_to_host", "Memcpy HtoH"},
       {"fill", "Memset"}}};
  const auto found = std::ranges::find(kNames, kind, &decltype(kNames)::value_type::first);
  return found == kNames.end() ? kind : std::string(found->second);
}

SliceKind kind_of_table(const std::string& table) {
  if (table == "kernels") return SliceKind::kKernel;
  if (table == "copies") return SliceKind::kCopy;
  return table == "api_calls" ? SliceKind::kCall : SliceKind::kOther;
}

// The rows of one table on their way into the timeline.
class TableReader {
 public:
  TableReader(const Hdf5Reader& file, const std::string& path, TableSpec table, std::int64_t number,
              Timeline& timeline, TrackTable& tracks)
      : path_(path),
        table_(std::move(table)),
        number_(number),
        timeline_(timeline),
        tracks_(tracks) {
    for (const ColumnSpec& spec : table_.columns) {
      if (!is_integer(spec)) continue;
      columns_.push_back({spec, file.integers(table_.name, spec.name), texts_of(file, spec)});
    }
    start_ = column("start");
    end_ = column("end");
    device_ = column("device");
    stream_ = column("stream");
    thread_ = column("thread");
    correlation_ = column("correlation");
    name_ = column("name");
    if (name_ == nullptr) name_ = column("kind");
    for (const Column& one : columns_) {
      const bool is_time = one.spec.units == "ps" && one.spec.name != "waited";
      if (!is_time && &one != column("name")) arguments_.push_back(&one);
    }
  }

  void read() {
    for (std::size_t row = 0; row < start_->values.size(); ++row) add_row(row);
  }

 private:
  std::vector<std::string> texts_of(const Hdf5Reader& file, const ColumnSpec& spec) {
    if (spec.dictionary.empty()) return spec.flags;
    const std::string status = file.status();
    if (status != "running" && status != "failed") return file.dictionary(spec.dictionary);
    // A run that did not end leaves a file that may lack dictionaries.
    try {
      return file.dictionary(spec.dictionary);
    } catch (const ConfigError&) {
      timeline_.notes.push_back(
          fmt::format("{}/{}: the run did not end, codes stay numbers", table_.name, spec.name));
      return {};
    }
  }

  const Column* column(std::string_view name) const {
    for (const Column& one : columns_) {
      if (one.spec.name == name) return &one;
    }
    return nullptr;
  }

  [[noreturn]] void refuse(std::size_t row, const std::string& what) const {
    throw ConfigError({path_}, fmt::format("table {}, row {}: {}", table_.name, row, what));
  }

  const std::string& text(const Column& column, std::size_t row) const {
    const std::int64_t code = column.values[row];
    if (code < 0 || code >= static_cast<std::int64_t>(column.texts.size())) {
      refuse(row, fmt::format("{}: got the code {}, wanted 0 to {}", column.spec.name, code,
                              static_cast<std::int64_t>(column.texts.size()) - 1));
    }
    return column.texts[static_cast<std::size_t>(code)];
  }

  std::string name_of(std::size_t row) const {
    if (name_ == nullptr) return table_.name;
    if (name_->texts.empty()) return fmt::format("{} {}", table_.name, name_->values[row]);
    const std::string& name = text(*name_, row);
    return table_.name == "copies" ? copy_name(name) : name;
  }

  std::uint32_t track_of(std::size_t row) const {
    if (device_ != nullptr && stream_ != nullptr) {
      const TrackKey key{GroupKind::kGpu, device_->values[row], stream_->values[row]};
      if (tracks_.contains(key)) return tracks_.index(key);
      return tracks_.index(key, fmt::format("GPU {}", key.group),
                           fmt::format("stream {}", key.track));
    }
    if (thread_ != nullptr) {
      const TrackKey key{GroupKind::kHost, 0, thread_->values[row]};
      if (tracks_.contains(key)) return tracks_.index(key);
      const bool named = !thread_->texts.empty();
      return tracks_.index(key, "host",
                           named ? text(*thread_, row) : fmt::format("thread {}", key.track));
    }
    return tracks_.index({GroupKind::kTable, number_, 0}, table_.name, table_.name);
  }

  void add_arguments(std::size_t row, TimelineSlice& slice) {
    slice.first_argument = static_cast<std::uint32_t>(timeline_.arguments.size());
    slice.arguments = static_cast<std::uint16_t>(arguments_.size());
    for (const Column* one : arguments_) {
      const bool is_text = !one->texts.empty();
      const std::string key = one->spec.name == "waited" ? "waited_ps" : one->spec.name;
      const std::int64_t value = is_text ? timeline_.string(text(*one, row)) : one->values[row];
      timeline_.arguments.push_back({timeline_.string(key), is_text, value});
    }
  }

  void add_row(std::size_t row) {
    const std::int64_t start = start_->values[row];
    const std::int64_t end = end_->values[row];
    if (start < 0 || end < start) {
      refuse(row, fmt::format("starts at {} ps and ends at {} ps", start, end));
    }
    TimelineSlice slice;
    slice.start = Instant(start);
    slice.duration = Duration(end - start);
    slice.name = timeline_.string(name_of(row));
    slice.kind = kind_of_table(table_.name);
    if (timeline_.text(slice.name) == "Memset") slice.kind = SliceKind::kFill;
    slice.track = track_of(row);
    if (correlation_ != nullptr) {
      slice.correlation = static_cast<std::uint64_t>(correlation_->values[row]);
    }
    add_arguments(row, slice);
    timeline_.slices.push_back(slice);
  }

  const std::string& path_;
  TableSpec table_;
  std::int64_t number_;
  Timeline& timeline_;
  TrackTable& tracks_;
  std::vector<Column> columns_;
  std::vector<const Column*> arguments_;
  const Column* start_ = nullptr;
  const Column* end_ = nullptr;
  const Column* device_ = nullptr;
  const Column* stream_ = nullptr;
  const Column* thread_ = nullptr;
  const Column* correlation_ = nullptr;
  const Column* name_ = nullptr;
};

void read_counters(const Hdf5Reader& file, const TableSpec& table, Timeline& timeline) {
  const std::vector<std::int64_t> times = file.integers(table.name, "time");
  for (const ColumnSpec& column : table.columns) {
    if (is_integer(column)) continue;
    const std::vector<double> values = file.reals(table.name, column.name);
    TimelineCounter counter{0, column.name, column.units, {}};
    for (std::size_t row = 0; row < times.size(); ++row) {
      counter.samples.push_back({Instant(times[row]), values[row]});
    }
    if (!times.empty()) timeline.counters.push_back(std::move(counter));
  }
}

}  // namespace

Timeline read_timeline(const std::string& path) {
  const Hdf5Reader file(path);
  Timeline timeline;
  TrackTable tracks;
  std::vector<TimelineCounter> links;
  std::int64_t number = 0;
  for (const std::string& name : file.tables()) {
    TableSpec table = file.table(name);
    if (name == "links") {
      links = link_counters(file, path, timeline.notes);
    } else if (has_column(table, "start") && has_column(table, "end")) {
      TableReader(file, path, std::move(table), number++, timeline, tracks).read();
    } else if (has_column(table, "time")) {
      read_counters(file, table, timeline);
    }
  }
  if (timeline.slices.empty() && timeline.counters.empty() && links.empty()) {
    throw ConfigError({path}, "no table has rows with the columns start and end");
  }
  tracks.finish(timeline);
  if (timeline.groups.empty()) timeline.groups.push_back({"run", 0});  // nothing but counters
  add_link_counters(std::move(links), timeline);
  timeline.sort();
  return timeline;
}

}  // namespace septet
