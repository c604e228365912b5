// The trace table of API calls.
#pragma once

#include "core/trace/table.hpp"

namespace septet {

// One row a call, written when it ends; `name` is a code of dictionary "call".
TableSpec api_calls_table();

// Its columns, so that readers need no numbers.
enum class ApiCallColumn : std::uint8_t {
  kStart,
  kEnd,
  kWaited,
  kThread,
  kStream,
  kName,
  kCorrelation,
  kKind,
  kCall,
  kObject,
  kManner
};

// Dictionary "call": the kinds of calls, then the program's strings.
std::int32_t call_code(std::uint8_t kind, std::uint32_t name);

}  // namespace septet
