#include "tools/septet/short_name.hpp"

#include <string_view>

namespace septet {
namespace {

void erase_all(std::string& text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) {
    text.erase(at, part.size());
  }
}

}  // namespace

std::string short_kernel_name(const std::string& name) {
  std::string out = name;
  erase_all(out, "(anonymous namespace)::");
  if (out.starts_with("void ")) out.erase(0, std::string_view("void ").size());
  const std::size_t end = out.find_first_of("<(");
  if (end != std::string::npos && end > 0) out.erase(end);
  const std::size_t scope = out.rfind("::");
  if (scope != std::string::npos && scope + 2 < out.size()) out.erase(0, scope + 2);
  return out;
}

}  // namespace septet
