#include "models/host/host_tables.hpp"

#include "models/program/program.hpp"

namespace septet {

namespace {

std::vector<std::string> kinds_of_calls() {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < kCallKinds; ++k)
    names.push_back(trace_name(static_cast<CallKind>(k)));
  return names;
}

}  // namespace

TableSpec api_calls_table() {
  ColumnSpec kind{"kind", ColumnType::kUint8, "1", "what the call does"};
  kind.flags = kinds_of_calls();
  ColumnSpec manner{"manner", ColumnType::kUint8, "1", "how it does it"};
  manner.flags.assign(kCallManners.begin(), kCallManners.end());
  return {"api_calls",
          "api_call",
          {{"start", ColumnType::kInt64, "ps", "begin of the call"},
           {"end", ColumnType::kInt64, "ps", "end of the call"},
           {"waited", ColumnType::kInt64, "ps", "time blocked inside the call"},
           {"thread", ColumnType::kInt32, "1", "host thread", "thread"},
           {"stream", ColumnType::kInt32, "1", "stream, -1 where the call names none"},
           {"name", ColumnType::kInt32, "1", "name of the call", "call"},
           {"correlation", ColumnType::kInt64, "1", "correlation id, 0 where there is none"},
           kind,
           {"call", ColumnType::kInt64, "1", "index of the call in its thread"},
           {"object", ColumnType::kInt32, "1", "kernel, graph, event, device; -1: names none"},
           manner}};
}

std::int32_t call_code(std::uint8_t kind, std::uint32_t name) {
  if (name == kNone) return kind;
  return static_cast<std::int32_t>(kCallKinds + name);
}

}  // namespace septet
