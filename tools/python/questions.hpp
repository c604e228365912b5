// `explain`, `occupancy`, `validate` and `capacity`, and what is asked about files.
#pragma once

#include <pybind11/pybind11.h>

namespace septet::python {

void register_questions(pybind11::module_& module);

}  // namespace septet::python
