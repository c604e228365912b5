// Cuts a plain JSON object into tokens, fast and without copying anything.
//
// Almost all entries that profilers write are plain: strings without escapes and control
// characters, numbers without exponents, a few levels of nesting, nothing that breaks the grammar.
// Anything else is rejected as a whole and left to a full parser, so that unusual text is
// interpreted in one place only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace septet::recorded {

enum class JsonToken : std::uint8_t {
  kObjectStart,
  kObjectEnd,
  kArrayStart,
  kArrayEnd,
  kKey,
  kText,
  kNumber,
  kLiteral,  // true, false or null
};

class ObjectScanner {
 public:
  static constexpr std::size_t kSlack = 8;  // readable bytes wanted after the text

  enum class Outcome : std::uint8_t {
    kWhole,       // tokens() are those of the object
    kUnfinished,  // the text ends before the object does
    kNotPlain,
  };

  struct Token {
    JsonToken kind = JsonToken::kLiteral;
    std::string_view text;  // without quotes; empty for brackets and literals
  };

  // Scans the object at the start of `text`, which a NUL and kSlack - 1 more bytes follow.
  Outcome scan(std::string_view text);

  std::span<const Token> tokens() const { return {tokens_.data(), count_}; }
  const char* end() const { return at_; }  // just after the object

 private:
  static constexpr int kDeepest = 8;
  static constexpr std::size_t kMostTokens = 1024;

  bool object(int depth);
  bool array(int depth);
  bool value(int depth);
  bool text(JsonToken kind);
  bool number();
  bool literal(std::string_view word);
  bool take(char wanted);
  void skip_white_space();
  bool add(JsonToken kind, std::string_view text = {});

  const char* at_ = nullptr;
  std::size_t count_ = 0;
  std::array<Token, kMostTokens> tokens_;
};

}  // namespace septet::recorded
