#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "tools/septet/occupancy/occupancy_output.hpp"
#include "tools/septet/table_printer.hpp"

namespace septet::command {
namespace {

constexpr double kBarCells = 32.0;  // of a full bar in the curve

std::string percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

std::string dimensions(const program::Dim3& d) {
  if (d.y == 1 && d.z == 1) return fmt::format("{}", d.x);
  return fmt::format("{} x {} x {}", d.x, d.y, d.z);
}

std::string counted(std::uint64_t n, const char* thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

std::string blocks_cell(std::uint32_t blocks) {
  return blocks == gpu::kUnlimited ? "any" : std::to_string(blocks);
}

std::string heading(const OccupancyQuestion& question) {
  const program::LaunchShape& shape = question.shape;
  return fmt::format(
      "{}{}: blocks of {} threads, {} registers per thread, shared memory {} static "
      "and {} dynamic\n",
      question.gpu_name, question.kernel.empty() ? "" : ", " + question.kernel,
      dimensions(shape.block), shape.registers_per_thread, to_text(shape.static_shared),
      to_text(shape.dynamic_shared));
}

std::string verdict(const OccupancyReport& report) {
  const gpu::Occupancy& o = report.occupancy;
  std::vector<std::string> names;
  for (const gpu::OccupancyLimiter limiter : report.limiters) names.emplace_back(text_of(limiter));
  return fmt::format("occupancy {}: {} on an SM, {} of {} warps; limited by {}\n",
                     percent(o.occupancy), counted(o.blocks_per_sm, "block"), o.warps_per_sm,
                     report.question.gpu.sm.max_warps, fmt::join(names, " and "));
}

std::string limits_table(const OccupancyReport& report, std::size_t columns) {
  const gpu::SmSpec& sm = report.question.gpu.sm;
  const gpu::Occupancy& o = report.occupancy;
  TablePrinter table({{"resource"},
                      {"a block takes", Align::kRight},
                      {"an SM has", Align::kRight},
                      {"blocks", Align::kRight}});
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  table.add_row(
      {"warps", number(o.warps_per_block), number(sm.max_warps), blocks_cell(o.limits.warps)});
  table.add_row({"block slots", "1", number(sm.max_blocks), blocks_cell(o.limits.blocks)});
  table.add_row({"registers", number(o.registers_per_block), number(sm.registers),
                 blocks_cell(o.limits.registers)});
  table.add_row({"shared memory", to_text(o.shared_per_block), to_text(o.carveout),
                 blocks_cell(o.limits.shared_memory)});
  table.add_row({"barriers", number(report.question.options.barriers), number(max_barriers(sm)),
                 blocks_cell(o.limits.barriers)});
  return table.text(columns);
}

std::string waves_line(const OccupancyReport& report) {
  if (!report.waves) return {};
  const gpu::Waves& w = *report.waves;
  const std::string tail =
      w.tail_blocks == 0 ? "no tail" : fmt::format("a tail of {}", counted(w.tail_blocks, "block"));
  return fmt::format(
      "grid: {} on {} slots are {:.2f} waves: {} full, {}; {} of the slot time is used if blocks "
      "take equally long\n",
      counted(w.blocks, "block"), w.slots, w.waves, w.full_waves, tail, percent(w.efficiency));
}

std::string clusters_line(const OccupancyReport& report) {
  if (!report.clusters) return {};
  const gpu::ClusterOccupancy& c = *report.clusters;
  std::string out =
      fmt::format("clusters: {}{} of {} blocks resident on the GPU ({} blocks)",
                  c.upper_bound ? "at most " : "", c.clusters, c.blocks_per_cluster, c.blocks);
  if (c.upper_bound) out += "; use --gpc-sms for the exact number";
  if (!c.portable) out += "; a non-portable size: the kernel must opt in";
  return out + "\n";
}

std::string bounds_line(const OccupancyReport& report) {
  if (!report.bounds) return {};
  const BoundsAnswer& b = *report.bounds;
  std::string out = fmt::format("__launch_bounds__({}, {}): at most {} registers a thread",
                                b.bounds.threads, b.bounds.blocks, b.registers);
  if (!b.squeezes) return out + ", which the kernel already keeps to\n";
  return fmt::format("{}, {} fewer than now; with that, {} on an SM ({})\n", out,
                     report.question.shape.registers_per_thread - b.registers,
                     counted(b.after->blocks_per_sm, "block"), percent(b.after->occupancy));
}

std::string target_line(const gpu::BlockTarget& target) {
  std::vector<std::string> needs;
  if (target.registers) needs.push_back(fmt::format("at most {} registers", *target.registers));
  if (target.shared) {
    needs.push_back(fmt::format("at most {} of shared memory", to_text(*target.shared)));
  }
  return fmt::format("  {} ({}) with {}\n", counted(target.blocks, "block"),
                     percent(target.occupancy), fmt::join(needs, " and "));
}

std::string advice(const OccupancyReport& report) {
  std::string out = fmt::format(
      "no block is lost up to {} registers per thread and {} of shared memory per block\n",
      report.room.registers, to_text(report.room.shared));
  if (report.targets.empty()) {
    out += "fewer registers or less shared memory would not allow another block\n";
  } else {
    out += "more blocks on an SM:\n";
  }
  for (const gpu::BlockTarget& target : report.targets) out += target_line(target);
  return out + fmt::format("suggested block size: {} ({}): {}\n", report.choice.best.threads,
                           percent(report.choice.best.occupancy), report.choice.why);
}

std::string curve_table(const OccupancyReport& report, std::size_t columns) {
  TablePrinter table({{"block", Align::kRight},
                      {"on an SM", Align::kRight},
                      {"occupancy", Align::kRight},
                      {"limiter"},
                      {""}});
  for (const gpu::BlockSizePoint& p : report.curve) {
    const auto cells = static_cast<std::size_t>(std::lround(p.occupancy * kBarCells));
    table.add_row({std::to_string(p.threads), std::to_string(p.blocks_per_sm), percent(p.occupancy),
                   p.blocks_per_sm > 0 ? std::string(text_of(p.limiter)) : "cannot run",
                   std::string(cells, '#')});
  }
  return table.text(columns);
}

}  // namespace

std::string occupancy_text(const OccupancyReport& report, std::size_t columns) {
  return heading(report.question) + verdict(report) + "\n" + limits_table(report, columns) + "\n" +
         waves_line(report) + clusters_line(report) + bounds_line(report) + advice(report) + "\n" +
         curve_table(report, columns);
}

std::string kernels_text(const OccupancyQuestion& question, const std::vector<KernelLine>& lines,
                         std::size_t columns) {
  TablePrinter table({{"kernel", Align::kLeft, true},
                      {"for"},
                      {"registers", Align::kRight},
                      {"static", Align::kRight},
                      {"spills", Align::kRight},
                      {"on an SM", Align::kRight},
                      {"occupancy", Align::kRight},
                      {"limiter", Align::kLeft, true}});
  for (const KernelLine& line : lines) {
    const gpu::PtxasFunction& kernel = line.kernel;
    const auto& o = line.occupancy;
    table.add_row({kernel.name, kernel.architecture, std::to_string(kernel.registers),
                   to_text(kernel.static_shared), to_text(kernel.spill_stores + kernel.spill_loads),
                   std::to_string(o ? o->blocks_per_sm : 0), percent(o ? o->occupancy : 0.0),
                   o ? std::string(text_of(o->limiter)) : line.refusal});
  }
  return fmt::format("{}, blocks of {} threads, {} of dynamic shared memory\n\n", question.gpu_name,
                     dimensions(question.shape.block), to_text(question.shape.dynamic_shared)) +
         table.text(columns);
}

std::string answer_text(const OccupancyQuestion& question, const OccupancyAnswer& answer,
                        std::size_t columns) {
  const auto* report = std::get_if<OccupancyReport>(&answer);
  return report != nullptr
             ? occupancy_text(*report, columns)
             : kernels_text(question, std::get<std::vector<KernelLine>>(answer), columns);
}

}  // namespace septet::command
