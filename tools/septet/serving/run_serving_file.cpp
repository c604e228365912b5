#include "tools/septet/serving/run_serving_file.hpp"

#include <optional>

#include <nlohmann/json.hpp>

#include "scenarios/config/hardware/profile.hpp"
#include "tools/septet/results/result_end.hpp"
#include "tools/septet/serving/serving_folder.hpp"
#include "tools/septet/study/run_report.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

// Mistakes of what-ifs come before the first long run.
std::vector<serving::ServingConfiguration> variations_of(const serving::ServingConfiguration& base,
                                                         const serving::Libraries& libraries) {
  std::vector<serving::ServingConfiguration> out;
  for (const config::WhatIfText& what_if : base.text.what_ifs) {
    out.push_back(serving::vary(base, *what_if.place.table->find("set"), libraries));
  }
  return out;
}

}  // namespace

ServingStudy study_serving(const std::string& name, const serving::ServingConfiguration& base,
                           const serving::Libraries& libraries, unsigned threads,
                           bool records_steps) {
  const std::vector<serving::ServingConfiguration> variations = variations_of(base, libraries);
  ServingStudy out;
  out.push_back({run_scenario(base, libraries, threads, records_steps), name});
  for (std::size_t i = 0; i < variations.size(); ++i) {
    out.push_back(
        {run_scenario(variations[i], libraries, threads), base.text.what_ifs[i].name.text});
  }
  return out;
}

ServingStudy study_serving(const std::string& name, const config::ConfigValue& tree,
                           const std::vector<std::string>& settings, unsigned threads) {
  const serving::Libraries libraries(config::data_directories());
  return study_serving(name, serving::resolve_serving(tree, settings, libraries), libraries,
                       threads);
}

std::vector<ServingReport> reports_of(const ServingStudy& study) {
  std::vector<ServingReport> out;
  for (const ServingStudyRun& one : study) out.push_back({one.name, one.of, one.run});
  return out;
}

ExitCode run_serving_file(const config::ConfigValue& tree, const ServingRequest& request) {
  const CommonOptions& common = request.common;
  const serving::Libraries libraries(config::data_directories());
  const serving::ServingConfiguration base =
      serving::resolve_serving(tree, common.settings, libraries);
  std::optional<ResultFolder> folder;
  if (!common.output_dir.empty()) folder.emplace(common.output_dir);
  const ServingStudy done =
      study_serving(request.file.stem().string(), base, libraries,
                    static_cast<unsigned>(common.threads), folder.has_value());
  for (const ServingStudyRun& one : done) print_warnings(one.of.warnings);
  const std::vector<ServingReport> reports = reports_of(done);
  const ServingStudyRun& first = done.front();
  const RunOrigin origin = serving_origin(request.file, base, common.settings);
  if (folder) write_requests(folder->path(), origin, base, first.workload, &first.run);
  end_result(
      {common, origin, hex(first.run.result.engine.digest), request.clock.so_far()},
      folder ? &*folder : nullptr,
      [&](std::size_t columns) { return serving_text(reports, columns); }, serving_json(reports));
  return kExitOk;
}

}  // namespace septet::command
