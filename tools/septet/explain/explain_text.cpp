#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/septet/explain/explain_output.hpp"
#include "tools/septet/table_printer.hpp"
#include "tools/septet/text_width.hpp"

namespace septet::command {
namespace {

constexpr std::size_t kWidestBar = 40;
constexpr std::size_t kBesideBar = 46;  // columns that the rest of the stage table takes

std::string percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

std::string profiled_sentence(const explain::Profiled& p) {
  std::string out = fmt::format("{:.2f} us as measured by the profiler", to_us(p.predicted));
  if (!p.measured || *p.measured <= Duration(0)) return out;
  return fmt::format("{}; measured {:.2f} us, prediction {:+.1f} %", out, to_us(*p.measured),
                     100.0 * (ratio(p.predicted, *p.measured) - 1.0));
}

std::string heading(const explain::Explanation& e, std::size_t columns) {
  const std::string launch =
      fmt::format("{} on {}: {}", printable(e.title), e.gpu, printable(e.launch));
  const std::string time = fmt::format(
      "{:.2f} us from the launch call to the end of the last block, of which {:.2f} us in the "
      "kernel",
      to_us(e.stages.total()), to_us(e.metrics.kernel_time));
  std::string out = wrapped(launch, 2, columns) + wrapped(time, 2, columns);
  if (e.profiled) out += wrapped(profiled_sentence(*e.profiled), 2, columns);
  return out;
}

// The lines of the table, that of the longest stage in colour.
std::string highlighted(const std::string& table, std::size_t row) {
  constexpr std::size_t kTitleLines = 2;
  std::string out;
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < table.size(); ++line) {
    const std::size_t end = table.find('\n', begin);
    const std::string text = table.substr(begin, end - begin);
    out += line == row + kTitleLines ? "\x1b[1m" + text + "\x1b[0m\n" : text + "\n";
    begin = end + 1;
  }
  return out;
}

std::string stage_table(const explain::StageTimes& stages, std::size_t columns, bool color) {
  TablePrinter table({{"stage"}, {"time", Align::kRight}, {"share", Align::kRight}, {""}});
  const std::size_t room = columns > kBesideBar ? columns - kBesideBar : 0;
  const auto widest = static_cast<double>(std::min(kWidestBar, room));
  std::size_t longest = 0;
  for (std::size_t i = 0; i < kEnumSize<explain::Stage>; ++i) {
    if (stages.of[i] > stages.of[longest]) longest = i;
    const double share = ratio(stages.of[i], stages.total());
    table.add_row({fmt::format("{} {}", i + 1, text_of(static_cast<explain::Stage>(i))),
                   fmt::format("{:.3f} us", to_us(stages.of[i])), percent(share),
                   std::string(static_cast<std::size_t>(std::lround(share * widest)), '#')});
  }
  const std::string text = table.text(columns);
  return color ? highlighted(text, longest) : text;
}

std::string limiter_words(const gpu::KernelTime& time) {
  switch (time.limiter) {
    case gpu::Bottleneck::kDispatch:
      return "blocks are scheduled more slowly than they end";
    case gpu::Bottleneck::kFetch:
      return "instructions are fetched more slowly than they issue";
    case gpu::Bottleneck::kIssue:
      return "the issue slots are saturated";
    case gpu::Bottleneck::kPipe:
      return fmt::format("the {} pipe is saturated", text_of(time.pipe));
    case gpu::Bottleneck::kDependency:
      return "warps wait for their own instructions, and too few others are available";
    case gpu::Bottleneck::kSharedMemory:
      return "shared memory is saturated: wavefronts, including bank conflicts";
    case gpu::Bottleneck::kL1:
      return "the L1 cache is saturated";
    case gpu::Bottleneck::kSmPort:
      return "the SM's port to the L2 cache is saturated";
    case gpu::Bottleneck::kL2:
      return "the L2 cache is saturated";
    case gpu::Bottleneck::kDram:
      return "device memory is saturated";
    case gpu::Bottleneck::kMemoryLatency:
      return "warps wait for memory, with too few requests in flight";
  }
  return "";
}

std::string limiter_sentence(const explain::Explanation& e, std::size_t columns) {
  const explain::Stalls& stalls = e.metrics.stalls;
  const explain::BoundShares& shares = e.metrics.shares;
  const std::string limiter =
      fmt::format("{}-bound, limited by {}: {}", text_of(e.metrics.bound), text_of(e.time.limiter),
                  e.most_sensitive_to.empty() ? limiter_words(e.time)
                                              : "most sensitive to " + e.most_sensitive_to);
  const std::string bound =
      fmt::format("time depends on bandwidth {}, arithmetic {}, latency {}", percent(shares.memory),
                  percent(shares.compute), percent(shares.latency));
  const std::string why = fmt::format(
      "stalls, as a fraction of the kernel's time: memory {}, synchronisation {}, instruction "
      "dependency {}, busy pipes {}, fetch {}",
      percent(stalls.memory), percent(stalls.synchronisation), percent(stalls.dependency),
      percent(stalls.pipe), percent(stalls.fetch));
  std::string out =
      wrapped(limiter, 2, columns) + wrapped(bound, 2, columns) + wrapped(why, 2, columns);
  if (e.stages[explain::Stage::kSubmission] > e.metrics.kernel_time) {
    out += wrapped(
        "launching the kernel takes longer than running it: queue launches ahead or use a CUDA "
        "graph",
        2, columns);
  }
  return out;
}

void add_warps(const explain::WarpMetrics& w, double waves, TablePrinter& table) {
  table.add_row(
      {"theoretical occupancy", percent(w.theoretical_occupancy),
       fmt::format("limited by {}; {} blocks on an SM", text_of(w.limiter), w.blocks_per_sm)});
  table.add_row({"achieved occupancy", percent(w.achieved_occupancy),
                 fmt::format("{:.1f} warps per scheduler", w.active)});
  table.add_row({"waves", fmt::format("{:.2f}", waves), "grid size over resident blocks"});
  table.add_row({"issue slots", percent(w.issue_slots), "in use"});
  table.add_row(
      {"eligible warps", fmt::format("{:.2f}", w.eligible),
       fmt::format("per scheduler; a warp is eligible but not selected for {} of its time",
                   percent(w.not_selected))});
}

std::string metrics_table(const explain::Explanation& e, std::size_t columns) {
  const explain::KernelMetrics& m = e.metrics;
  TablePrinter table({{"metric"}, {"value", Align::kRight}, {"", Align::kLeft, true}});
  if (m.warps) add_warps(*m.warps, m.waves, table);
  table.add_row(
      {"memory throughput", percent(m.memory_throughput), "the largest of the following"});
  table.add_row({"  DRAM", percent(m.dram),
                 fmt::format("{:.1f} GB/s; 100 %: as busy as with streaming reads of {:.0f} GB/s",
                             m.dram_bytes_per_second / 1e9, e.ceilings.dram / 1e9)});
  table.add_row({"  L2", percent(m.l2), fmt::format("{} hits", percent(m.l2_hit))});
  if (m.warps) {
    table.add_row({"  L1", percent(m.warps->l1), fmt::format("{} hits", percent(m.warps->l1_hit))});
    table.add_row({"  SM port", percent(m.warps->sm_port), "from the L2 cache"});
  }
  table.add_row({"arithmetic", fmt::format("{:.4g} G/s", m.arithmetic.per_second / 1e9),
                 fmt::format("operations; {:.3g} per byte of DRAM", m.arithmetic.intensity)});
  if (e.clock) {
    table.add_row({"clock", fmt::format("{:.0f} MHz", e.clock->count() / 1e6),
                   "clock under the power of this load"});
  }
  return table.text(columns);
}

std::string advice_text(const explain::Explanation& e, std::size_t columns) {
  if (e.advice.empty()) return "no applicable change gains more than 1 %\n";
  std::string out = "advice, each change simulated on its own:\n";
  for (const explain::Advice& one : e.advice) {
    constexpr std::size_t kIndent = 4;
    out += wrapped(
        fmt::format("{:.2f}x, {:.2f} us: {}", one.speedup, to_us(one.time), one.change.text),
        kIndent, columns);
  }
  return out;
}

}  // namespace

std::string explain_text(const explain::Explanation& explanation, std::size_t columns, bool color) {
  return heading(explanation, columns) + "\n" + stage_table(explanation.stages, columns, color) +
         "\n" + limiter_sentence(explanation, columns) + "\n" +
         metrics_table(explanation, columns) + "\n" + advice_text(explanation, columns);
}

}  // namespace septet::command
