// What changed between two results.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/septet/compare/number_change.hpp"
#include "tools/septet/compare/result_values.hpp"

namespace septet::command {

struct ValueChange {
  std::string key;
  std::optional<ResultValue> a;  // nothing: B alone has it
  std::optional<ResultValue> b;  // nothing: A alone has it
  double half_width = 0;         // of the 95 % interval of b - a, where both are means over seeds

  // Where both are numbers.
  std::optional<NumberChange> numbers() const;
  // Where they have a percentage.
  std::optional<double> change_pct() const;

  // Whether a number changed by more than this, up or down, or came or went. One that was 0 and
  // has no percentage exceeds any limit; a text never does, nor a change within its interval.
  bool exceeds(double limit_pct) const;
};

struct Comparison {
  std::vector<ValueChange> changes;  // in the order of A, then what only B has
  std::size_t equal = 0;
};

// Keys that are, or lie below, one of `ignored` are left out. A `mean` with a `half_width_95`
// beside it in both results is a mean over seeds: the interval of the difference is that of
// independent samples, the root of the sum of squares. The widths themselves are not compared.
Comparison compare_values(const ResultValues& a, const ResultValues& b,
                          const std::vector<std::string>& ignored = {});

std::size_t count_above(const Comparison& comparison, double limit_pct);

std::string comparison_text(const Comparison& comparison, std::size_t columns);
nlohmann::ordered_json comparison_json(const Comparison& comparison);

}  // namespace septet::command
