#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/table_printer.hpp"
#include "tools/septet/training/plan_report.hpp"

namespace septet::command {
namespace {

using training::Candidate;
using training::Part;
using training::Plan;

double gibi(Bytes bytes) { return static_cast<double>(bytes.count()) / (1024.0 * 1024 * 1024); }

std::string seconds_text(Duration time) {
  const double seconds = to_seconds(time);
  return seconds < 1 ? fmt::format("{:.1f} ms", 1e3 * seconds) : fmt::format("{:.3f} s", seconds);
}

double share(const Candidate& one, Part part) {
  return to_seconds(one.step.time.parts[static_cast<std::size_t>(part)]) /
         to_seconds(one.step.time.total);
}

double exposed(const Candidate& one) {
  return share(one, Part::kTensor) + share(one, Part::kContext) + share(one, Part::kExpert) +
         share(one, Part::kData);
}

double tokens_each(const Candidate& one) {
  return one.step.rate.tokens_per_second / one.spec.ranks();
}

std::string parts_text(const Candidate& one, std::size_t columns) {
  TablePrinter table({{"where the step goes"}, {"time", Align::kRight}, {"share", Align::kRight}});
  for (std::size_t p = 0; p < kEnumSize<training::Part>; ++p) {
    const auto part = static_cast<Part>(p);
    if (one.step.time.parts[p] == Duration(0)) continue;
    std::string name(text_of(part));
    std::ranges::replace(name, '_', ' ');
    table.add_row({name, seconds_text(one.step.time.parts[p]),
                   fmt::format("{:.1f} %", 100 * share(one, part))});
  }
  return table.text(columns);
}

std::string given_text(const Plan& plan, std::size_t columns) {
  const Candidate& one = plan.given;
  std::string out = fmt::format("{}\n", layout_text(one.spec));
  if (!plan.given_fits) {
    out +=
        fmt::format("does not fit into {:.1f} GiB: {}\n", gibi(plan.memory), sum_text(one.memory));
    out += plan.nearest.empty() ? std::string("no small change makes it fit\n")
                                : fmt::format("nearest change that fits: {}\n", plan.nearest);
    return out;
  }
  out += fmt::format(
      "step {}, {:.0f} tokens/s per GPU, model FLOP/s utilization {:.1f} %, SM clock {:.0f} MHz, "
      "{:.0f} W and {:.1f} J a step per GPU\n",
      seconds_text(one.step.time.total), tokens_each(one), 100 * one.step.rate.utilization,
      one.step.time.clock.count() / 1e6, one.step.time.power.count(),
      one.step.time.power.count() * to_seconds(one.step.time.total));
  out += fmt::format("memory of the fullest GPU: {}\n\n", sum_text(one.memory));
  return out + parts_text(one, columns);
}

std::string best_text(const Plan& plan, std::size_t columns) {
  TablePrinter table({{"TP", Align::kRight},
                      {"CP", Align::kRight},
                      {"PP", Align::kRight},
                      {"EP", Align::kRight},
                      {"DP", Align::kRight},
                      {"ZeRO", Align::kRight},
                      {"micro batch", Align::kRight},
                      {"recompute"},
                      {"step", Align::kRight},
                      {"tokens/s/GPU", Align::kRight},
                      {"MFU", Align::kRight},
                      {"waiting", Align::kRight},
                      {"exposed", Align::kRight},
                      {"memory", Align::kRight}});
  for (const Candidate& one : plan.best) {
    const training::TrainingSpec& spec = one.spec;
    const std::string stages =
        spec.virtual_pipeline_size == 1
            ? std::to_string(spec.pipeline_parallel_size)
            : fmt::format("{}x{}", spec.pipeline_parallel_size, spec.virtual_pipeline_size);
    table.add_row({std::to_string(spec.tensor_parallel_size),
                   std::to_string(spec.context_parallel_size), stages,
                   std::to_string(spec.expert_parallel_size),
                   std::to_string(spec.data_parallel_size), std::to_string(spec.zero_stage),
                   std::to_string(spec.micro_batch_size), recompute_text(spec.recompute),
                   seconds_text(one.step.time.total), fmt::format("{:.0f}", tokens_each(one)),
                   fmt::format("{:.1f} %", 100 * one.step.rate.utilization),
                   fmt::format("{:.1f} %", 100 * share(one, Part::kPipeline)),
                   fmt::format("{:.1f} %", 100 * exposed(one)),
                   fmt::format("{:.1f} GiB", gibi(one.memory.total()))});
  }
  return table.text(columns);
}

std::string search_text(const Plan& plan, std::size_t columns) {
  if (plan.considered == 0) return {};
  std::string out = fmt::format(
      "\n{} layouts: {} need more than {:.1f} GiB, {} can't be among the best by their operations "
      "alone, {} simulated\n",
      plan.considered, plan.too_large, gibi(plan.memory), plan.too_slow, plan.simulated);
  if (plan.best.empty()) {
    return out + fmt::format("nothing fits; the least: {}\n", sum_text(*plan.least));
  }
  return out + best_text(plan, columns);
}

std::string sensitivity_text(const Plan& plan, std::size_t columns) {
  if (plan.sensitivity.empty()) return {};
  const Candidate& one = plan.best.empty() ? plan.given : plan.best.front();
  TablePrinter table({{plan.best.empty() ? "if" : "the fastest, if"},
                      {"step", Align::kRight},
                      {"change", Align::kRight}});
  for (const training::Sensitivity& what : plan.sensitivity) {
    const double change = to_seconds(what.step) / to_seconds(one.step.time.total) - 1;
    table.add_row({what.change, seconds_text(what.step), fmt::format("{:+.1f} %", 100 * change)});
  }
  return "\n" + table.text(columns);
}

std::string goodput_text(const Plan& plan) {
  if (!plan.goodput) return {};
  const training::Goodput& what = *plan.goodput;
  return fmt::format(
      "\nover {} days {:.0f} failures: {:.1f} % of the time useful ({:.1f} % in the worst run), "
      "{:.1f} % checkpoints every {}, {:.1f} % repeated, {:.1f} % waiting\n",
      what.by_day.size(), what.failures, 100 * what.useful, 100 * what.least,
      100 * what.checkpoints, seconds_text(what.interval), 100 * what.repeated, 100 * what.waiting);
}

}  // namespace

std::string plan_text(const config::TrainingCase& training, const Plan& plan, std::size_t columns) {
  std::string out = training.description.empty() ? "" : training.description + "\n";
  out += fmt::format("{} on {} {}, one GPU of each stage simulated: all others do the same\n\n",
                     training.spec.model.name.empty() ? "model" : training.spec.model.name,
                     training.hardware.gpus, training.hardware.gpu.name);
  return out + given_text(plan, columns) + search_text(plan, columns) +
         sensitivity_text(plan, columns) + goodput_text(plan) +
         "\nAgainst published steps the model's median error is in data/DEVIATIONS.md, Training.\n";
}

}  // namespace septet::command
