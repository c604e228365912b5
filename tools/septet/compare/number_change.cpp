#include "tools/septet/compare/number_change.hpp"

#include <cmath>

#include <fmt/format.h>

namespace septet::command {

std::optional<double> NumberChange::percent() const {
  if (a == b) return 0;
  if (a == 0) return std::nullopt;
  return 100 * (b - a) / std::abs(a);
}

bool NumberChange::is_sure() const { return a != b && std::abs(b - a) > half_width; }

bool NumberChange::exceeds(double limit_pct) const {
  return is_sure() && (!percent() || std::abs(*percent()) > limit_pct);
}

std::string NumberChange::percent_text() const {
  if (!percent()) return "";
  if (half_width == 0) return fmt::format("{:+.2f} %", *percent());
  return fmt::format("{:+.2f} +- {:.2f} %", *percent(), 100 * half_width / std::abs(a));
}

}  // namespace septet::command
