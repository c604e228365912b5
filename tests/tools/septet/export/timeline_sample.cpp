// Reads lines "track<TAB>kind<TAB>start<TAB>duration<TAB>correlation<TAB>name" (times in ps) from
// standard input and writes them to DIR in every timeline format. Tracks 0 and 1 are streams of a
// GPU, track 2 is a thread.
#include <iostream>
#include <sstream>
#include <string>

#include "tools/septet/export/writers.hpp"

namespace {

using septet::command::Timeline;

void add(Timeline& timeline, const std::string& line) {
  std::istringstream in(line);
  septet::command::TimelineSlice slice;
  int kind = 0;
  std::int64_t start = 0;
  std::int64_t duration = 0;
  std::string name;
  in >> slice.track >> kind >> start >> duration >> slice.correlation;
  in.get();
  std::getline(in, name);
  slice.kind = static_cast<septet::command::SliceKind>(kind);
  slice.start = septet::Instant(start);
  slice.duration = septet::Duration(duration);
  slice.name = timeline.string(name);
  slice.first_argument = static_cast<std::uint32_t>(timeline.arguments.size());
  slice.arguments = 2;
  const auto correlation = static_cast<std::int64_t>(slice.correlation);
  timeline.arguments.push_back({timeline.string("correlation"), false, correlation});
  timeline.arguments.push_back({timeline.string("cause"), true, timeline.string("a, \"b\"")});
  timeline.slices.push_back(slice);
}

template <class Writer>
void write(const Timeline& timeline, const std::string& path, Writer writer) {
  septet::files::OutputFile file(path);
  writer(timeline, file);
  file.finish();
}

}  // namespace

int main(int, char** words) {
  Timeline timeline;
  timeline.groups = {{"GPU 0", 0}, {"host", 1000}};
  timeline.tracks = {{0, 7, "stream 7", false}, {0, 8, "stream 8", false}, {1, 1, "main", true}};
  for (std::string line; std::getline(std::cin, line);) add(timeline, line);
  timeline.counters = {{0, "power", "W", {{septet::Instant(5'000), 350.5}}}};
  timeline.sort();
  const std::string folder = words[1];
  write(timeline, folder + "/sample.pftrace", septet::command::write_perfetto);
  write(timeline, folder + "/sample.json", septet::command::write_chrome);
  write(timeline, folder + "/sample.csv", septet::command::write_csv);
  return 0;
}
