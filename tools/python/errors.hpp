// Exceptions of Septet in Python.
#pragma once

#include <pybind11/pybind11.h>

namespace septet::python {

// Lets the classes of the package stand for ours: ConfigError and UsageError become
// septet.ConfigError, ModelError becomes septet.ModelError, files that can't be read or written
// OSError.
void register_errors(pybind11::module_& module);

}  // namespace septet::python
