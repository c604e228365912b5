#include "tools/septet/occupancy/kernel_choice.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/files/input.hpp"

namespace septet::command {
namespace {

constexpr std::size_t kNamesInAMessage = 8;

std::string listed(const std::vector<gpu::PtxasFunction>& functions) {
  std::string out;
  std::size_t shown = 0;
  for (const gpu::PtxasFunction& function : functions) {
    if (!function.entry) continue;
    if (++shown > kNamesInAMessage) return out + "\n  ...";
    out += fmt::format("\n  {} {}", function.architecture, function.name);
  }
  return out;
}

}  // namespace

std::vector<gpu::PtxasFunction> choose_kernels(const std::string& file, const std::string& name,
                                               const std::string& architecture) {
  const auto all = gpu::read_ptxas_report(files::read_text(file), file);
  const auto wanted = [&](const gpu::PtxasFunction& function) {
    const bool named = function.name.find(name) != std::string::npos ||
                       function.symbol.find(name) != std::string::npos;
    return function.entry && named &&
           (architecture.empty() || function.architecture == architecture);
  };
  std::vector<gpu::PtxasFunction> out;
  std::ranges::copy_if(all, std::back_inserter(out), wanted);
  if (out.empty()) {
    throw ConfigError({file}, fmt::format("no kernel named '{}' for '{}'; there are:{}", name,
                                          architecture, listed(all)));
  }
  return out;
}

}  // namespace septet::command
