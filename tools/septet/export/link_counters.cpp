#include "tools/septet/export/link_counters.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/base/interval_sum.hpp"

namespace septet {
namespace {

constexpr std::size_t kShown = 16;
constexpr std::int64_t kNetworkProcess = 300'000;  // behind those of track_table.cpp

struct LinkUses {
  std::int64_t link = 0;
  double busy = 0;  // picoseconds at full rate
  std::vector<ValuedInterval> intervals;
};

std::vector<LinkUses> busiest_first(const Hdf5Reader& file) {
  const std::vector<std::int64_t> starts = file.integers("links", "start");
  const std::vector<std::int64_t> ends = file.integers("links", "end");
  const std::vector<std::int64_t> links = file.integers("links", "link");
  const std::vector<double> shares = file.reals("links", "utilization");
  std::map<std::int64_t, LinkUses> by_link;
  for (std::size_t row = 0; row < links.size(); ++row) {
    LinkUses& uses = by_link[links[row]];
    uses.link = links[row];
    uses.busy += shares[row] * static_cast<double>(ends[row] - starts[row]);
    uses.intervals.push_back({Instant(starts[row]), Instant(ends[row]), shares[row]});
  }
  std::vector<LinkUses> out;
  for (auto& [link, uses] : by_link) out.push_back(std::move(uses));
  std::ranges::stable_sort(out, std::greater<>(), &LinkUses::busy);
  return out;
}

const std::string& name_of(std::int64_t link, const std::vector<std::string>& names,
                           const std::string& path) {
  if (link < 0 || link >= static_cast<std::int64_t>(names.size())) {
    throw ConfigError({path}, fmt::format("table links: link: got the code {}, wanted 0 to {}",
                                          link, static_cast<std::int64_t>(names.size()) - 1));
  }
  return names[static_cast<std::size_t>(link)];
}

}  // namespace

std::vector<TimelineCounter> link_counters(const Hdf5Reader& file, const std::string& path,
                                           std::vector<std::string>& notes) {
  if (file.rows("links") == 0) return {};
  const std::vector<LinkUses> links = busiest_first(file);
  const std::vector<std::string> names = file.dictionary("link");
  std::vector<TimelineCounter> out;
  for (std::size_t l = 0; l < std::min(kShown, links.size()); ++l) {
    TimelineCounter& counter = out.emplace_back();
    counter.name = "link " + name_of(links[l].link, names, path);
    counter.unit = "utilization";
    for (const ValueStep& step : interval_sum(links[l].intervals)) {
      counter.samples.push_back({step.at, step.value});
    }
  }
  if (links.size() > kShown) {
    notes.push_back(fmt::format("links: the {} busiest of {} are shown", kShown, links.size()));
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

}  // namespace septet
