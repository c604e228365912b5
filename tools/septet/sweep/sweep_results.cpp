#include "tools/septet/sweep/sweep_results.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/files/output_file.hpp"
#include "core/files/staged_path.hpp"
#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/sweep/result_table.hpp"
#include "tools/septet/progress.hpp"
#include "tools/septet/version/build_info.hpp"

namespace septet::command {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Failures with a line that runs the point alone.
void print_failures(const Sweep& sweep, const sweep::ResultTable& table,
                    const SweepRequest& request) {
  std::size_t shown = 0;
  for (const sweep::ResultTable::Row& row : table.rows) {
    if (is_result(row.result.status) || ++shown > kListedPoints) continue;
    fmt::print(stderr, "septet: point {} {}: {}\n  {}\n", row.point->name,
               text_of(row.result.status), row.result.message,
               line_of_point(request, sweep, *row.point));
  }
  if (shown > kListedPoints) {
    fmt::print(stderr, "septet: {} more points failed; see sweep.csv\n", shown - kListedPoints);
  }
}

}  // namespace

void SweepCounts::add(sweep::Status status) { ++(is_result(status) ? completed : failed); }

SweepCounts counts_of(const sweep::ResultTable& table) {
  SweepCounts out;
  for (const sweep::ResultTable::Row& row : table.rows) out.add(row.result.status);
  return out;
}

SweepCounts counts_of(const sweep::Results& results) {
  SweepCounts out;
  for (const auto& [point, result] : results) out.add(result.status);
  return out;
}

void write_results(const Sweep& sweep, const sweep::ResultTable& table, const SweepCounts& counts,
                   const SweepRequest& request, const CommandClock& clock) {
  const fs::path folder = request.common.output_dir;
  files::write_text((folder / "sweep.csv").string(), csv_of(table));
  const fs::path target = files::resolved(folder / "sweep.h5");
  files::StagedPath staged(target, files::StagedPath::Kind::kFile);
  write_hdf5(table, staged.path(), build_info().version, sweep.id,
             config::write_toml(sweep.file, config::Origins::kNames));
  files::sync_file(staged.path());
  staged.publish();
  RunOrigin origin;
  origin.inputs = {input_record(request.file, "sweep")};
  origin.settings = request.common.settings;
  Json outputs = Json::array();
  for (const sweep::Output& output : table.outputs) {
    outputs.push_back({{"name", output.name},
                       {"units", output.units},
                       {"meaning", output.meaning},
                       {"better", text_of(output.better)}});
  }
  const Json json = {{"points", sweep.points.all.size()},
                     {"completed", counts.completed},
                     {"failed", counts.failed},
                     {"sweep", sweep.id},
                     {"command", text_of(sweep.text.command)},
                     {"keys", table.keys},
                     {"outputs", std::move(outputs)},
                     {"provenance", provenance_json(origin, "", clock.so_far())}};
  files::write_text((folder / "sweep.json").string(), json.dump(2) + "\n");
}

ExitCode finish_sweep(const Sweep& sweep, const sweep::Results& results,
                      const SweepRequest& request, const CommandClock& clock) {
  const sweep::ResultTable table = table_of(sweep.points, results, sweep.experiment->outputs(),
                                            sweep.text.outputs, sweep.text.place.where());
  const SweepCounts counts = counts_of(table);
  const std::size_t missing = sweep.points.all.size() - table.rows.size();
  if (missing == 0) write_results(sweep, table, counts, request, clock);
  print_failures(sweep, table, request);
  const double wall = clock.so_far().wall_s;
  if (request.common.json) {
    fmt::print("{}\n", Json{{"points", sweep.points.all.size()},
                            {"completed", counts.completed},
                            {"failed", counts.failed},
                            {"missing", missing},
                            {"wall_s", wall}}
                           .dump(2));
  } else {
    fmt::print("{} points: {} done, {} failed, {} missing; {}\n", sweep.points.all.size(),
               counts.completed, counts.failed, missing, duration_text(wall));
    if (missing == 0) fmt::print("{}/sweep.csv, sweep.h5\n", request.common.output_dir);
  }
  return counts.failed + missing > 0 ? kExitPartial : kExitOk;
}

}  // namespace septet::command
