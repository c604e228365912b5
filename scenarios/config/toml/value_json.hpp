// A configuration as JSON, without the places.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "scenarios/config/toml/value.hpp"

namespace septet::config {

nlohmann::ordered_json json_of(const ConfigValue& value);

}  // namespace septet::config
