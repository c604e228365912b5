// A table of a run for numpy: its rows stay where the run left them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "scenarios/system/run_program.hpp"
#include "tools/septet/export/run_tables.hpp"

namespace septet::python {

// A run that ended, kept for its rows.
struct KeptRun {
  system::ProgramRun run;
  command::Dictionaries dictionaries;  // texts by code
};
using SharedRun = std::shared_ptr<const KeptRun>;

SharedRun keep(system::ProgramRun&& run);

class Table {
 public:
  Table(SharedRun run, std::size_t index) : run_(std::move(run)), index_(index) {}

  const trace::TableSpec& spec() const { return rows().spec; }
  std::size_t size() const { return rows().size(); }

  // All rows as a structured array; read-only, without a copy.
  pybind11::array array() const;

  // The texts of a column's codes or values; none of plain numbers.
  std::vector<std::string> texts(const trace::ColumnSpec& column) const;

 private:
  const trace::TableRows& rows() const { return run_->run.rows.tables()[index_]; }

  SharedRun run_;
  std::size_t index_;
};

// By name, in the order of the trace file.
std::vector<Table> tables_of(const SharedRun& run);

void register_table(pybind11::module_& module);

}  // namespace septet::python
