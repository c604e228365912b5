#include "tools/septet/study/what_if_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/short_name.hpp"
#include "tools/septet/table_printer.hpp"

namespace septet::command {
namespace {

const char* words_for(analysis::LinkKind kind) {
  static constexpr const char* kWords[kEnumSize<analysis::LinkKind>] = {
      "kernels",
      "copies",
      "launch latency",
      "gaps between kernels",
      "SM resources",
      "CUDA calls",
      "CPU work",
      "synchronisations",
      "communication",
      "waiting for ranks",
      "waits for something unrecorded"};
  return kWords[static_cast<std::size_t>(kind)];
}

// What of the table any run has.
struct Shown {
  bool collectives = false;
  bool training = false;
  bool unprofiled = false;
};

Shown shown_of(const study::StudyResult& result) {
  Shown out{result.baseline.summary.attribution.collectives, result.baseline.training.has_value(),
            result.baseline.unprofiled.has_value()};
  for (const study::Outcome& one : result.what_ifs) {
    out.collectives = out.collectives || one.summary.attribution.collectives;
    out.training = out.training || one.training.has_value();
  }
  return out;
}

std::vector<std::string> cells_of(const study::Outcome& one, const std::string& name,
                                  const Shown& shown) {
  const bool training = shown.training;
  if (!one.failure.empty()) {
    std::vector<std::string> none = {name, "-", "-", "-", "failed: " + one.failure};
    const std::size_t more = (training ? 1 : 0) + (shown.unprofiled ? 2 : 0);
    none.insert(none.begin() + 3, more, "-");
    return none;
  }
  const analysis::RunSummary& run = one.summary;
  const double busy = run.span > Duration(0) ? ratio(run.attribution.busy(), run.span) : 0.0;
  std::vector<std::string> cells = {name, fmt::format("{:.1f}", to_us(run.span)),
                                    fmt::format("{:.2f}x", one.speedup)};
  if (shown.unprofiled) {
    cells.push_back(one.unprofiled ? fmt::format("{:.1f}", to_us(*one.unprofiled)) : "-");
    cells.push_back(fmt::format("{:.2f}x", one.unprofiled_speedup));
  }
  if (training) {
    cells.push_back(one.training ? fmt::format("{:.0f}", one.training->tokens_per_second) : "-");
  }
  cells.push_back(fmt::format("{:.1f} %", 100.0 * busy));
  cells.push_back(limit_text(run));
  return cells;
}

}  // namespace

std::string limit_text(const analysis::RunSummary& summary) {
  const analysis::RunBottleneck& limit = summary.bottleneck;
  if (limit.share <= 0) return "idle";
  std::string share = fmt::format("{} {:.0f} %", words_for(limit.kind), 100.0 * limit.share);
  if (limit.kernel < 0) return share;
  const std::string& kernel = summary.kernel_names[static_cast<std::size_t>(limit.kernel)];
  return fmt::format("{} ({} {:.0f} %)", share, short_kernel_name(kernel),
                     100.0 * limit.kernel_share);
}

std::string what_if_table(const study::StudyResult& result, const std::string& as_it_is,
                          std::size_t columns) {
  const Shown shown = shown_of(result);
  std::vector<TableColumn> titles = {
      {"what if", Align::kLeft, true}, {"us", Align::kRight}, {"speed-up", Align::kRight}};
  if (shown.unprofiled) {
    titles.push_back({"us without profiler", Align::kRight});
    titles.push_back({"speed-up", Align::kRight});
  }
  if (shown.training) titles.push_back({"tokens/s", Align::kRight});
  titles.push_back({shown.collectives ? "compute" : "GPU busy", Align::kRight});
  titles.push_back({"limited by", Align::kLeft, true});
  TablePrinter table(titles);
  table.add_row(cells_of(result.baseline, as_it_is, shown));
  for (const study::Outcome& one : result.what_ifs) {
    table.add_row(cells_of(one, one.name, shown));
  }
  return table.text(columns);
}

}  // namespace septet::command
