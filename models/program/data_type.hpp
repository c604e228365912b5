// Types of numbers that operators compute with.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/base/enum_texts.hpp"

namespace septet::program {

enum class DataType : std::uint8_t { kBf16, kFp16, kFp8, kTf32, kFp32 };

constexpr auto enum_table(std::type_identity<DataType>) {
  return enum_texts<DataType>("bf16", "fp16", "fp8", "tf32", "fp32");
}

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

}  // namespace septet::program
