// Values that may be unknown, in JSON.
#pragma once

#include <optional>

#include <nlohmann/json.hpp>

namespace septet::command {

template <class Value>
nlohmann::ordered_json or_null(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

}  // namespace septet::command
