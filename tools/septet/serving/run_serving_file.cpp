#include "tools/septet/serving/run_serving_file.hpp"

#include <list>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/serving/serving_workload.hpp"
#include "tools/septet/exit_code.hpp"
#include "tools/septet/serving/serving_report.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

// A run with what it refers to.
struct Done {
  std::string name;
  serving::ServingCase of;
  serving::ServingRun run;
};

Done run_one(const std::string& name, const serving::ServingConfiguration& configuration,
             const serving::Libraries& libraries, unsigned threads) {
  Done out{name, serving::case_of(configuration, libraries), {}};
  const serving::ServingText& text = configuration.text;
  const serving::EngineCosts costs = serving::costs_of(out.of, text.serving);
  const requests::Workload workload = serving::workload_of(text.arrivals, out.of.seed);
  out.of.fleet.failures = serving::failures_of(configuration, out.of.fleet, workload, out.of.seed);
  out.run = serving::run_serving(
      {out.of.fleet, out.of.engine, costs, workload, out.of.seed, threads, text.run.end}, text.slo);
  return out;
}

}  // namespace

int run_serving_file(const config::ConfigValue& tree, const ServingRequest& request) {
  const serving::Libraries libraries(config::data_directories());
  const serving::ServingConfiguration base =
      serving::resolve_serving(tree, request.settings, libraries);
  // Mistakes of what-ifs come before the first long run.
  std::vector<serving::ServingConfiguration> variations;
  for (const config::WhatIfText& what_if : base.text.what_ifs) {
    variations.push_back(serving::vary(base, *what_if.place.table->find("set"), libraries));
  }
  std::list<Done> done;
  done.push_back(run_one(request.name, base, libraries, request.threads));
  for (std::size_t i = 0; i < variations.size(); ++i) {
    done.push_back(
        run_one(base.text.what_ifs[i].name.text, variations[i], libraries, request.threads));
  }
  std::vector<ServingReport> reports;
  for (const Done& one : done) {
    print_warnings(one.of.warnings);
    reports.push_back({one.name, one.of, one.run});
  }
  fmt::print("{}", request.json ? serving_json(reports).dump(2) + "\n"
                                : serving_text(reports, describe_terminal(stdout).columns));
  return kExitOk;
}

}  // namespace septet::command
