#include "models/host/host_tables.hpp"

#include "models/program/program.hpp"

namespace septet {

TableSpec api_calls_table() {
  return {"api_calls",
          "api_call",
          {{"start", ColumnType::kInt64, "ps", "begin of the call"},
           {"end", ColumnType::kInt64, "ps", "end of the call"},
           {"waited", ColumnType::kInt64, "ps", "time blocked inside the call"},
           {"thread", ColumnType::kInt32, "1", "host thread", "thread"},
           {"stream", ColumnType::kInt32, "1", "stream, -1 where the call names none"},
           {"name", ColumnType::kInt32, "1", "name of the call", "call"},
           {"correlation", ColumnType::kInt64, "1", "correlation id, 0 where there is none"}}};
}

std::int32_t call_code(std::uint8_t kind, std::uint32_t name) {
  if (name == kNone) return kind;
  return static_cast<std::int32_t>(kCallKinds + name);
}

}  // namespace septet
