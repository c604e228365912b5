// A number before and after.
#pragma once

#include <optional>
#include <string>

namespace septet::command {

struct NumberChange {
  double a = 0;
  double b = 0;
  double half_width = 0;  // of the 95 % interval of b - a; 0: no chance in it

  // 100 (b / a - 1); nothing where a is 0 and b is not.
  std::optional<double> percent() const;
  bool is_sure() const;  // a difference that chance doesn't explain
  // Whether it is sure and larger than this; one without a percentage is larger than any.
  bool exceeds(double limit_pct) const;
  // "+2.00 +- 0.50 %"; empty without a percentage.
  std::string percent_text() const;
};

}  // namespace septet::command
