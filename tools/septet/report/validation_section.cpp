#include "tools/septet/report/validation_section.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/report/serving_sections.hpp"

namespace septet::command {
namespace {

Section of_serving(const std::vector<validation::Neighbours>& all,
                   const validation::ServingSetup& setup, const std::string& id) {
  ReportTable table{{"metric", "rows", "median |error|, %", "90th percentile, %", "median error, %",
                     "which rows"},
                    {}};
  for (const validation::Neighbours& one : all) {
    table.rows.push_back({text_cell(objective_name(one.metric)),
                          number_cell(static_cast<double>(one.rows), 9),
                          number_cell(one.median_abs_pct, 3), number_cell(one.p90_abs_pct, 3),
                          number_cell(one.bias_pct, 3), text_cell(one.likeness)});
  }
  return {
      id + "validation",
      "How close such predictions came to measurements",
      {Paragraph{fmt::format(
           "Published and own measurements of serving, simulated as this result was; of all "
           "rows those nearest to {} on {} with {}. A positive median error means predicted too "
           "high.",
           setup.model, setup.gpu, setup.engine)},
       table}};
}

struct NamedGroup {
  const char* group;
  const char* about;
};

// The groups whose rows are of the same kind as a result.
std::span<const NamedGroup> groups_for(ResultKind kind) {
  static constexpr NamedGroup kReplay[] = {{"what_if", "changes of a recorded step"},
                                           {"model", "steps of PyTorch models"},
                                           {"graph", "CUDA graphs"},
                                           {"launch", "launches by the CPU"},
                                           {"streams", "streams and events"}};
  static constexpr NamedGroup kRun[] = {{"train_step", "training steps"},
                                        {"tp_step", "tensor-parallel steps"},
                                        {"nccl", "collectives"},
                                        {"op", "operators: products, attention and others"},
                                        {"streams", "streams and events"},
                                        {"launch", "launches by the CPU"},
                                        {"graph", "CUDA graphs"},
                                        {"waves", "waves of blocks"},
                                        {"sharing", "kernels that share a GPU"}};
  static constexpr NamedGroup kKernel[] = {{"kernels", "kernels profiled by Nsight Compute"},
                                           {"op", "operators: products, attention and others"},
                                           {"compute", "arithmetic"},
                                           {"memory", "memory accesses"},
                                           {"waves", "waves of blocks"},
                                           {"occupancy", "occupancy"}};
  switch (kind) {
    case ResultKind::kReplay:
      return kReplay;
    case ResultKind::kRun:
      return kRun;
    case ResultKind::kExplain:
      return kKernel;
    default:
      return {};
  }
}

Section of_groups(const validation::ValidationErrors& errors, ResultKind kind,
                  const std::string& id) {
  ReportTable table{{"measurements of", "rows", "median |error|, %", "90th percentile, %"}, {}};
  for (const NamedGroup& one : groups_for(kind)) {
    const auto found = std::ranges::find(errors.groups, one.group, &validation::GroupError::group);
    if (found == errors.groups.end()) continue;
    table.rows.push_back({text_cell(one.about), number_cell(found->rows, 9),
                          number_cell(found->median_abs_pct, 3),
                          number_cell(found->p90_abs_pct, 3)});
  }
  return {
      id + "validation",
      "How close such predictions came to measurements",
      {Paragraph{"Measurements of an H200 that Septet was compared with, by group; parameters of "
                 "that GPU were chosen knowing the published rows. Other GPUs are less certain: "
                 "septet hardware shows which of their parameters are guesses."},
       table}};
}

bool has_rows(const Section& section) {
  return !std::get<ReportTable>(section.blocks.back()).rows.empty();
}

}  // namespace

void add_validation(const Result& result, const std::vector<Assumption>& all,
                    const validation::ValidationErrors& errors, const std::string& id,
                    Chapter& chapter) {
  const bool serving = result.kind == ResultKind::kCapacity || result.kind == ResultKind::kServing;
  const validation::ServingSetup setup{text_value(all, "serving.model"),
                                       text_value(all, "hardware.gpu"),
                                       text_value(all, "serving.engine")};
  const Section section =
      serving ? of_serving(validation::nearest_rows(errors.serving, setup), setup, id)
              : of_groups(errors, result.kind, id);
  if (has_rows(section)) chapter.sections.push_back(section);
}

}  // namespace septet::command
