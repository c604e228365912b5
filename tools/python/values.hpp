// Values of Python as configuration, and reports as values of Python.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <pybind11/pybind11.h>

#include "scenarios/config/toml/value.hpp"

namespace septet::python {

// dict, list or tuple, bool, int, float, str and paths, and numbers of numpy. `file` is what errors
// name as the place. Throws ConfigError for anything else.
config::ConfigValue tree_of(pybind11::handle value, const std::string& file);

// {"kernel.step.grid": 132} as the "key=value" of --set.
std::vector<std::string> settings_of(const pybind11::dict& values);

pybind11::object python_of(const nlohmann::ordered_json& json);

}  // namespace septet::python
