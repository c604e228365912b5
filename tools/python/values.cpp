#include "tools/python/values.hpp"

#include <nlohmann/json.hpp>

#include "scenarios/config/toml/toml_writer.hpp"

namespace septet::python {
namespace {

namespace py = pybind11;
using config::ConfigValue;

[[noreturn]] void refuse(py::handle value, const std::string& path, const Location& where) {
  const std::string type = py::str(py::type::handle_of(value).attr("__name__"));
  throw ConfigError::value(where, path.empty() ? "the scenario" : path, "a value of type " + type,
                           "a dict, list, str, int, float or bool");
}

ConfigValue value_of(py::handle value, const std::string& path, const Location& where);

ConfigValue::Table table_of(const py::dict& dict, const std::string& path, const Location& where) {
  ConfigValue::Table out;
  for (const auto& [key, value] : dict) {
    if (!py::isinstance<py::str>(key)) {
      throw ConfigError::value(where, path.empty() ? "the scenario" : path,
                               "the key " + std::string(py::repr(key)), "keys of type str");
    }
    const std::string name = key.cast<std::string>();
    out.push_back({name, where, value_of(value, config::joined(path, name), where)});
  }
  return out;
}

ConfigValue::Array array_of(py::handle list, const std::string& path, const Location& where) {
  ConfigValue::Array out;
  for (const py::handle element : list) {
    out.push_back(value_of(element, path + "." + std::to_string(out.size()), where));
  }
  return out;
}

std::int64_t integer_of(py::handle value, const std::string& path, const Location& where) {
  const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) throw py::error_already_set();
  int overflow = 0;
  const std::int64_t out = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) {
    throw ConfigError::value(where, path, std::string(py::str(number)), "a number of 64 bits");
  }
  return out;
}

ConfigValue value_of(py::handle value, const std::string& path, const Location& where) {
  if (py::isinstance<py::dict>(value)) {
    return {table_of(py::reinterpret_borrow<py::dict>(value), path, where), where};
  }
  if (py::isinstance<py::str>(value)) return {value.cast<std::string>(), where};
  if (py::isinstance<py::bool_>(value)) return {value.cast<bool>(), where};
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    return {array_of(value, path, where), where};
  }
  if (py::hasattr(value, "__fspath__")) return {std::string(py::str(value)), where};
  if (PyIndex_Check(value.ptr()) != 0) return {integer_of(value, path, where), where};
  if (PyFloat_Check(value.ptr())) return {value.cast<double>(), where};
  if (py::hasattr(value, "dtype") && py::hasattr(value, "item")) {
    return value_of(value.attr("item")(), path, where);  // a number of numpy
  }
  refuse(value, path, where);
}

}  // namespace

ConfigValue tree_of(py::handle value, const std::string& file) {
  return value_of(value, "", Location{file});
}

std::vector<std::string> settings_of(const py::dict& values) {
  std::vector<std::string> out;
  for (const auto& [key, value] : values) {
    const std::string name = py::str(key);
    out.push_back(name + "=" + config::inline_toml(value_of(value, name, Location{"--set"})));
  }
  return out;
}

py::object python_of(const nlohmann::ordered_json& json) {
  if (json.is_null()) return py::none();
  if (json.is_boolean()) return py::bool_(json.get<bool>());
  if (json.is_number_unsigned()) return py::int_(json.get<std::uint64_t>());
  if (json.is_number_integer()) return py::int_(json.get<std::int64_t>());
  if (json.is_number()) return py::float_(json.get<double>());
  if (json.is_string()) {  // names from a recording need not be valid UTF-8
    const auto& text = json.get_ref<const std::string&>();
    return py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  }
  if (json.is_array()) {
    py::list out;
    for (const auto& element : json) out.append(python_of(element));
    return out;
  }
  py::dict out;
  for (const auto& [key, value] : json.items()) out[py::str(key)] = python_of(value);
  return out;
}

}  // namespace septet::python
