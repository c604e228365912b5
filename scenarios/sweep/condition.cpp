#include "scenarios/sweep/condition.hpp"

#include <cctype>
#include <charconv>
#include <compare>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/units.hpp"

namespace septet::sweep {
namespace {

using config::ConfigValue;

// A number, with the kind of quantity that it is of, or a text.
struct Value {
  std::optional<double> number;
  std::string kind;
  std::string text;
};

// Leaves `out` as it is where the text is no quantity of this kind, or it already is one.
template <class Parse>
void take(const std::string& text, const char* kind, Parse parse, Value& out) {
  if (out.number) return;
  try {
    out.number = static_cast<double>(parse(text).count());
    out.kind = kind;
  } catch (const UnitError&) {  // of another kind, or none
  }
}

Value value_of(const std::string& text) {
  Value out;
  out.text = text;
  take(text, "duration", parse_duration, out);
  take(text, "size", parse_bytes, out);
  take(text, "rate", parse_byte_rate, out);
  take(text, "frequency", parse_frequency, out);
  take(text, "power", parse_power, out);
  return out;
}

Value value_of(const ConfigValue& value) {
  if (const auto* text = value.string()) return value_of(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) {
    return {static_cast<double>(*whole), "", ""};
  }
  if (const auto* real = std::get_if<double>(&value.data)) return {*real, "", ""};
  if (const auto* flag = std::get_if<bool>(&value.data)) return {{}, "", *flag ? "true" : "false"};
  return {{}, "", described(value)};
}

// Nothing where the two have no order but are equal or not.
std::partial_ordering order_of(const Value& a, const Value& b) {
  if (a.number && b.number && a.kind == b.kind) return *a.number <=> *b.number;
  return a.text == b.text ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
}

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
}

}  // namespace

struct Condition::Node {
  std::string what;  // "or", "and", "not", an operator, "key", "value"
  std::string key;
  Value value;
  std::vector<Node> parts;
};

class Condition::Parser {
 public:
  Parser(const std::string& text, const Location& where) : text_(text), where_(where) {}

  Node parse() {
    Node out = any();
    skip();
    if (at_ != text_.size()) fail("the end, and, or");
    return out;
  }

 private:
  Node any() {
    Node left = all();
    while (word("or")) left = joined("or", std::move(left), all());
    return left;
  }

  Node all() {
    Node left = term();
    while (word("and")) left = joined("and", std::move(left), term());
    return left;
  }

  Node term() {
    if (++depth_ > kDeepest) fail("fewer parentheses");
    Node out;
    if (word("not")) {
      out.what = "not";
      out.parts.push_back(term());
    } else if (symbol("(")) {
      out = any();
      if (!symbol(")")) fail(")");
    } else {
      out = comparison();
    }
    --depth_;
    return out;
  }

  Node comparison() {
    Node left = operand();
    for (const char* name : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (symbol(name)) return joined(name, std::move(left), operand());
    }
    fail("one of == != < <= > >=");
  }

  Node operand() {
    skip();
    Node out;
    out.what = "value";
    if (at_ == text_.size()) fail("a key, a number or a 'text'");
    if (text_[at_] == '\'') {
      const std::size_t end = text_.find('\'', at_ + 1);
      if (end == std::string::npos) fail("a closing '");
      out.value = value_of(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return out;
    }
    double number = 0;
    const auto [next, error] = std::from_chars(&text_[at_], text_.data() + text_.size(), number);
    if (error == std::errc{}) {
      at_ = static_cast<std::size_t>(next - text_.data());
      out.value.number = number;
      return out;
    }
    std::size_t end = at_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    if (end == at_) fail("a key, a number or a 'text'");
    out.what = "key";
    out.key = text_.substr(at_, end - at_);
    at_ = end;
    return out;
  }

  static Node joined(const char* what, Node left, Node right) {
    Node out;
    out.what = what;
    out.parts.push_back(std::move(left));
    out.parts.push_back(std::move(right));
    return out;
  }

  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool symbol(const std::string& wanted) {
    skip();
    if (text_.compare(at_, wanted.size(), wanted) != 0) return false;
    at_ += wanted.size();
    return true;
  }

  bool word(const std::string& wanted) {
    skip();
    const std::size_t end = at_ + wanted.size();
    const bool alone = end >= text_.size() || !is_name(text_[end]);
    return alone && symbol(wanted);
  }

  [[noreturn]] void fail(const std::string& wanted) const {
    throw ConfigError::value(where_, "sweep.where",
                             at_ < text_.size() ? "\"" + text_.substr(at_) + "\"" : "the end",
                             wanted);
  }

  static constexpr int kDeepest = 100;

  const std::string& text_;
  const Location& where_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

namespace {

// Of a comparison.
bool compared(const std::string& what, std::partial_ordering order) {
  if (what == "==") return order == std::partial_ordering::equivalent;
  if (what == "!=") return order != std::partial_ordering::equivalent;
  if (what == "<") return order < 0;
  if (what == "<=") return order <= 0;
  if (what == ">") return order > 0;
  return order >= 0;
}

}  // namespace

Condition::Condition(const std::string& text, Location where) : where_(std::move(where)) {
  if (!text.empty()) root_ = std::make_unique<Node>(Parser(text, where_).parse());
}

Condition::~Condition() = default;
Condition::Condition(Condition&&) noexcept = default;

bool Condition::holds(const Lookup& lookup) const {
  const auto operand = [&](const Node& node) {
    if (node.what == "value") return node.value;
    const ConfigValue* value = lookup(node.key);
    if (value == nullptr) {
      throw ConfigError::value(where_, "sweep.where", node.key, "a key of an axis or the scenario");
    }
    return value_of(*value);
  };
  const std::function<bool(const Node&)> truth = [&](const Node& node) {
    if (node.what == "or") return truth(node.parts[0]) || truth(node.parts[1]);
    if (node.what == "and") return truth(node.parts[0]) && truth(node.parts[1]);
    if (node.what == "not") return !truth(node.parts[0]);
    const std::partial_ordering order = order_of(operand(node.parts[0]), operand(node.parts[1]));
    const bool equality = node.what == "==" || node.what == "!=";
    if (order == std::partial_ordering::unordered && !equality) {
      throw ConfigError::value(where_, "sweep.where", "values without an order",
                               "numbers or quantities of one kind on both sides of " + node.what);
    }
    return compared(node.what, order);
  };
  return root_ == nullptr || truth(*root_);
}

}  // namespace septet::sweep
