#include "tools/python/questions.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include "scenarios/config/hardware_text.hpp"
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/config/toml/value_json.hpp"
#include "scenarios/explain/explain_request.hpp"
#include "scenarios/validate/row_check.hpp"
#include "scenarios/validate/validate_rows.hpp"
#include "tools/python/interruptible.hpp"
#include "tools/python/values.hpp"
#include "tools/septet/explain/explain_output.hpp"
#include "tools/septet/explain/explain_plots.hpp"
#include "tools/septet/occupancy/occupancy_output.hpp"
#include "tools/septet/serving/capacity_report.hpp"
#include "tools/septet/validate/validate_report.hpp"

namespace septet::python {
namespace {

namespace py = pybind11;
using Json = nlohmann::ordered_json;

constexpr std::size_t kColumns = 100;

// A report and the same as text.
struct Answer {
  Json report;
  std::string text;
};
py::tuple pair_of(const Answer& answer) {
  return py::make_tuple(python_of(answer.report), answer.text);
}

config::ProfileLibrary profiles() { return config::ProfileLibrary(config::data_directories()); }

// A kernel's place under the roofline of its GPU.
Json roofline_json(const explain::Explanation& kernel) {
  const explain::Arithmetic& arithmetic = kernel.metrics.arithmetic;
  Json ceilings = Json::array();
  for (const explain::Ceiling& one : kernel.ceilings.arithmetic) {
    ceilings.push_back({{"name", one.name}, {"per_s", one.per_second}});
  }
  return {{"dram_bytes_per_s", kernel.ceilings.dram},
          {"l2_bytes_per_s", kernel.ceilings.l2},
          {"ceilings", std::move(ceilings)},
          {"operations_per_s", arithmetic.per_second},
          {"operations_per_byte", arithmetic.intensity}};
}

// (report, text, roofline.svg, stages.svg): what `septet explain` says and draws.
py::tuple explain_any(explain::ExplainRequest request) {
  const explain::Explained done =
      without_lock([&](const Stop&) { return explain_request(request, profiles()); });
  const std::vector<explain::Explanation>& all = done.kernels;
  Json report = command::rows_json(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    report["kernels"][i]["roofline"] = roofline_json(all[i]);
  }
  report["notes"] = done.notes;
  const std::string text = all.size() > 1 ? command::rows_text(all, kColumns)
                                          : command::explain_text(all.front(), kColumns, false);
  return py::make_tuple(python_of(report), text, command::roofline_svg(all),
                        command::stages_svg(all));
}

py::tuple explain(const std::string& file, const py::object& kernel, const std::string& name,
                  const std::vector<std::string>& op, const std::string& gpu,
                  const std::optional<std::string>& id,
                  const std::optional<std::string>& kernel_name, const py::dict& set) {
  explain::ExplainRequest request;
  request.file = file;
  if (!kernel.is_none()) request.kernel = tree_of(kernel, name);
  request.op = op;
  request.gpu = gpu;
  request.rows = {id, kernel_name};
  request.settings = settings_of(set);
  return explain_any(std::move(request));
}

py::tuple occupancy(const std::vector<std::string>& arguments) {
  return pair_of(without_lock([&](const Stop&) {
    command::OccupancyRequest request;
    if (!read_occupancy_request(arguments, request)) {
      throw ConfigError({}, "help is no question");
    }
    const command::OccupancyAnswer answer = answer_request(request);
    return Answer{answer_json(request.question, answer),
                  answer_text(request.question, answer, kColumns)};
  }));
}

py::tuple validate(const std::vector<std::string>& names, const std::string& hardware,
                   const py::dict& set, unsigned threads) {
  validation::RowSystems systems({hardware, "hardware", settings_of(set)},
                                 config::data_directories());
  return pair_of(without_lock([&](const Stop& stop) {
    std::vector<validation::MeasuredRow> measured =
        validation::read_measurements(validation::measurement_files(names));
    std::vector<std::string> warnings = row_warnings(measured);
    const std::vector<validation::ValidatedRow> rows =
        validate_rows(std::move(measured), systems, threads, [&](double) { stop.check(); });
    for (const std::string& text : systems.warnings()) warnings.push_back(text);
    if (std::string text = unanswered_text(rows); !text.empty()) {
      warnings.push_back(std::move(text));
    }
    return Answer{command::validate_json(rows, warnings),
                  command::groups_text(rows, kColumns) + command::unsupported_text(rows, kColumns)};
  }));
}

py::tuple capacity(const std::string& file, const py::object& scenario, const std::string& name,
                   const py::dict& set, unsigned threads) {
  const std::vector<std::string> settings = settings_of(set);
  std::optional<config::ConfigValue> tree;
  if (!scenario.is_none()) tree = tree_of(scenario, name);
  return pair_of(without_lock([&](const Stop& stop) {
    if (!tree) tree = config::read_toml_file(file);
    const serving::Libraries libraries(config::data_directories());
    const capacity::CapacityResult done = capacity::search_capacity(
        capacity::resolve_search(*tree, settings, libraries), libraries, threads,
        [&](const capacity::Option&, std::uint32_t) { stop.check(); });
    return Answer{command::capacity_json(done), command::capacity_text(done, kColumns)};
  }));
}

py::object load(const std::filesystem::path& file) {
  return python_of(json_of(config::read_toml_file(file)));
}

std::string toml(const py::object& scenario, const std::string& name) {
  return config::write_toml(tree_of(scenario, name), config::Origins::kHidden);
}

// The configuration with every value that a run would take.
py::object resolved(const py::object& scenario, const std::string& name, const py::dict& set) {
  const config::Configuration configuration =
      config::resolve(tree_of(scenario, name), settings_of(set), profiles());
  read_scenario(configuration);
  return python_of(json_of(configuration.resolved));
}

py::object hardware(const std::string& name) {
  const std::string text = name.empty() ? config::hardware_list_json(profiles())
                                        : config::hardware_json(profiles(), name);
  return python_of(Json::parse(text));
}

std::vector<std::string> data_folders() {
  std::vector<std::string> out;
  for (const std::filesystem::path& folder : config::data_directories()) {
    if (std::filesystem::is_directory(folder)) out.push_back(folder.string());
  }
  return out;
}

}  // namespace

void register_questions(py::module_& module) {
  module.def("explain", &explain);
  module.def("occupancy", &occupancy);
  module.def("validate", &validate);
  module.def("capacity", &capacity);
  module.def("load", [](const std::string& file) { return load(file); });
  module.def("toml", &toml);
  module.def("resolved", &resolved);
  module.def("hardware", &hardware);
  module.def("data_folders", &data_folders);
}

}  // namespace septet::python
