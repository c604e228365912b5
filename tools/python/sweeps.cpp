#include "tools/python/sweeps.hpp"

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "core/files/output_file.hpp"
#include "core/files/staged_path.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/config/toml/value_json.hpp"
#include "scenarios/sweep/run_sweep.hpp"
#include "tools/python/interruptible.hpp"
#include "tools/python/values.hpp"
#include "tools/septet/sweep/sweep_results.hpp"

namespace septet::python {
namespace {

namespace fs = std::filesystem;
namespace py = pybind11;

struct SweepOptions {
  std::string journal_dir;  // the output folder, or one for the time of the sweep
  bool keep = false;        // results of their own in it
  unsigned threads = 1;
  std::uint32_t retries = 0;
  bool fail_fast = false;
};

struct Swept {
  std::unique_ptr<command::Sweep> sweep;
  sweep::ResultTable table;
  double wall_s = 0;
};

// A dict becomes the file `scenario.toml` of the folder: with it the command goes on where Python
// stopped.
void write_files(const Swept& swept, const command::SweepCounts& counts,
                 command::SweepRequest request, bool from_dict,
                 const command::CommandClock& clock) {
  if (from_dict) {
    request.file = (fs::path(request.common.output_dir) / "scenario.toml").string();
    files::write_text(request.file,
                      config::write_toml(swept.sweep->file, config::Origins::kHidden));
  }
  write_results(*swept.sweep, swept.table, counts, request, clock);
}

Swept run_sweep(config::ConfigValue tree, bool from_dict, command::SweepRequest request,
                const SweepOptions& options, const Stop& stop) {
  const command::CommandClock clock("sweep", {}, options.threads);
  Swept out{command::sweep_of(std::move(tree), request.common.settings), {}, 0};
  const command::Sweep& sweep = *out.sweep;
  const fs::path folder = files::resolved(options.journal_dir);
  fs::create_directories(folder);
  sweep::Journal journal(folder / "journal.jsonl", sweep.id);
  sweep::RunOptions run;
  run.threads = options.threads;
  run.retries = options.retries;
  run.fail_fast = options.fail_fast;
  run.stop = [&stop] { return stop.asked(); };
  run_points(*sweep.experiment, sweep.points, journal, run);
  stop.check();
  out.table = table_of(sweep.points, journal.results(), sweep.experiment->outputs(),
                       sweep.text.outputs, sweep.text.place.where());
  if (options.keep && out.table.rows.size() == sweep.points.all.size()) {
    write_files(out, command::counts_of(out.table), std::move(request), from_dict, clock);
  }
  out.wall_s = clock.so_far().wall_s;
  return out;
}

// Numbers as an array; NaN where not known.
py::array_t<double> numbers_of(const sweep::ResultTable& table, std::size_t output) {
  py::array_t<double> out(static_cast<py::ssize_t>(table.rows.size()));
  double* at = out.mutable_data();
  for (const sweep::ResultTable::Row& row : table.rows) {
    *at++ = output < row.result.values.size() ? std::get<double>(row.result.values[output])
                                              : std::numeric_limits<double>::quiet_NaN();
  }
  return out;
}

py::list texts_of(const sweep::ResultTable& table, std::size_t output) {
  py::list out;
  for (const sweep::ResultTable::Row& row : table.rows) {
    out.append(output < row.result.values.size() ? std::get<std::string>(row.result.values[output])
                                                 : std::string());
  }
  return out;
}

py::list settings_of_points(const sweep::ResultTable& table) {
  py::list out;
  for (const sweep::ResultTable::Row& row : table.rows) {
    py::dict one;
    for (const auto& [key, value] : row.point->settings) {
      one[py::str(key)] = python_of(config::json_of(value));
    }
    out.append(one);
  }
  return out;
}

py::list outputs_of(const sweep::ResultTable& table) {
  py::list out;
  for (std::size_t i = 0; i < table.outputs.size(); ++i) {
    const sweep::Output& output = table.outputs[i];
    py::dict one;
    one["name"] = output.name;
    one["units"] = output.units;
    one["meaning"] = output.meaning;
    one["better"] = std::string(text_of(output.better));
    one["values"] = output.is_text() ? py::object(texts_of(table, i)) : numbers_of(table, i);
    out.append(one);
  }
  return out;
}

py::dict report_of(const Swept& swept) {
  const command::SweepCounts counts = command::counts_of(swept.table);
  py::dict out;
  out["points"] = swept.sweep->points.all.size();
  out["completed"] = counts.completed;
  out["failed"] = counts.failed;
  out["missing"] = swept.sweep->points.all.size() - swept.table.rows.size();
  out["wall_s"] = swept.wall_s;
  out["sweep"] = swept.sweep->id;
  out["command"] = std::string(text_of(swept.sweep->text.command));
  return out;
}

// (report, keys, [name], [status], [message], [settings], [output with its values]).
py::tuple sweep(const std::string& file, const py::object& scenario, const std::string& name,
                const py::dict& set, const SweepOptions& options) {
  command::SweepRequest request;
  request.file = file;
  request.common.settings = settings_of(set);
  request.common.output_dir = options.journal_dir;
  std::optional<config::ConfigValue> tree;
  if (!scenario.is_none()) tree = tree_of(scenario, name);
  const bool from_dict = tree.has_value();
  const Swept done = without_lock([&](const Stop& stop) {
    if (!tree) tree = config::read_toml_file(file);
    return run_sweep(std::move(*tree), from_dict, request, options, stop);
  });
  py::list names, statuses, messages;
  for (const sweep::ResultTable::Row& row : done.table.rows) {
    names.append(row.point->name);
    statuses.append(std::string(text_of(row.result.status)));
    messages.append(row.result.message);
  }
  return py::make_tuple(report_of(done), done.table.keys, names, statuses, messages,
                        settings_of_points(done.table), outputs_of(done.table));
}

SweepOptions options_of(std::string journal_dir, bool keep, unsigned threads, std::uint32_t retries,
                        bool fail_fast) {
  return {std::move(journal_dir), keep, threads, retries, fail_fast};
}

}  // namespace

void register_sweeps(py::module_& module) {
  py::class_<SweepOptions>(module, "SweepOptions")
      .def(py::init(&options_of), py::arg("journal_dir"), py::arg("keep"), py::arg("threads"),
           py::arg("retries"), py::arg("fail_fast"));
  module.def("sweep", &sweep);
}

}  // namespace septet::python
