#include "tools/python/table.hpp"

#include <pybind11/stl.h>

#include "scenarios/system/trace_file.hpp"

namespace septet::python {
namespace {

namespace py = pybind11;

const char* format_of(trace::ColumnType type) {
  switch (type) {
    case trace::ColumnType::kInt64:
      return "<i8";
    case trace::ColumnType::kInt32:
      return "<i4";
    case trace::ColumnType::kUint8:
      return "u1";
    case trace::ColumnType::kFloat64:
      return "<f8";
    case trace::ColumnType::kFloat32:
      return "<f4";
  }
  SEPTET_ASSERT(false);
}

py::dtype dtype_of(const trace::TableSpec& spec) {
  py::list names, formats, offsets;
  for (const trace::ColumnSpec& column : spec.columns) {
    names.append(column.name);
    formats.append(py::dtype(format_of(column.type)));
    offsets.append(column.offset);
  }
  return py::dtype(names, formats, offsets, static_cast<py::ssize_t>(spec.row_size));
}

// {"name", "units", "long_name", "texts", "absent"} of each column.
py::list columns_of(const Table& table) {
  py::list out;
  for (const trace::ColumnSpec& column : table.spec().columns) {
    py::dict one;
    one["name"] = column.name;
    one["units"] = column.units;
    one["long_name"] = column.long_name;
    one["texts"] = table.texts(column);
    one["absent"] = column.absent ? py::object(py::int_(*column.absent)) : py::none();
    out.append(one);
  }
  return out;
}

}  // namespace

SharedRun keep(system::ProgramRun&& run) {
  command::Dictionaries texts = system::dictionaries_of(run.trace);
  return std::make_shared<const KeptRun>(KeptRun{std::move(run), std::move(texts)});
}

py::array Table::array() const {
  const trace::TableRows& table = rows();
  const py::capsule owner(new SharedRun(run_),
                          [](void* run) { delete static_cast<SharedRun*>(run); });
  const std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(table.size())};
  const std::vector<py::ssize_t> strides = {static_cast<py::ssize_t>(table.spec.row_size)};
  py::array out(dtype_of(table.spec), shape, strides, table.bytes.data(), owner);
  out.attr("setflags")(py::arg("write") = false);
  return out;
}

std::vector<std::string> Table::texts(const trace::ColumnSpec& column) const {
  if (!column.flags.empty()) return column.flags;
  const auto found = run_->dictionaries.find(column.dictionary);
  return found == run_->dictionaries.end() ? std::vector<std::string>{} : found->second;
}

std::vector<Table> tables_of(const SharedRun& run) {
  std::vector<Table> out;
  for (std::size_t i = 0; i < run->run.rows.tables().size(); ++i) out.emplace_back(run, i);
  return out;
}

void register_table(py::module_& module) {
  py::class_<Table>(module, "Table")
      .def_property_readonly("name", [](const Table& table) { return table.spec().name; })
      .def_property_readonly("long_name", [](const Table& table) { return table.spec().long_name; })
      .def_property_readonly("columns", &columns_of)
      .def("__len__", &Table::size)
      .def("array", &Table::array);
}

}  // namespace septet::python
