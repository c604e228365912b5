#include "tools/septet/study/run_report.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/units.hpp"
#include "tools/septet/table_printer.hpp"

namespace septet::command {
namespace {

double share(TotalTime part, TotalTime whole) {
  return whole > TotalTime() ? ratio(part, whole) : 0.0;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

std::string microseconds(TotalTime time) { return fmt::format("{:.1f}", to_us(time)); }

// The description of each category for users.
const char* meaning(analysis::TimeCategory category) {
  static constexpr const char* kMeanings[kEnumSize<analysis::TimeCategory>] = {
      "kernels run",
      "kernels other than collectives run",
      "collectives move data, no other kernel runs",
      "collectives wait for ranks, no other kernel runs",
      "only copies run",
      "GPU idle: the next kernel is being launched",
      "GPU idle: gap between dependent kernels",
      "GPU idle: the CPU does other work",
      "GPU idle: the CPU returns from a synchronisation",
      "GPU idle: the CPU is in other CUDA calls (initialisation, module loading, allocation)",
      "GPU idle: waits for something that is not in the recording",
      "no more GPU work"};
  return kMeanings[static_cast<std::size_t>(category)];
}

// Waiting for other ranks is not kernel work.
TotalTime kernel_time(const analysis::RunSummary& summary) {
  TotalTime sum;
  for (const analysis::KernelTotal& kernel : summary.kernels) sum += kernel.working();
  return sum;
}

// By kind of link.
std::array<Duration, kEnumSize<analysis::LinkKind>> path_times(
    const analysis::RunSummary& summary) {
  std::array<Duration, kEnumSize<analysis::LinkKind>> times{};
  for (const analysis::PathLink& link : summary.path) {
    times[static_cast<std::size_t>(link.kind)] += link.end - link.begin;
  }
  return times;
}

}  // namespace

std::string attribution_text(const analysis::Attribution& attribution, std::size_t columns) {
  TablePrinter table({{"where the time goes"},
                      {"us", Align::kRight},
                      {"share", Align::kRight},
                      {"", Align::kLeft, true}});
  for (const analysis::TimeCategory category : categories_of(attribution)) {
    table.add_row({std::string(text_of(category)), microseconds(attribution.mean(category)),
                   percent(share(attribution[category], attribution.total())), meaning(category)});
  }
  std::string out = table.text(columns);
  if (!attribution.collectives) return out;
  return out + fmt::format(
                   "(mean of {} traced GPU{}; collectives overlapped with compute move data for "
                   "{:.1f} us, {:.1f} %)\n",
                   attribution.gpus, attribution.gpus == 1 ? "" : "s",
                   to_us(attribution.hidden) / attribution.gpus,
                   100.0 * share(attribution.hidden, attribution.total()));
}

namespace {

std::string name_of(const analysis::UnrecordedWait& wait, const analysis::RunSummary& summary) {
  if (wait.is_kernel) return summary.kernel_names[static_cast<std::size_t>(wait.name)];
  return std::string(text_of(static_cast<records::CopyKind>(wait.name)));
}

analysis::UnrecordedWait total_of(const std::vector<analysis::UnrecordedWait>& waits) {
  analysis::UnrecordedWait total;
  for (const analysis::UnrecordedWait& wait : waits) {
    total.count += wait.count;
    total.time += wait.time;
  }
  return total;
}

}  // namespace

std::string unrecorded_text(const analysis::RunSummary& summary, std::size_t most,
                            std::size_t columns) {
  if (summary.unrecorded.empty()) return "";
  TablePrinter table({{"waited for something that is not in the recording", Align::kLeft, true},
                      {"count", Align::kRight},
                      {"us", Align::kRight}});
  for (std::size_t w = 0; w < std::min(most, summary.unrecorded.size()); ++w) {
    const analysis::UnrecordedWait& wait = summary.unrecorded[w];
    table.add_row({name_of(wait, summary), std::to_string(wait.count), microseconds(wait.time)});
  }
  const analysis::UnrecordedWait total = total_of(summary.unrecorded);
  if (summary.unrecorded.size() > 1) {
    table.add_row({"all", std::to_string(total.count), microseconds(total.time)});
  }
  return table.text(columns);
}

nlohmann::ordered_json unrecorded_json(const analysis::RunSummary& summary, std::size_t most) {
  const analysis::UnrecordedWait total = total_of(summary.unrecorded);
  nlohmann::ordered_json out = {{"count", total.count},
                                {"time_us", to_us(total.time)},
                                {"before", nlohmann::ordered_json::array()}};
  for (std::size_t w = 0; w < std::min(most, summary.unrecorded.size()); ++w) {
    const analysis::UnrecordedWait& wait = summary.unrecorded[w];
    out["before"].push_back(
        {{"name", name_of(wait, summary)}, {"count", wait.count}, {"time_us", to_us(wait.time)}});
  }
  return out;
}

std::string kernels_text(const analysis::RunSummary& summary, std::size_t most,
                         std::size_t columns) {
  const bool collectives = summary.attribution.collectives;
  std::vector<TableColumn> titles = {{"top kernels", Align::kLeft, true},
                                     {"count", Align::kRight},
                                     {"us", Align::kRight},
                                     {"share", Align::kRight}};
  if (collectives) titles.push_back({"waiting us", Align::kRight});
  TablePrinter table(titles);
  const TotalTime whole = kernel_time(summary);
  for (std::size_t k = 0; k < std::min(most, summary.kernels.size()); ++k) {
    const analysis::KernelTotal& kernel = summary.kernels[k];
    std::vector<std::string> cells = {summary.kernel_names[static_cast<std::size_t>(kernel.name)],
                                      std::to_string(kernel.count), microseconds(kernel.working()),
                                      percent(share(kernel.working(), whole))};
    if (collectives) cells.push_back(kernel.collective ? microseconds(kernel.waiting) : "");
    table.add_row(cells);
  }
  return table.text(columns);
}

std::string links_text(const analysis::RunSummary& summary, std::size_t most, std::size_t columns) {
  TablePrinter table({{"busiest links", Align::kLeft, true},
                      {"MB each", Align::kRight},
                      {"mean", Align::kRight},
                      {"peak", Align::kRight}});
  for (std::size_t l = 0; l < std::min(most, summary.links.size()); ++l) {
    const analysis::LinkTotal& link = summary.links[l];
    table.add_row({link.name, fmt::format("{:.1f}", static_cast<double>(link.bytes.count()) / 1e6),
                   percent(link.mean), percent(link.peak)});
  }
  return table.text(columns);
}

std::string path_text(const analysis::RunSummary& summary, std::size_t columns) {
  TablePrinter table({{"critical path"}, {"us", Align::kRight}, {"share", Align::kRight}});
  const auto times = path_times(summary);
  for (const analysis::LinkKind kind : values_of<analysis::LinkKind>()) {
    const Duration time = times[static_cast<std::size_t>(kind)];
    if (time == Duration(0)) continue;
    table.add_row(
        {std::string(text_of(kind)), microseconds(time), percent(share(time, summary.span))});
  }
  return table.text(columns);
}

nlohmann::ordered_json attribution_json(const analysis::Attribution& attribution) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const analysis::TimeCategory category : categories_of(attribution)) {
    out[text_of(category)] = {{"time_us", to_us(attribution.mean(category))},
                              {"share", share(attribution[category], attribution.total())}};
  }
  return out;
}

nlohmann::ordered_json kernels_json(const analysis::RunSummary& summary, std::size_t most) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  const TotalTime whole = kernel_time(summary);
  for (std::size_t k = 0; k < std::min(most, summary.kernels.size()); ++k) {
    const analysis::KernelTotal& kernel = summary.kernels[k];
    out.push_back({{"name", summary.kernel_names[static_cast<std::size_t>(kernel.name)]},
                   {"count", kernel.count},
                   {"time_us", to_us(kernel.working())},
                   {"share", share(kernel.working(), whole)}});
    if (kernel.collective) out.back()["waiting_us"] = to_us(kernel.waiting);
  }
  return out;
}

nlohmann::ordered_json links_json(const analysis::RunSummary& summary, std::size_t most) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (std::size_t l = 0; l < std::min(most, summary.links.size()); ++l) {
    const analysis::LinkTotal& link = summary.links[l];
    out.push_back({{"name", link.name},
                   {"links", link.links},
                   {"bytes", link.bytes.count()},
                   {"mean_utilization", link.mean},
                   {"peak_utilization", link.peak}});
  }
  return out;
}

nlohmann::ordered_json path_json(const analysis::RunSummary& summary) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  const auto times = path_times(summary);
  for (const analysis::LinkKind kind : values_of<analysis::LinkKind>()) {
    const Duration time = times[static_cast<std::size_t>(kind)];
    const bool of_collectives =
        kind == analysis::LinkKind::kCommunication || kind == analysis::LinkKind::kWaitingForRanks;
    if (of_collectives && !summary.attribution.collectives) continue;
    out[text_of(kind)] = {{"time_us", to_us(time)}, {"share", share(time, summary.span)}};
  }
  return out;
}

nlohmann::ordered_json bottleneck_json(const analysis::RunSummary& summary) {
  const analysis::RunBottleneck& limit = summary.bottleneck;
  nlohmann::ordered_json out = {
      {"kind", text_of(limit.kind)}, {"share", limit.share}, {"kernel", nullptr}};
  if (limit.kernel >= 0) {
    out["kernel"] = summary.kernel_names[static_cast<std::size_t>(limit.kernel)];
    out["kernel_share"] = limit.kernel_share;
  }
  return out;
}

std::string unfinished_text(const system::Unfinished& unfinished) {
  if (!unfinished.any()) return "";
  return fmt::format(
      "stopped at run.end: {} of {} launches have not completed, {} calls have not returned; "
      "unfinished work counts as idle",
      unfinished.launches, unfinished.all_launches, unfinished.calls);
}

nlohmann::ordered_json unfinished_json(const system::Unfinished& unfinished) {
  return {{"launches", unfinished.launches},
          {"of_launches", unfinished.all_launches},
          {"calls", unfinished.calls}};
}

std::string hex(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

}  // namespace septet::command
