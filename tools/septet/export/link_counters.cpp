#include "tools/septet/export/link_counters.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/base/interval_sum.hpp"

namespace septet::command {
namespace {

constexpr std::size_t kShown = 16;
constexpr std::int64_t kNetworkProcess = 300'000;  // behind those of track_table.cpp

struct LinkUses {
  std::int32_t link = 0;
  double busy = 0;  // picoseconds at full rate
  std::vector<ValuedInterval> intervals;
};

std::vector<LinkUses> busiest_first(std::span<const records::LinkRecord> rows) {
  std::map<std::int32_t, LinkUses> by_link;
  for (const records::LinkRecord& row : rows) {
    LinkUses& uses = by_link[row.link];
    uses.link = row.link;
    uses.busy += row.utilization * static_cast<double>((row.end - row.start).count());
    uses.intervals.push_back({row.start, row.end, row.utilization});
  }
  std::vector<LinkUses> out;
  for (auto& [link, uses] : by_link) out.push_back(std::move(uses));
  std::ranges::stable_sort(out, std::greater<>(), &LinkUses::busy);
  return out;
}

std::string name_of(std::int32_t link, const RunTables& run) {
  const auto names = run.dictionaries.find("link");
  const std::size_t known = names == run.dictionaries.end() ? 0 : names->second.size();
  if (link < 0 || static_cast<std::size_t>(link) >= known) {
    throw ConfigError(
        {run.source},
        fmt::format("table links: link: got the code {}, wanted one of {}", link, known));
  }
  return names->second[static_cast<std::size_t>(link)];
}

}  // namespace

std::vector<TimelineCounter> link_counters(std::span<const records::LinkRecord> rows,
                                           const RunTables& run, std::vector<std::string>& notes) {
  const std::vector<LinkUses> links = busiest_first(rows);
  std::vector<TimelineCounter> out;
  for (std::size_t l = 0; l < std::min(kShown, links.size()); ++l) {
    TimelineCounter& counter = out.emplace_back();
    counter.name = "link " + name_of(links[l].link, run);
    counter.unit = "utilization";
    for (const ValueStep& step : interval_sum(links[l].intervals)) {
      counter.samples.push_back({step.at, step.value});
    }
  }
  if (links.size() > kShown) {
    notes.push_back(fmt::format("links: showing the {} busiest of {}", kShown, links.size()));
  }
  return out;
}

void add_link_counters(std::vector<TimelineCounter> counters, Timeline& timeline) {
  if (counters.empty()) return;
  const auto group = static_cast<std::uint32_t>(timeline.groups.size());
  timeline.groups.push_back({"network", kNetworkProcess});
  for (TimelineCounter& counter : counters) {
    counter.group = group;
    timeline.counters.push_back(std::move(counter));
  }
}

}  // namespace septet::command
