// The trace table of API calls.
#pragma once

#include "core/trace/table.hpp"

namespace septet {

// Columns: start, end, waited, thread, stream, name (dictionary "call"), correlation.
TableSpec api_calls_table();

// Dictionary "call": the kinds of calls, then the program's strings.
std::int32_t call_code(std::uint8_t kind, std::uint32_t name);

}  // namespace septet
