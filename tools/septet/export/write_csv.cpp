#include <algorithm>

#include <fmt/format.h>

#include "core/files/csv_field.hpp"
#include "tools/septet/export/decimal_time.hpp"
#include "tools/septet/export/writers.hpp"

namespace septet::command {
namespace {

constexpr std::string_view kFixedColumns = "group,track,category,name,start_us,duration_us";

// The keys of all arguments in order of first use.
std::vector<std::uint32_t> argument_keys(const Timeline& timeline) {
  std::vector<bool> seen(timeline.strings().size(), false);
  std::vector<std::uint32_t> out;
  for (const TimelineArgument& argument : timeline.arguments) {
    if (!seen[argument.key]) out.push_back(argument.key);
    seen[argument.key] = true;
  }
  return out;
}

std::string argument_field(const Timeline& timeline, const TimelineSlice& slice,
                           std::uint32_t key) {
  const auto first = timeline.arguments.begin() + slice.first_argument;
  const auto last = first + slice.arguments;
  const auto found = std::find_if(first, last, [key](const auto& one) { return one.key == key; });
  if (found == last) return {};
  if (!found->is_text) return std::to_string(found->value);
  return files::csv_field(timeline.text(static_cast<std::uint32_t>(found->value)));
}

std::string row(const Timeline& timeline, const TimelineSlice& slice,
                const std::vector<std::uint32_t>& keys) {
  const TimelineTrack& track = timeline.tracks[slice.track];
  std::string out = fmt::format(
      "{},{},{},{},{},{}", files::csv_field(timeline.groups[track.group].name),
      files::csv_field(track.name), category(slice.kind),
      files::csv_field(timeline.text(slice.name)), exact_microseconds(slice.start.count()),
      exact_microseconds(slice.duration.count()));
  for (const std::uint32_t key : keys) out += "," + argument_field(timeline, slice, key);
  return out + "\n";
}

}  // namespace

void write_csv(const Timeline& timeline, files::OutputFile& file) {
  const std::vector<std::uint32_t> keys = argument_keys(timeline);
  std::string header(kFixedColumns);
  for (const std::uint32_t key : keys) header += "," + files::csv_field(timeline.text(key));
  file.write(header + "\n");
  for (const TimelineSlice& slice : timeline.slices) file.write(row(timeline, slice, keys));
}

}  // namespace septet::command
