#include "scenarios/whatif/recorded_class.hpp"

#include <array>
#include <cstdlib>

#include <re2/re2.h>

namespace septet::whatif {
namespace {

struct Numbers {
  std::array<double, 3> of{};
  std::size_t count = 0;
};

// The first "AxB" or "AxBxC" of sides that a tile can have; strides and clusters are smaller.
Numbers tile_in(const std::string& name) {
  static const RE2 kTile(R"((\d+)x(\d+)(?:x(\d+))?)");
  static const RE2 kCute(R"(C<(\d+)>\s*,\s*(?:cute::)?C<(\d+)>\s*,\s*(?:cute::)?C<(\d+)>)");
  constexpr double kLeastSide = 8;
  for (const RE2* pattern : {&kTile, &kCute}) {
    re2::StringPiece rest(name);
    std::array<std::string, 3> sides;
    while (RE2::FindAndConsume(&rest, *pattern, &sides[0], &sides[1], &sides[2])) {
      Numbers out;
      for (const std::string& side : sides) {
        if (side.empty()) break;
        out.of[out.count++] = std::strtod(side.c_str(), nullptr);
      }
      if (out.of[0] >= kLeastSide && out.of[1] >= kLeastSide) return out;
    }
  }
  return {};
}

bool matches(const std::string& name, const RE2& pattern) {
  return RE2::PartialMatch(name, pattern);
}

WorkClass class_in(const std::string& name) {
  static const RE2 kCollective("(?i)nccl");
  static const RE2 kHelpers("(?i)reduce|combine|prepare|convert|transpose|nchwToNhwc");
  static const RE2 kAttention("(?i)flash|fmha|sdpa|attention|attn");
  static const RE2 kProduct(
      "(?i)gemm|nvjet|xmma|cutlass.*(tensorop|simt)|wgrad|dgrad|fprop|implicit_convolve|conv2d");
  static const RE2 kPlain("^(?:void )?at::native");
  if (matches(name, kCollective)) return WorkClass::kCollective;
  if (matches(name, kPlain) || matches(name, kHelpers)) return WorkClass::kOther;
  if (matches(name, kAttention)) return WorkClass::kAttention;
  return matches(name, kProduct) ? WorkClass::kProduct : WorkClass::kOther;
}

program::DataType type_in(const std::string& name) {
  static const RE2 kFp8("(?i)qqt|fp8|e4m3|e5m2|float_?8");
  static const RE2 kTf32("(?i)tf32|nvjet_sss|nvjet_sm\\d+_sss");
  static const RE2 kFp32("(?i)sgemm|ffma|f32f32_f32f32|simt");
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
