#include "tools/septet/short_name.hpp"

#include <string_view>

namespace septet::command {
namespace {

void erase_all(std::string& text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) {
    text.erase(at, part.size());
  }
}

// What stands before the parameters, without template arguments: "type ns::kernel" of
// "enable_if<x>::type ns::kernel<int>(int)".
std::string without_arguments(const std::string& name) {
  std::string out;
  std::size_t depth = 0;
  for (const char c : name) {
    if (c == '(' && depth == 0) break;
    if (c == '<') ++depth;
    if (depth == 0) out += c;
    if (c == '>' && depth > 0) --depth;
  }
  return out;
}

}  // namespace

std::string short_kernel_name(const std::string& name) {
  std::string out = name;
  // As PyTorch's profiler and as Nsight Compute write it.
  for (const char* nameless : {"(anonymous namespace)::", "<unnamed>::"}) erase_all(out, nameless);
  out = without_arguments(out);
  const std::size_t result = out.rfind(' ');
  if (result != std::string::npos) out.erase(0, result + 1);
  const std::size_t scope = out.rfind("::");
  if (scope != std::string::npos && scope + 2 < out.size()) out.erase(0, scope + 2);
  return out.empty() ? name : out;
}

}  // namespace septet::command
