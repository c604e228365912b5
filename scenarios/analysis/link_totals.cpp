#include "scenarios/analysis/link_totals.hpp"

#include <algorithm>

#include "core/base/interval_sum.hpp"
#include "models/network/rendezvous/collective_tables.hpp"

namespace septet {
namespace {

double peak_of(const std::vector<ValuedInterval>& uses) {
  double peak = 0;
  for (const ValueStep& step : interval_sum(uses)) peak = std::max(peak, step.value);
  return peak;
}

}  // namespace

std::vector<LinkTotal> link_totals(const MemorySink& sink, const SystemTrace& trace,
                                   Duration span) {
  const std::vector<TracedLink>& links = trace.traced_links.links;
  if (links.empty()) return {};
  const auto cell = [&](LinkColumn column, std::size_t row) {
    return sink.column(trace.links, static_cast<std::size_t>(column))[row];
  };
  std::vector<std::vector<ValuedInterval>> uses(links.size());
  std::vector<LinkTotal> out(links.size());
  for (std::size_t row = 0; row < sink.rows(trace.links); ++row) {
    const auto link = static_cast<std::size_t>(cell(LinkColumn::kLink, row).integer());
    out[link].bytes += Bytes(cell(LinkColumn::kBytes, row).integer());
    uses[link].push_back({Instant(cell(LinkColumn::kStart, row).integer()),
                          Instant(cell(LinkColumn::kEnd, row).integer()),
                          cell(LinkColumn::kUtilization, row).real()});
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

}  // namespace septet
