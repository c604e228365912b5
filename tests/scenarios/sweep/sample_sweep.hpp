// A small scenario with a table [sweep], for tests.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/sweep/result_table.hpp"
#include "scenarios/sweep/run_sweep.hpp"

namespace septet::sweep {

inline const std::filesystem::path kData = std::filesystem::path(SEPTET_SOURCE_DIR) / "data";

inline const std::string kScenario = R"(
[hardware]
gpu = "h200-sxm"
[[stream]]
name = "main"
[[kernel]]
name = "work"
grid = 16
block = 256
block_time = "5 us"
[[thread]]
name = "cpu"
steps = [{ launch = "work", stream = "main", times = 5 }, { synchronize_stream = "main" }]
)";

// A scenario with a table [sweep], and all that belongs to it.
struct Case {
  explicit Case(const std::string& sweep)
      : file(config::read_toml(kScenario + sweep, "sweep.toml")), text(read_sweep(file)) {
    scenario = file;
    std::erase_if(*scenario.table(), [](const auto& entry) { return entry.key == "sweep"; });
    experiment = experiment_of(text.command, scenario, {kData});
    points = points_of(text, scenario, experiment->data_version());
  }

  ResultTable table(const Results& results) const {
    return table_of(points, results, experiment->outputs(), text.outputs, text.place.where());
  }

  config::ConfigValue file;
  SweepText text;
  config::ConfigValue scenario;
  std::unique_ptr<Experiment> experiment;
  Points points;
};

inline const std::string kGrid = R"(
[sweep]
outputs = ["simulated_us"]
[[sweep.axis]]
key = "kernel.work.block_time"
values = ["2 us", "4 us", "8 us"]
[[sweep.axis]]
key = "kernel.work.grid"
values = [1, 16]
)";

}  // namespace septet::sweep
