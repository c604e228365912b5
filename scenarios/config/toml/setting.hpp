// Layers over a configuration: another tree, or one `key=value`.
//
// A key is a dotted path. An element of a list is called by its `name` or its index:
// "kernel.spin.block_time", "thread.main.steps.0.times".
#pragma once

#include <string>

#include "scenarios/config/toml/value.hpp"

namespace septet::config {

// Overlays `over` on `base`: its values replace those of `base`, its tables are merged with theirs.
// A number with a source ({ value, source }) is replaced as a whole. Throws ConfigError, located at
// the value of `over`, where a path leads through something that is no table, or names an element
// that a list doesn't have.
void lay_over(ConfigValue& base, const ConfigValue& over);

// "key=value" as a tree of its own. The value is TOML where it reads as TOML ("16", "true",
// "[1, 2]"), else a string ("2.5 us", "h200-sxm"). `origin` is what locations name: "--set".
ConfigValue read_setting(const std::string& setting, const std::string& origin);

// The value at a dotted key of nested tables; null where there is none. Elements of lists have the
// keys that --set knows: their names, or their places.
const ConfigValue* find_dotted(const ConfigValue& tree, const std::string& key);

// A table whose keys may be dotted strings ("gpu.l2") as a tree without dotted keys. Keys inside
// lists stay as they are.
ConfigValue undotted(const ConfigValue& table);

}  // namespace septet::config
