#include "tools/python/errors.hpp"

#include <string>

#include "core/base/error.hpp"
#include "core/base/error_parts.hpp"
#include "core/files/file_error.hpp"
#include "core/trace/hdf5_handle.hpp"
#include "tools/septet/options.hpp"

namespace septet::python {
namespace {

namespace py = pybind11;

// Never freed: they live as long as the interpreter, and the translator outlives the module.
struct Classes {
  py::object config;
  py::object model;
};
Classes& classes() {
  static auto* const kClasses = new Classes;
  return *kClasses;
}

py::object number_or_none(std::int64_t value) {
  return value > 0 ? py::object(py::int_(value)) : py::object(py::none());
}

py::object text_or_none(const std::string& text) {
  return text.empty() ? py::object(py::none()) : py::object(py::str(text));
}

void raise_config(const std::string& message, const std::string& reason, const Location& where) {
  const ErrorParts parts = parts_of(reason);
  py::object error = classes().config(message);
  error.attr("file") = text_or_none(where.file);
  error.attr("line") = number_or_none(where.line);
  error.attr("column") = number_or_none(where.column);
  error.attr("key") = text_or_none(parts.key);
  error.attr("got") = text_or_none(parts.got);
  error.attr("wanted") = text_or_none(parts.wanted);
  PyErr_SetObject(classes().config.ptr(), error.ptr());
}

void translate(std::exception_ptr pointer) {
  if (!pointer) return;
  try {
    std::rethrow_exception(pointer);
  } catch (const ConfigError& error) {
    raise_config(error.what(), error.reason(), error.where());
  } catch (const command::UsageError& error) {
    raise_config(error.what(), error.what(), {});
  } catch (const ModelError& error) {
    PyErr_SetString(classes().model.ptr(), error.what());
  } catch (const files::FileError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  } catch (const trace::TraceFileError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

void register_errors(py::module_& module) {
  module.def("set_error_classes", [](py::object config, py::object model) {
    classes() = {std::move(config), std::move(model)};
  });
  py::register_exception_translator(&translate);
}

}  // namespace septet::python
