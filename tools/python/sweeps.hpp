// `sweep`.
#pragma once

#include <pybind11/pybind11.h>

namespace septet::python {

void register_sweeps(pybind11::module_& module);

}  // namespace septet::python
