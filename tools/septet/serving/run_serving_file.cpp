#include "tools/septet/serving/run_serving_file.hpp"

#include <list>
#include <optional>

#include <nlohmann/json.hpp>

#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/serving/serving_workload.hpp"
#include "tools/septet/results/result_end.hpp"
#include "tools/septet/serving/serving_folder.hpp"
#include "tools/septet/serving/serving_report.hpp"
#include "tools/septet/study/run_report.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

// A run with what it refers to.
struct Done {
  std::string name;
  serving::ServingCase of;
  requests::Workload workload;
  serving::ServingRun run;
};

Done run_one(const std::string& name, const serving::ServingConfiguration& configuration,
             const serving::Libraries& libraries, unsigned threads) {
  Done out{name, serving::case_of(configuration, libraries), {}, {}};
  const serving::ServingText& text = configuration.text;
  const serving::EngineCosts costs = serving::costs_of(out.of, text.serving);
  out.workload = serving::workload_of(text.arrivals, out.of.seed);
  out.of.fleet.failures =
      serving::failures_of(configuration, out.of.fleet, out.workload, out.of.seed);
  out.run = serving::run_serving(
      {out.of.fleet, out.of.engine, costs, out.workload, out.of.seed, threads, text.run.end},
      text.slo);
  return out;
}

// Mistakes of what-ifs come before the first long run.
std::vector<serving::ServingConfiguration> variations_of(const serving::ServingConfiguration& base,
                                                         const serving::Libraries& libraries) {
  std::vector<serving::ServingConfiguration> out;
  for (const config::WhatIfText& what_if : base.text.what_ifs) {
    out.push_back(serving::vary(base, *what_if.place.table->find("set"), libraries));
  }
  return out;
}

std::list<Done> run_all(const std::string& name, const serving::ServingConfiguration& base,
                        const serving::Libraries& libraries, unsigned threads) {
  const std::vector<serving::ServingConfiguration> variations = variations_of(base, libraries);
  std::list<Done> out;
  out.push_back(run_one(name, base, libraries, threads));
  for (std::size_t i = 0; i < variations.size(); ++i) {
    out.push_back(run_one(base.text.what_ifs[i].name.text, variations[i], libraries, threads));
  }
  return out;
}

}  // namespace

ExitCode run_serving_file(const config::ConfigValue& tree, const ServingRequest& request) {
  const CommonOptions& common = request.common;
  const serving::Libraries libraries(config::data_directories());
  const serving::ServingConfiguration base =
      serving::resolve_serving(tree, common.settings, libraries);
  std::optional<ResultFolder> folder;
  if (!common.output_dir.empty()) folder.emplace(common.output_dir);
  const std::list<Done> done =
      run_all(request.file.stem().string(), base, libraries, static_cast<unsigned>(common.threads));
  std::vector<ServingReport> reports;
  for (const Done& one : done) {
    print_warnings(one.of.warnings);
    reports.push_back({one.name, one.of, one.run});
  }
  const Done& first = done.front();
  const RunOrigin origin = serving_origin(request.file, base, common.settings);
  if (folder) write_requests(folder->path(), origin, base, first.workload, &first.run);
  end_result(
      {common, origin, hex(first.run.result.engine.digest), request.clock.so_far()},
      folder ? &*folder : nullptr,
      [&](std::size_t columns) { return serving_text(reports, columns); }, serving_json(reports));
  return kExitOk;
}

}  // namespace septet::command
