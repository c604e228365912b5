#include "models/workload/recorded/recording/utf8.hpp"

#include <algorithm>
#include <string_view>

#include "models/workload/recorded/json/rapidjson_reader.hpp"

namespace septet::recorded {
namespace {

// Length of the valid character that `text` starts with, 0 when there is none.
std::size_t character_length(std::string_view text) {
  rapidjson::MemoryStream stream(text.data(),
                                 text.size());  // a truncated character continues with NUL
  unsigned code = 0;
  return rapidjson::UTF8<>::Decode(stream, &code) && code != 0 ? stream.Tell() : 0;
}

bool is_plain(char byte) { return static_cast<signed char>(byte) > 0; }  // ASCII but NUL

}  // namespace

bool make_valid_utf8(std::string& text) {
  if (std::all_of(text.begin(), text.end(), is_plain)) return false;
  std::string out;
  bool replaced = false;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = character_length(rest);
    replaced = replaced || length == 0;
    out += length == 0 ? "\xEF\xBF\xBD" : rest.substr(0, length);
    rest.remove_prefix(std::max<std::size_t>(length, 1));
  }
  text = std::move(out);
  return replaced;
}

}  // namespace septet::recorded
