// A capacity search: the fleet, its curve, how sure the answer is, and what else was tried.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/septet/report/capacity_charts.hpp"
#include "tools/septet/report/chapter.hpp"
#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/report/serving_sections.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

std::string plural(double count, const std::string& word) {
  return rounded(count, 9) + " " + word + (count == 1 ? "" : "s");
}

std::string fleet_text(const Json& candidate) {
  return fmt::format(
      "{} {} as {} of tensor-parallel size {} ({})", candidate.at("gpus").get<int>(),
      candidate.at("gpu").get<std::string>(), plural(candidate.at("replicas"), "replica"),
      candidate.at("tensor_parallel_size").get<int>(), candidate.at("engine").get<std::string>());
}

std::string reached_text(const Json& candidate) {
  std::string out;
  for (const Json& one : candidate.at("objectives")) {
    out += fmt::format("{}{} {} of {} allowed", out.empty() ? "" : ", ",
                       objective_name(one.at("objective")), objective_value(one, "got"),
                       objective_value(one, "wanted"));
  }
  return out;
}

void judge_feasible(const Json& root, Chapter& chapter) {
  const Json& best = root.at("best");
  chapter.verdict = Verdict::kGood;
  const double rate = root.value("offered_requests_per_s", 0.0);
  chapter.statement =
      fmt::format("{} of type {} hold{} {}within all objectives.", plural(best.at("gpus"), "GPU"),
                  best.at("gpu").get<std::string>(), best.at("gpus") == 1 ? "s" : "",
                  rate > 0 ? rounded(rate) + " requests/s " : "");
  chapter.statements.push_back(fmt::format("The fleet: {}; worst of {}: {}.", fleet_text(best),
                                           plural(best.at("seeds"), "seed"), reached_text(best)));
  const Json& error = root.at("model_error");
  const Json& slower = error.at("gpus_if_slower");
  const double relative = error.at("relative");
  const int gpus = best.at("gpus");
  if (slower.is_null() || slower.get<int>() > gpus) {
    chapter.statements.push_back(
        fmt::format("Not robust against the model's own error: with steps {} slower than predicted "
                    "it takes {}.",
                    percent_text(relative),
                    slower.is_null() ? "more GPUs than allowed" : plural(slower, "GPU")));
  } else {
    chapter.statements.push_back(fmt::format(
        "Robust: it still holds with steps {} slower than predicted.", percent_text(relative)));
  }
}

void judge_infeasible(const Json& root, Chapter& chapter) {
  chapter.verdict = Verdict::kBad;
  chapter.statement = "No allowed fleet meets the objectives.";
  if (!root.at("beyond").is_null()) {
    chapter.statements.push_back(
        "The smallest that would, if it were allowed: " + fleet_text(root.at("beyond")) + ".");
  }
}

void add_key_numbers(const Json& root, Chapter& chapter) {
  const Json& best = root.at("best");
  auto& numbers = chapter.key_numbers.numbers;
  numbers.push_back({"GPUs", rounded(best.at("gpus"), 9), best.at("gpu")});
  const double headroom = root.at("headroom");
  numbers.push_back(
      {"headroom", percent_text(headroom - 1), "more requests before an objective fails"});
  const Json& without = root.at("loss_of_one_replica").at("holds");
  numbers.push_back({"after loss of a replica",
                     without.is_null()     ? "no service"
                     : without.get<bool>() ? "holds"
                                           : "misses",
                     without.is_null() ? "there is only one" : ""});
  const Json& error = root.at("model_error");
  const auto gpus = [](const Json& value) {
    return value.is_null() ? std::string("more than allowed") : rounded(value, 9);
  };
  numbers.push_back({"GPUs if steps are " + percent_text(error.at("relative")) + " slower",
                     gpus(error.at("gpus_if_slower")),
                     "if faster: " + gpus(error.at("gpus_if_faster"))});
  if (!root.at("months").is_null()) {
    numbers.push_back(
        {"months until growth uses up the headroom", rounded(root.at("months"), 2), ""});
  }
  const Json summary = root.value("summary", Json::object());
  add_cost_numbers(
      {best.value("cost_per_hour", Json()), best.value("cost_per_million_output_tokens", Json()),
       best.value("power_w", Json()), best.value("joules_per_output_token", Json()),
       summary.value("cost", Json::object()).value("gpu_price", Json())},
      chapter);
}

ReportTable objectives_table(const Json& candidate) {
  ReportTable out{{"objective", "wanted", "worst of all seeds", "mean", "95 % interval"}, {}};
  for (const Json& one : candidate.at("objectives")) {
    out.rows.push_back(
        {text_cell(objective_name(one.at("objective"))), text_cell(objective_value(one, "wanted")),
         text_cell(objective_value(one, "got")), text_cell(objective_value(one, "mean")),
         text_cell("\u00b1 " + objective_value(one, "half_width_95"))});
  }
  return out;
}

// Where the error comes from, in brackets.
std::string error_source(const Json& root) {
  const std::string source = root.at("model_error").value("source", "");
  return source.empty() ? "" : " (" + source + ")";
}

void add_confidence(const Json& root, const std::string& id, Chapter& chapter) {
  const Json& best = root.at("best");
  Section section{id + "confidence", "Confidence", {}};
  section.blocks.push_back(Paragraph{fmt::format(
      "Each candidate was simulated with {} and has to meet every objective with each of them. "
      "Intervals are those of the mean over seeds (Student's t); with few seeds they are wide. "
      "They say nothing about errors that all seeds share: for those the search was repeated with "
      "steps {} slower and faster{}.",
      plural(best.at("seeds"), "seed"), percent_text(root.at("model_error").at("relative")),
      error_source(root))});
  section.blocks.push_back(objectives_table(best));
  chapter.sections.push_back(section);
}

void add_limits(const Json& root, const std::string& id, Chapter& chapter) {
  const Json& limits = root.at("limits");
  if (limits.empty()) return;
  ReportTable out{{"objective", "wanted", "got", "kind of limit", "nearest change that helps"}, {}};
  for (const Json& one : limits) {
    out.rows.push_back({text_cell(objective_name(one.at("objective"))),
                        number_cell(one.at("wanted")), number_cell(one.at("got")),
                        text_cell(one.at("kind")), text_cell(one.at("change"))});
  }
  const std::string what = root.at("feasible").get<bool>()
                               ? "What the next smaller fleet misses; latencies in ms."
                               : "What the closest candidate misses; latencies in ms.";
  chapter.sections.push_back({id + "limits", "What limits it", {Paragraph{what}, out}});
}

std::string settings_text(const Json& one) {
  std::string out;
  const Json settings = one.value("settings", Json::object());
  for (const auto& [key, value] : settings.items()) {
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", key, value.get<std::string>());
  }
  return out;
}

Cell or_dash(const Json& value) { return value.is_null() ? text_cell("-") : number_cell(value); }

std::vector<Cell> candidate_row(const Json& one) {
  std::string reached;
  for (const Json& objective : one.at("objectives")) {
    reached += (reached.empty() ? "" : ", ") + objective_name(objective.at("objective")) + " " +
               objective_value(objective, "got");
  }
  const bool overloaded = one.at("overloaded");
  return {text_cell(one.at("gpu")),
          text_cell(one.at("engine")),
          number_cell(one.at("tensor_parallel_size"), 9),
          number_cell(one.at("gpus"), 9),
          text_cell(one.at("holds").get<bool>() ? "holds"
                    : overloaded                ? "overloaded"
                                                : "misses"),
          text_cell(settings_text(one)),
          text_cell(reached),
          number_cell(one.at("output_tokens_per_s")),
          or_dash(one.value("cost_per_hour", Json())),
          or_dash(one.value("power_w", Json()))};
}

// How many of the fleets that were allowed each bound rules out.
std::string removed_text(const Json& root) {
  std::string out;
  const Json& removed = root.at("removed");
  const Json counts = removed.value("candidates", removed.at("count"));
  for (const auto& [bound, count] : counts.items()) {
    if (count == 0) continue;
    out += fmt::format("{}{} by {}", out.empty() ? "" : ", ", count.get<int>(), bound);
  }
  if (out.empty()) return out;
  return fmt::format(
      "Fleets ruled out without simulation{}: {}.",
      root.contains("allowed") ? fmt::format(", of {} allowed", root.at("allowed").get<int>()) : "",
      out);
}

void add_candidates(const Json& root, const std::string& id, Chapter& chapter) {
  const Json& candidates = root.at("candidates");
  Section section{id + "candidates", "Fleets tried", {}};
  if (candidates.size() > 1) section.blocks.push_back(pareto_figure(candidates, id));
  ReportTable table{{"GPU", "engine", "TP", "GPUs", "verdict", "settings", "worst of all seeds",
                     "output tokens/s", "cost per hour", "average power, W"},
                    {}};
  for (const Json& one : candidates) table.rows.push_back(candidate_row(one));
  section.blocks.push_back(table);
  const std::string removed = removed_text(root);
  if (!removed.empty()) section.blocks.push_back(Paragraph{removed});
  if (!root.at("removed").at("options").empty()) {
    ReportTable reasons{{"GPU", "engine", "TP", "bound", "reason"}, {}};
    for (const Json& one : root.at("removed").at("options")) {
      reasons.rows.push_back({text_cell(one.at("gpu")), text_cell(one.at("engine")),
                              number_cell(one.at("tensor_parallel_size"), 9),
                              text_cell(one.at("bound")), text_cell(one.at("reason"))});
    }
    section.blocks.push_back(reasons);
  }
  chapter.sections.push_back(section);
}

}  // namespace

void fill_capacity(const Result& result, const std::string& id, Chapter& chapter) {
  const Json& root = result.summary;
  const bool feasible = root.at("feasible");
  feasible ? judge_feasible(root, chapter) : judge_infeasible(root, chapter);
  if (feasible) {
    add_key_numbers(root, chapter);
    add_curve(root, id, chapter);
    add_sensitivity(root, id, chapter);
  }
  add_limits(root, id, chapter);
  if (feasible && root.contains("summary")) {
    add_latencies(result, root.at("summary"), id, chapter);
    add_load_over_time(result, id, chapter);
    add_steps_over_time(result, id, chapter);
    add_utilization(root.at("summary"), id, chapter);
    add_memory(root.at("summary"), id, chapter);
  }
  add_candidates(root, id, chapter);
  if (feasible) add_confidence(root, id, chapter);
}

}  // namespace septet::command
