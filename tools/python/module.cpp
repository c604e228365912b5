// The extension module behind the Python package `septet`, which documents what users call.
#include <pybind11/pybind11.h>

#include "tools/python/errors.hpp"
#include "tools/python/questions.hpp"
#include "tools/python/studies.hpp"
#include "tools/python/sweeps.hpp"
#include "tools/python/table.hpp"
#include "tools/septet/version/build_info.hpp"

PYBIND11_MODULE(_septet, module) {
  septet::python::register_errors(module);
  septet::python::register_table(module);
  septet::python::register_studies(module);
  septet::python::register_questions(module);
  septet::python::register_sweeps(module);
  module.attr("version") = septet::command::build_info().version;
}
