// Small tables as one compound dataset, which pandas.read_hdf reads in one line. Text is UTF-8 of
// the longest entry's length; the unit of field x is the attribute units_x.
#pragma once

#include <string>
#include <vector>

#include "core/trace/file_content.hpp"
#include "core/trace/hdf5_handle.hpp"

namespace septet::trace {

// Asserts columns of equal length, at least one.
void write_compound_dataset(hid_t parent, const std::string& name, const std::string& long_name,
                            const std::vector<CompoundColumn>& columns);

std::vector<CompoundColumn> read_compound_dataset(hid_t parent, const std::string& name);

}  // namespace septet::trace
