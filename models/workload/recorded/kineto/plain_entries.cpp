#include "models/workload/recorded/kineto/plain_entries.hpp"

#include "core/base/error.hpp"

namespace septet::recorded {
namespace {

// Past white space; the text ends in a NUL.
const char* next_character(const char* at) {
  while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t') ++at;
  return at;
}

}  // namespace

void PlainEntries::take_entries() {
  const char* done = stream_.position();
  std::string_view text = input_.ahead(done);
  for (;;) {
    const ObjectScanner::Outcome outcome = scan_next(text);
    if (outcome == ObjectScanner::Outcome::kWhole) {
      hand_over();
      done = scanner_.end();
      text.remove_prefix(static_cast<std::size_t>(done - text.data()));
      continue;
    }
    const std::size_t before = text.size();
    if (outcome == ObjectScanner::Outcome::kUnfinished) text = input_.extend(done);
    done = text.data();
    if (text.size() == before) break;
  }
  stream_.resume(input_.resume(done));
}

// `text` starts just after an entry.
ObjectScanner::Outcome PlainEntries::scan_next(std::string_view text) {
  using enum ObjectScanner::Outcome;
  const char* const end = text.data() + text.size();
  const char* at = next_character(text.data());
  if (*at == ',') {
    at = next_character(at + 1);
    if (*at == '{') return scanner_.scan({at, end});
  }
  return at >= end ? kUnfinished : kNotPlain;
}

void PlainEntries::hand_over() {
  bool accepted = true;
  for (const ObjectScanner::Token& token : scanner_.tokens()) {
    const char* const text = token.text.data();
    const auto length = static_cast<rapidjson::SizeType>(token.text.size());
    switch (token.kind) {
      case JsonToken::kObjectStart:
        accepted = StartObject();
        break;
      case JsonToken::kObjectEnd:
        accepted = KinetoHandler::EndObject(0);
        break;
      case JsonToken::kArrayStart:
        accepted = StartArray();
        break;
      case JsonToken::kArrayEnd:
        accepted = EndArray(0);
        break;
      case JsonToken::kKey:
        accepted = Key(text, length, false);
        break;
      case JsonToken::kText:
        accepted = String(text, length, false);
        break;
      case JsonToken::kNumber:
        accepted = RawNumber(text, length, false);
        break;
      case JsonToken::kLiteral:
        accepted = Null();
        break;
    }
    SEPTET_ASSERT(accepted);  // a handler refuses only what lies outside of entries, or too deep
  }
}

}  // namespace septet::recorded
