// Group roofline: each thread loads 16 bytes, computes in four chains and goes on.
#include "tools/probe/parts.cuh"

namespace probe {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 30;

template <int kFma>
__global__ void roofline_kernel(const float4* __restrict__ from, float* out, std::size_t count,
                                float factor) {
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  float total = 0;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    float4 v = __ldcg(from + i);
#pragma unroll
    for (int j = 0; j < kFma / 4; ++j) {
      v.x = fmaf(v.x, factor, 0.5f);
      v.y = fmaf(v.y, factor, 0.5f);
      v.z = fmaf(v.z, factor, 0.5f);
      v.w = fmaf(v.w, factor, 0.5f);
    }
    total += v.x + v.y + v.z + v.w;
  }
  if (total == 12345.678f) *out = total;
}

template <int kFma>
void roofline_case(Rows& rows, const Device& device, const float4* from, float* out) {
  constexpr int kRuns = 3;
  constexpr int kThreads = 256;
  constexpr int kOtherInstructions = 11;  // as nvcc 13 compiles it for compute capability 9.0
  const void* kernel = reinterpret_cast<const void*>(roofline_kernel<kFma>);
  for (const int per_sm : {1, 2, 4, 8}) {
    const int blocks = device.sm_count * per_sm;
    const double time = event_us(
        kRuns,
        [&] {
          roofline_kernel<kFma><<<blocks, kThreads>>>(from, out, kBytes / sizeof(float4), 0.999f);
        },
        1);
    rows.add(Case("roofline")
                 .number("fma_per_16B", kFma)
                 .number("blocks_per_sm", per_sm)
                 .number("threads", kThreads)
                 .number("bytes_read", kBytes)
                 .number("blocks", blocks)
                 .number("vec", 16)
                 .number("unroll", 1)
                 .number("independent_chains", 4)
                 .number("registers", registers_of(kernel))
                 .number("other_instructions_per_16B", kOtherInstructions)
                 .number("flop", 2.0 * kFma * (kBytes / 16)),
             "device_time", time, "us", kRuns);
  }
}

}  // namespace

void measure_roofline(Rows& rows, const Device& device) {
  rows.group("roofline");
  const Buffer<float4> from(kBytes);
  const Buffer<float> out(64);
  roofline_case<4>(rows, device, from.get(), out.get());
  roofline_case<32>(rows, device, from.get(), out.get());
  roofline_case<128>(rows, device, from.get(), out.get());
  roofline_case<512>(rows, device, from.get(), out.get());
}

}  // namespace probe
