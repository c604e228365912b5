#include "tools/septet/report/charts/figures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace septet::command {
namespace {

std::string with_thousands(std::string digits) {
  const std::size_t end = std::min(digits.find('.'), digits.size());
  const std::size_t begin = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = end; at > begin + 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

}  // namespace

std::string rounded(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  if (magnitude < -3) return fmt::format("{:.{}g}", value, digits);
  const int decimals = std::max(0, digits - magnitude);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  return with_thousands(text);
}

std::string time_text(double microseconds) {
  const double size = std::abs(microseconds);
  if (size >= 1e6) return rounded(microseconds / 1e6) + " s";
  if (size >= 1e3) return rounded(microseconds / 1e3) + " ms";
  return rounded(microseconds) + " us";
}

std::string percent_text(double share) { return rounded(100 * share) + " %"; }

}  // namespace septet::command
