#include "tools/septet/report/timeline_data.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/short_name.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kDeepest = 3;
constexpr std::size_t kLongestNames = 15;

struct Piece {
  std::int64_t begin = 0;  // ns
  std::int64_t end = 0;
  std::uint32_t name = 0;
  std::int64_t of_name = 0;  // ns of that name
  std::int64_t count = 1;

  std::int64_t length() const { return end - begin; }
};

struct Row {
  std::string group;
  std::string name;
  std::vector<Piece> pieces;
};

std::int64_t ns(Instant time) { return time.count() / 1000; }

// By track, and by depth where slices lie within others.
std::vector<Row> rows_of(const Timeline& timeline, Instant begin) {
  std::map<std::pair<std::uint32_t, std::size_t>, Row> rows;
  std::map<std::uint32_t, std::vector<Instant>> open;  // ends of the enclosing slices
  for (const TimelineSlice& slice : timeline.slices) {
    const TimelineTrack& track = timeline.tracks[slice.track];
    std::vector<Instant>& ends = open[slice.track];
    while (!ends.empty() && ends.back() <= slice.start) ends.pop_back();
    const std::size_t depth = track.nests ? ends.size() : 0;
    ends.push_back(slice.end());
    if (depth >= kDeepest) continue;
    Row& row = rows[{slice.track, depth}];
    row.group = timeline.groups[track.group].name;
    row.name = depth == 0 ? track.name : "";
    const std::int64_t start = ns(Instant(slice.start.count() - begin.count()));
    const std::int64_t length = slice.duration.count() / 1000;
    row.pieces.push_back({start, start + length, slice.name, length, 1});
  }
  std::vector<Row> out;
  for (auto& [key, row] : rows) out.push_back(std::move(row));
  std::ranges::stable_sort(out, {}, &Row::group);
  return out;
}

void join(Piece& into, const Piece& next) {
  if (next.of_name > into.of_name) {
    into.name = next.name;
    into.of_name = next.of_name;
  } else if (next.name == into.name) {
    into.of_name += next.of_name;
  }
  into.end = std::max(into.end, next.end);
  into.count += next.count;
}

std::vector<Piece> joined(const std::vector<Piece>& pieces, std::int64_t shorter_than) {
  std::vector<Piece> out;
  for (const Piece& piece : pieces) {
    const bool small = !out.empty() && piece.length() < shorter_than &&
                       out.back().length() < shorter_than &&
                       piece.begin - out.back().end < shorter_than;
    if (small) {
      join(out.back(), piece);
    } else {
      out.push_back(piece);
    }
  }
  return out;
}

std::size_t count_of(const std::vector<Row>& rows) {
  std::size_t out = 0;
  for (const Row& row : rows) out += row.pieces.size();
  return out;
}

// The time below which pieces were joined; 0 where none were.
std::int64_t shrink(std::vector<Row>& rows, std::size_t most, std::int64_t span) {
  std::int64_t shorter_than = 0;
  while (count_of(rows) > most) {
    shorter_than = std::max(2 * shorter_than, std::max<std::int64_t>(span / 1'000'000, 1));
    for (Row& row : rows) row.pieces = joined(row.pieces, shorter_than);
    if (shorter_than > span) break;
  }
  return shorter_than;
}

// Names by how much time they take.
class Names {
 public:
  explicit Names(const Timeline& timeline) : timeline_(timeline) {}

  std::uint32_t add(std::uint32_t name) {
    const auto [found, added] = numbers_.try_emplace(name, texts_.size());
    if (added) texts_.push_back(short_kernel_name(std::string(timeline_.text(name))));
    return found->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  const Timeline& timeline_;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;
  std::vector<std::string> texts_;
};

Json row_json(const Row& row, Names& names) {
  Json out = {{"group", row.group}, {"name", row.name}};
  for (const char* key : {"start", "length", "name_of", "count"}) out[key] = Json::array();
  std::int64_t before = 0;
  for (const Piece& piece : row.pieces) {
    out["start"].push_back(piece.begin - before);
    out["length"].push_back(piece.length());
    out["name_of"].push_back(names.add(piece.name));
    out["count"].push_back(piece.count);
    before = piece.begin;
  }
  return out;
}

ReportTable longest_names(const Timeline& timeline) {
  struct Total {
    std::int64_t count = 0;
    double us = 0;
  };
  std::map<std::string, Total> totals;
  for (const TimelineSlice& slice : timeline.slices) {
    Total& total = totals[short_kernel_name(std::string(timeline.text(slice.name)))];
    ++total.count;
    total.us += to_us(slice.duration);
  }
  std::vector<std::pair<std::string, Total>> order(totals.begin(), totals.end());
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [](const auto& one) { return one.second.us; });
  ReportTable out{{"name", "count", "total, us"}, {}};
  for (const auto& [name, total] : order) {
    if (out.rows.size() == kLongestNames) break;
    out.rows.push_back(
        {text_cell(name), number_cell(static_cast<double>(total.count)), number_cell(total.us)});
  }
  return out;
}

std::string finding_of(const Timeline& timeline, std::size_t rows, std::size_t all_rows,
                       std::int64_t joined_below) {
  std::string out = fmt::format("{} activities of streams and threads",
                                rounded(static_cast<double>(timeline.slices.size()), 9));
  if (rows < all_rows) out += fmt::format(", the first {} of {} rows", rows, all_rows);
  if (joined_below > 0) {
    out += fmt::format("; neighbours shorter than {} are drawn as one",
                       time_text(static_cast<double>(joined_below) / 1000));
  }
  return out;
}

}  // namespace

TimelineBlock timeline_block(const std::string& id, const Timeline& timeline,
                             const TimelineLimits& limits) {
  Instant begin = timeline.slices.front().start;
  Instant end = begin;
  for (const TimelineSlice& slice : timeline.slices) end = std::max(end, slice.end());
  std::vector<Row> rows = rows_of(timeline, begin);
  const std::size_t all_rows = rows.size();
  if (rows.size() > limits.tracks) rows.resize(limits.tracks);
  const std::int64_t span = std::max<std::int64_t>(1, (end - begin).count() / 1000);
  const std::int64_t joined_below = shrink(rows, limits.slices, span);
  Names names(timeline);
  Json json = {{"span", span}, {"tracks", Json::array()}};
  for (const Row& row : rows) json["tracks"].push_back(row_json(row, names));
  json["names"] = names.texts();
  return {id, finding_of(timeline, rows.size(), all_rows, joined_below),
          json.dump(-1, ' ', false, Json::error_handler_t::replace), longest_names(timeline)};
}

}  // namespace septet::command
