// Table /inputs: the input files of a run.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "core/trace/small_table.hpp"

namespace septet::records {

struct InputRecord {
  std::string file;
  std::string role;
  std::int64_t bytes = 0;
  std::string sha256;
};
inline const trace::SmallTable<InputRecord>& record_table_of(std::type_identity<InputRecord>) {
  using Row = InputRecord;
  static const trace::SmallTable<Row> kTable{
      "inputs",
      "input files of the run",
      {{"file", &Row::file, "name, without its folder"},
       {"role", &Row::role, "scenario, recording, GPU profile, host profile"},
       {"bytes", &Row::bytes, "size", "B"},
       {"sha256", &Row::sha256, "SHA-256 of its bytes, in hexadecimal"}}};
  return kTable;
}

}  // namespace septet::records
