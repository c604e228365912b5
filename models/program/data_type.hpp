// Types of numbers that operators compute with.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace septet {

enum class DataType : std::uint8_t { kBf16, kFp16, kFp8, kTf32, kFp32 };

constexpr double bytes_of(DataType type) {
  switch (type) {
    case DataType::kFp8:
      return 1;
    case DataType::kBf16:
    case DataType::kFp16:
      return 2;
    case DataType::kTf32:
    case DataType::kFp32:
      return 4;
  }
  return 4;
}

// "bf16", "fp16", "fp8", "tf32", "fp32"; nothing for any other name.
constexpr std::optional<DataType> data_type_named(std::string_view name) {
  if (name == "bf16") return DataType::kBf16;
  if (name == "fp16") return DataType::kFp16;
  if (name == "fp8") return DataType::kFp8;
  if (name == "tf32") return DataType::kTf32;
  if (name == "fp32") return DataType::kFp32;
  return std::nullopt;
}

}  // namespace septet
