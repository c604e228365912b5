// The formats in which weights, keys and values are stored, and what products make of them.
#pragma once

#include <cstdint>

#include "core/base/enum_texts.hpp"
#include "models/program/data_type.hpp"

namespace septet::transformer {

enum class NumberFormat : std::uint8_t { kFp32, kBf16, kFp16, kFp8, kInt8, kInt4, kMxfp4, kNvfp4 };

constexpr auto enum_table(std::type_identity<NumberFormat>) {
  return enum_texts<NumberFormat>("fp32", "bf16", "fp16", "fp8", "int8", "int4", "mxfp4", "nvfp4");
}

// Bytes of an element with its share of the scales: int4 one of 16 bits and a zero of 4 for 128
// (AWQ, GPTQ), mxfp4 one of 8 bits for 32 (OCP Microscaling Formats 1.0), nvfp4 one of 8 bits for
// 16 (NVIDIA, "Introducing NVFP4").
constexpr double bytes_of(NumberFormat format) {
  switch (format) {
    case NumberFormat::kFp32:
      return 4;
    case NumberFormat::kBf16:
    case NumberFormat::kFp16:
      return 2;
    case NumberFormat::kFp8:
    case NumberFormat::kInt8:
      return 1;
    case NumberFormat::kInt4:
      return 0.5 + 20.0 / 8 / 128;
    case NumberFormat::kMxfp4:
      return 0.5 + 1.0 / 32;
    case NumberFormat::kNvfp4:
      return 0.5 + 1.0 / 16;
  }
  return 2;
}

// The type that products of such weights compute with. Weights of four bits are converted to
// sixteen on the way into the tensor cores, as kernels without an instruction for them do.
constexpr program::DataType computed_in(NumberFormat format) {
  switch (format) {
    case NumberFormat::kFp32:
      return program::DataType::kFp32;
    case NumberFormat::kFp16:
      return program::DataType::kFp16;
    case NumberFormat::kFp8:
    case NumberFormat::kInt8:
      return program::DataType::kFp8;
    default:
      return program::DataType::kBf16;
  }
}

}  // namespace septet::transformer
