// The condition `where` of a sweep.
//
//   condition  = conjunction { "or" conjunction }
//   conjunction = term { "and" term }
//   term       = "not" term | "(" condition ")" | value OPERATOR value
//   OPERATOR   = "==" "!=" "<" "<=" ">" ">="
//   value      = NUMBER | 'TEXT' | KEY
//
// Texts that are quantities of one kind ("2 us", "0.01 ms") compare by size, others only for
// equality.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "scenarios/config/toml/value.hpp"

namespace septet::sweep {

class Condition {
 public:
  // The value of a key at a point; null where there is none.
  using Lookup = std::function<const config::ConfigValue*(const std::string& key)>;

  // Empty text: always true. Throws ConfigError, located at `where`.
  Condition(const std::string& text, Location where);
  ~Condition();
  Condition(Condition&&) noexcept;

  // Throws ConfigError for a key that isn't there and texts that have no order.
  bool holds(const Lookup& lookup) const;

 private:
  struct Node;
  class Parser;

  std::unique_ptr<Node> root_;
  Location where_;
};

}  // namespace septet::sweep
