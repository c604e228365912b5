#include "models/gpu/operators/tensor_rate.hpp"

#include <string>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

double peak(const TensorSpec& spec, program::DataType type) {
  switch (type) {
    case program::DataType::kBf16:
    case program::DataType::kFp16:
      return spec.bf16_flops;
    case program::DataType::kFp8:
      return spec.fp8_flops;
    case program::DataType::kTf32:
      return spec.tf32_flops;
    case program::DataType::kFp32:
      break;
  }
  return spec.fp32_flops;
}

}  // namespace

double peak_rate(const TensorSpec& spec, program::DataType type) {
  const double flops = peak(spec, type);
  if (flops > 0) return flops;
  throw ModelError("the GPU has no matrix instructions for " + std::string(text_of(type)));
}

double tensor_rate(const TensorSpec& spec, program::DataType type) {
  return peak_rate(spec, type) *
         (type == program::DataType::kFp32 ? spec.fp32_efficiency : spec.efficiency);
}

}  // namespace septet::gpu
