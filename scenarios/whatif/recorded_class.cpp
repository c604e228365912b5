#include "scenarios/whatif/recorded_class.hpp"

#include <array>
#include <cstdlib>
#include <regex>

namespace septet::whatif {
namespace {

struct Numbers {
  std::array<double, 3> of{};
  std::size_t count = 0;
};

// The first "AxB" or "AxBxC" of sides that a tile can have; strides and clusters are smaller.
Numbers tile_in(const std::string& name) {
  static const std::regex kTile(R"((\d+)x(\d+)(?:x(\d+))?)");
  static const std::regex kCute(R"(C<(\d+)>\s*,\s*(?:cute::)?C<(\d+)>\s*,\s*(?:cute::)?C<(\d+)>)");
  constexpr double kLeastSide = 8;
  for (const std::regex* pattern : {&kTile, &kCute}) {
    auto at = std::sregex_iterator(name.begin(), name.end(), *pattern);
    for (; at != std::sregex_iterator(); ++at) {
      Numbers out;
      for (std::size_t group = 1; group < at->size(); ++group) {
        if (!(*at)[group].matched) break;
        out.of[out.count++] = std::strtod((*at)[group].str().c_str(), nullptr);
      }
      if (out.of[0] >= kLeastSide && out.of[1] >= kLeastSide) return out;
    }
  }
  return {};
}

bool matches(const std::string& name, const std::regex& pattern) {
  return std::regex_search(name, pattern);
}

WorkClass class_in(const std::string& name) {
  static const std::regex kCollective("nccl", std::regex::icase);
  static const std::regex kHelpers("reduce|combine|prepare|convert|transpose|nchwToNhwc",
                                   std::regex::icase);
  static const std::regex kAttention("flash|fmha|sdpa|attention|attn", std::regex::icase);
  static const std::regex kProduct(
      "gemm|nvjet|xmma|cutlass.*(tensorop|simt)|wgrad|dgrad|fprop|implicit_convolve|conv2d",
      std::regex::icase);
  static const std::regex kPlain("^(?:void )?at::native");
  if (matches(name, kCollective)) return WorkClass::kCollective;
  if (matches(name, kPlain) || matches(name, kHelpers)) return WorkClass::kOther;
  if (matches(name, kAttention)) return WorkClass::kAttention;
  return matches(name, kProduct) ? WorkClass::kProduct : WorkClass::kOther;
}

program::DataType type_in(const std::string& name) {
  static const std::regex kFp8("qqt|fp8|e4m3|e5m2|float_?8", std::regex::icase);
  static const std::regex kTf32("tf32|nvjet_sss|nvjet_sm\\d+_sss", std::regex::icase);
  static const std::regex kFp32("sgemm|ffma|f32f32_f32f32|simt", std::regex::icase);
  if (matches(name, kFp8)) return program::DataType::kFp8;
  if (matches(name, kTf32)) return program::DataType::kTf32;
  return matches(name, kFp32) ? program::DataType::kFp32 : program::DataType::kBf16;
}

}  // namespace

RecordedClass recorded_class(const std::string& kernel_name) {
  RecordedClass out;
  out.work = class_in(kernel_name);
  if (out.work != WorkClass::kProduct && out.work != WorkClass::kAttention) return out;
  out.type = type_in(kernel_name);
  const Numbers tile = tile_in(kernel_name);
  if (tile.count == 0) return out;
  out.rows = tile.of[0];
  out.columns = tile.of[1];
  if (tile.count == 3) out.depth = tile.of[2];
  return out;
}

}  // namespace septet::whatif
