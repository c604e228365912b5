#include "scenarios/explain/operator_help.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace septet {

std::string flag_of(std::string key) {
  std::ranges::replace(key, '_', '-');
  return key;
}

namespace {

std::vector<std::string> flags(const std::vector<std::string>& keys) {
  std::vector<std::string> out;
  for (const std::string& key : keys) out.push_back("--" + flag_of(key));
  return out;
}

}  // namespace

const Fields<OperatorText>& asked_operator_fields() {
  using S = OperatorText;
  static const Fields<S> rows = [] {
    Fields<S> out = operator_shape_fields("op");
    const Fields<S> more = {
        field("l2", &S::l2,
              "cold: the L2 cache holds nothing of the operands and is full of what others wrote; "
              "warm: the call is repeated, and the cache keeps what fits; default cold"),
        field("steady", &S::steady,
              "such calls have run for so long that the clock has settled; default false: full "
              "clock"),
    };
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }();
  return rows;
}

std::string operator_list() {
  std::string out;
  for (const OperatorKind& kind : operator_kinds()) {
    out += fmt::format("  {}: {}\n      {}", kind.name, kind.description,
                       fmt::join(flags(kind.needs), " "));
    if (!kind.may_have.empty()) {
      out += fmt::format("\n      [{}]", fmt::join(flags(kind.may_have), " "));
    }
    out += fmt::format("\n      --dtype {}\n", fmt::join(kind.types, "|"));
  }
  return out;
}

std::string operator_reference() {
  std::string out =
      "### Operators\n\n| op | needs | may have | dtype | what it is |\n"
      "|---|---|---|---|---|\n";
  for (const OperatorKind& kind : operator_kinds()) {
    out +=
        fmt::format("| `{}` | {} | {} | {} | {} |\n", kind.name, fmt::join(kind.needs, ", "),
                    fmt::join(kind.may_have, ", "), fmt::join(kind.types, ", "), kind.description);
  }
  return out + "\n";
}

}  // namespace septet
