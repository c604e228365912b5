#include "scenarios/analysis/link_totals.hpp"

#include <algorithm>

#include "core/base/interval_sum.hpp"

namespace septet::analysis {
namespace {

double peak_of(const std::vector<ValuedInterval>& uses) {
  double peak = 0;
  for (const ValueStep& step : interval_sum(uses)) peak = std::max(peak, step.value);
  return peak;
}

}  // namespace

std::vector<LinkTotal> link_totals(std::span<const records::LinkRecord> rows,
                                   const std::vector<network::TracedLink>& links, Duration span) {
  std::vector<std::vector<ValuedInterval>> uses(links.size());
  std::vector<LinkTotal> out(links.size());
  for (const records::LinkRecord& row : rows) {
    const auto link = static_cast<std::size_t>(row.link);
    out[link].bytes += row.bytes;
    uses[link].push_back({row.start, row.end, row.utilization});
  }
  for (std::size_t link = 0; link < links.size(); ++link) {
    LinkTotal& total = out[link];
    total.name = links[link].name;
    total.links = links[link].ends.size();
    total.peak = peak_of(uses[link]);
    const double most = links[link].rate.count() * to_seconds(span);
    total.mean = most > 0 ? static_cast<double>(total.bytes.count()) / most : 0;
  }
  std::ranges::sort(out, [](const LinkTotal& a, const LinkTotal& b) {
    return a.mean != b.mean ? a.mean > b.mean : a.name < b.name;
  });
  return out;
}

}  // namespace septet::analysis
