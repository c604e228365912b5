#include "tools/septet/study/rank_report.hpp"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/septet/table_printer.hpp"

namespace septet::command {
namespace {

struct NamedRange {
  const char* name;
  const analysis::TimeRange& range;
};

std::array<NamedRange, 5> ranges_of(const analysis::RankTimes& ranks) {
  return {{{"compute", ranks.compute},
           {"communication", ranks.communication},
           {"waiting_for_ranks", ranks.waiting},
           {"rest", ranks.rest},
           {"hidden_communication", ranks.hidden}}};
}

std::string microseconds(Duration time) { return fmt::format("{:.1f}", to_us(time)); }

}  // namespace

bool has_straggler(const analysis::RankTimes& ranks) {
  constexpr double kNoticeable = 1e-3;  // of the run
  return ranks.straggler &&
         ranks.straggler->straggler_wait.seconds >= kNoticeable * to_seconds(ranks.span);
}

std::string straggler_text(const analysis::RankTimes& ranks) {
  if (!has_straggler(ranks)) return "no straggler in group collectives\n";
  const analysis::Straggler& one = *ranks.straggler;
  const std::string which = one.alike == 1 ? fmt::format("straggler: GPU {}", one.gpu)
                                           : fmt::format("stragglers: GPU {} and {} more like it",
                                                         one.gpu, one.alike - 1);
  return fmt::format(
      "{}; other GPUs waited {:.1f} us{} in {} collective{}, {}{:.1f} % of all waiting for ranks\n",
      which, one.straggler_wait.seconds * 1e6, one.alike == 1 ? "" : " for each",
      one.straggler_wait.collectives, one.straggler_wait.collectives == 1 ? "" : "s",
      one.alike == 1 ? "" : "together ", 100.0 * one.share);
}

std::string ranks_text(const analysis::RankTimes& ranks, std::size_t columns) {
  TablePrinter table({{fmt::format("{} GPU{}", ranks.gpus, ranks.gpus == 1 ? "" : "s")},
                      {"share", Align::kRight},
                      {"min us", Align::kRight},
                      {"median us", Align::kRight},
                      {"max us", Align::kRight},
                      {"on GPU", Align::kRight}});
  for (const auto& [name, range] : ranges_of(ranks)) {
    table.add_row({name, fmt::format("{:.1f} %", 100.0 * ranks.share(range.seconds)),
                   microseconds(range.min), microseconds(range.median), microseconds(range.max),
                   std::to_string(range.gpu)});
  }
  std::string out = table.text(columns);
  out +=
      "(hidden_communication is part of compute; rest: launches, gaps, and the time after a GPU's "
      "last work)\n";
  if (ranks.peer_seconds > 0) {
    out += fmt::format("of waiting_for_ranks, in sends and receives: {:.1f} % of the run\n",
                       100.0 * ranks.share(ranks.peer_seconds));
  }
  return out + straggler_text(ranks);
}

nlohmann::ordered_json ranks_json(const analysis::RankTimes& ranks) {
  nlohmann::ordered_json out = {{"gpus", ranks.gpus}, {"span_us", to_us(ranks.span)}};
  for (const auto& [name, range] : ranges_of(ranks)) {
    out[name] = {{"min_us", to_us(range.min)},
                 {"median_us", to_us(range.median)},
                 {"max_us", to_us(range.max)},
                 {"gpu", range.gpu},
                 {"share", ranks.share(range.seconds)}};
  }
  out["waiting_in_sends_and_receives"] = ranks.share(ranks.peer_seconds);
  out["straggler"] = nullptr;
  if (ranks.straggler) {
    out["straggler"] = {{"gpu", ranks.straggler->gpu},
                        {"gpus_alike", ranks.straggler->alike},
                        {"time_us", ranks.straggler->straggler_wait.seconds * 1e6},
                        {"collectives", ranks.straggler->straggler_wait.collectives},
                        {"share", ranks.straggler->share}};
  }
  return out;
}

std::string training_text(const training::TrainingRate& rate) {
  return fmt::format(
      "training: {:.0f} tokens/s; {:.1f} model TFLOP/s per GPU, {:.1f} % of {:.1f} (MFU)\n",
      rate.tokens_per_second, rate.achieved.count() * 1e-12, 100.0 * rate.utilization,
      rate.peak.count() * 1e-12);
}

nlohmann::ordered_json training_json(const training::TrainingRate& rate) {
  return {{"tokens_per_step", rate.tokens},
          {"model_flops_per_step", rate.flops},
          {"tokens_per_s", rate.tokens_per_second},
          {"model_flops_per_s_per_gpu", rate.achieved.count()},
          {"peak_flops_per_s_per_gpu", rate.peak.count()},
          {"mfu", rate.utilization}};
}

}  // namespace septet::command
