#include "tools/septet/export/timeline_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/trace/table_rows.hpp"
#include "models/records/gpu_records.hpp"
#include "models/records/link_records.hpp"
#include "models/records/run_tables.hpp"
#include "tools/septet/export/link_counters.hpp"
#include "tools/septet/export/track_table.hpp"

namespace septet::command {
namespace {

using Texts = std::vector<std::string>;

// A column of whole numbers, and what its codes stand for where they are codes.
struct Column {
  const trace::ColumnSpec* spec = nullptr;
  const Texts* texts = nullptr;  // null: plain numbers
};

bool is_integer(const trace::ColumnSpec& spec) {
  return spec.type != trace::ColumnType::kFloat64 && spec.type != trace::ColumnType::kFloat32;
}

bool has_column(const trace::TableSpec& table, std::string_view name) {
  const auto is_it = [&](const trace::ColumnSpec& one) {
    return one.name == name && is_integer(one);
  };
  return std::ranges::any_of(table.columns, is_it);
}

// Copies have the names that the PyTorch profiler gives them, so that an exported recording reads
// like one.
const Texts& copy_names() {
  static const Texts kNames = [] {
    Texts names;
    for (const records::CopyKind kind : values_of<records::CopyKind>())
      names.emplace_back(profiler_name(kind));
    return names;
  }();
  return kNames;
}

SliceKind kind_of_table(const std::string& table) {
  if (table == "kernels") return SliceKind::kKernel;
  if (table == "copies") return SliceKind::kCopy;
  return table == "api_calls" ? SliceKind::kCall : SliceKind::kOther;
}

// The rows of one table on their way into the timeline.
class TableReader {
 public:
  TableReader(const RunTables& run, const trace::TableRows& table, std::int64_t number,
              Timeline& timeline, TrackTable& tracks)
      : source_(run.source), table_(table), number_(number), timeline_(timeline), tracks_(tracks) {
    for (const trace::ColumnSpec& spec : table.spec.columns) {
      if (is_integer(spec)) columns_.push_back({&spec, texts_of(run, spec)});
    }
    start_ = column("start");
    end_ = column("end");
    device_ = column("device");
    stream_ = column("stream");
    thread_ = column("thread");
    correlation_ = column("correlation");
    name_ = name_column();
    for (const Column& one : columns_) {
      const bool is_time = one.spec->units == "ps" && one.spec->name != "waited";
      if (!is_time && one.spec->name != "name") arguments_.push_back(&one);
    }
  }

  void read() {
    for (std::size_t row = 0; row < table_.size(); ++row) add_row(row);
  }

 private:
  const Column* name_column() {
    if (const Column* name = column("name")) return name;
    const Column* kind = column("kind");
    if (kind == nullptr || table_.spec.name != trace::table_of<records::CopyRecord>().name)
      return kind;
    copy_kind_ = {kind->spec, &copy_names()};
    return &copy_kind_;
  }

  const Texts* texts_of(const RunTables& run, const trace::ColumnSpec& spec) {
    if (!spec.flags.empty()) return &spec.flags;
    if (spec.dictionary.empty()) return nullptr;
    const auto found = run.dictionaries.find(spec.dictionary);
    if (found != run.dictionaries.end()) return &found->second;
    timeline_.notes.push_back(fmt::format(
        "{}/{}: the run did not finish, codes are shown as numbers", table_.spec.name, spec.name));
    return nullptr;
  }

  const Column* column(std::string_view name) const {
    for (const Column& one : columns_) {
      if (one.spec->name == name) return &one;
    }
    return nullptr;
  }

  [[noreturn]] void refuse(std::size_t row, const std::string& what) const {
    throw ConfigError({source_}, fmt::format("table {}, row {}: {}", table_.spec.name, row, what));
  }

  std::int64_t value(const Column& column, std::size_t row) const {
    return table_.integer(*column.spec, row);
  }

  const std::string& text(const Column& column, std::size_t row) const {
    const std::int64_t code = value(column, row);
    if (code < 0 || code >= static_cast<std::int64_t>(column.texts->size())) {
      refuse(row, fmt::format("{}: got the code {}, wanted 0 to {}", column.spec->name, code,
                              static_cast<std::int64_t>(column.texts->size()) - 1));
    }
    return (*column.texts)[static_cast<std::size_t>(code)];
  }

  std::string name_of(std::size_t row) const {
    if (name_ == nullptr) return table_.spec.name;
    if (name_->texts != nullptr) return text(*name_, row);
    return fmt::format("{} {}", table_.spec.name, value(*name_, row));
  }

  std::uint32_t track_of(std::size_t row) const {
    if (device_ != nullptr && stream_ != nullptr) {
      const TrackKey key{GroupKind::kGpu, value(*device_, row), value(*stream_, row)};
      if (tracks_.contains(key)) return tracks_.index(key);
      return tracks_.index(key, fmt::format("GPU {}", key.group),
                           fmt::format("stream {}", key.track));
    }
    if (thread_ != nullptr) {
      const TrackKey key{GroupKind::kHost, 0, value(*thread_, row)};
      if (tracks_.contains(key)) return tracks_.index(key);
      const bool named = thread_->texts != nullptr;
      return tracks_.index(key, "host",
                           named ? text(*thread_, row) : fmt::format("thread {}", key.track));
    }
    return tracks_.index({GroupKind::kTable, number_, 0}, table_.spec.name, table_.spec.name);
  }

  void add_arguments(std::size_t row, TimelineSlice& slice) {
    slice.first_argument = static_cast<std::uint32_t>(timeline_.arguments.size());
    slice.arguments = static_cast<std::uint16_t>(arguments_.size());
    for (const Column* one : arguments_) {
      const bool is_text = one->texts != nullptr;
      const std::string key = one->spec->name == "waited" ? "waited_ps" : one->spec->name;
      const std::int64_t what = is_text ? timeline_.string(text(*one, row)) : value(*one, row);
      timeline_.arguments.push_back({timeline_.string(key), is_text, what});
    }
  }

  void add_row(std::size_t row) {
    const std::int64_t start = value(*start_, row);
    const std::int64_t end = value(*end_, row);
    if (start < 0 || end < start) {
      refuse(row, fmt::format("starts at {} ps and ends at {} ps", start, end));
    }
    TimelineSlice slice;
    slice.start = Instant(start);
    slice.duration = Duration(end - start);
    slice.name = timeline_.string(name_of(row));
    slice.kind = kind_of_table(table_.spec.name);
    if (timeline_.text(slice.name) == profiler_name(records::CopyKind::kMemset))
      slice.kind = SliceKind::kMemset;
    slice.track = track_of(row);
    if (correlation_ != nullptr) {
      slice.correlation = static_cast<std::uint64_t>(value(*correlation_, row));
    }
    add_arguments(row, slice);
    timeline_.slices.push_back(slice);
  }

  const std::string& source_;
  const trace::TableRows& table_;
  std::int64_t number_;
  Timeline& timeline_;
  TrackTable& tracks_;
  std::vector<Column> columns_;
  std::vector<const Column*> arguments_;
  Column copy_kind_;
  const Column* start_ = nullptr;
  const Column* end_ = nullptr;
  const Column* device_ = nullptr;
  const Column* stream_ = nullptr;
  const Column* thread_ = nullptr;
  const Column* correlation_ = nullptr;
  const Column* name_ = nullptr;
};

void add_counters(const trace::TableRows& table, Timeline& timeline) {
  const auto time = std::ranges::find(table.spec.columns, "time", &trace::ColumnSpec::name);
  for (const trace::ColumnSpec& column : table.spec.columns) {
    if (is_integer(column) || table.size() == 0) continue;
    TimelineCounter& counter = timeline.counters.emplace_back();
    counter.name = column.name;
    counter.unit = column.units;
    for (std::size_t row = 0; row < table.size(); ++row) {
      counter.samples.push_back({Instant(table.integer(*time, row)), table.real(column, row)});
    }
  }
}

// The table as its record declares it; as the file does where no record is known.
trace::TableSpec spec_of(const trace::Hdf5Reader& file, const std::string& name) {
  const auto known = std::ranges::find(records::run_tables(), name, &trace::TableSpec::name);
  return known != records::run_tables().end() ? *known : file.table(name);
}

// The file of a run that did not end may lack dictionaries.
void add_dictionaries(const trace::Hdf5Reader& file, const trace::TableSpec& table, bool ended,
                      Dictionaries& dictionaries) {
  for (const trace::ColumnSpec& column : table.columns) {
    const std::string& name = column.dictionary;
    if (name.empty() || dictionaries.contains(name)) continue;
    if (ended || file.dictionary_size(name)) dictionaries[name] = file.dictionary(name);
  }
}

}  // namespace

Timeline timeline_of(const RunTables& run) {
  Timeline timeline;
  TrackTable tracks;
  std::vector<TimelineCounter> links;
  std::int64_t number = 0;
  for (const trace::TableRows& table : run.tables) {
    if (table.size() == 0) continue;
    if (table.spec.name == trace::table_of<records::LinkRecord>().name) {
      links = link_counters(table.as<records::LinkRecord>(), run, timeline.notes);
    } else if (has_column(table.spec, "start") && has_column(table.spec, "end")) {
      TableReader(run, table, number++, timeline, tracks).read();
    } else if (has_column(table.spec, "time")) {
      add_counters(table, timeline);
    }
  }
  tracks.finish(timeline);
  if (timeline.groups.empty()) timeline.groups.push_back({"run", 0});  // nothing but counters
  add_link_counters(std::move(links), timeline);
  timeline.sort();
  return timeline;
}

Timeline read_timeline(const std::string& path) {
  const trace::Hdf5Reader file(path);
  const std::string status = file.status();
  const bool ended = status != "running" && status != "failed";
  std::vector<trace::TableRows> tables;
  Dictionaries dictionaries;
  for (const std::string& name : file.tables()) {
    tables.push_back(read_rows(file, spec_of(file, name)));
    if (tables.back().size() == 0) continue;
    add_dictionaries(file, tables.back().spec, ended, dictionaries);
  }
  Timeline timeline = timeline_of({path, tables, std::move(dictionaries)});
  if (timeline.slices.empty() && timeline.counters.empty()) {
    throw ConfigError({path}, "no table has rows with the columns start and end");
  }
  return timeline;
}

}  // namespace septet::command
