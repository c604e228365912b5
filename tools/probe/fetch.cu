// Group compute: straight-line bodies of increasing length, and diverging warps.
#include <algorithm>

#include "tools/probe/parts.cuh"

namespace probe {
namespace {

constexpr int kRuns = 5;
constexpr int kInstructionBytes = 16;

template <int kBody>
__global__ void body_kernel(float* memory, int turns) {
  float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
  const float factor = memory[0], addend = memory[1];
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int i = 0; i < kBody / 4; ++i) {
      a = fmaf(a, factor, addend);
      b = fmaf(b, factor, addend);
      c = fmaf(c, factor, addend);
      d = fmaf(d, factor, addend);
    }
  }
  if (a + b + c + d == 1.2345e-30f) memory[3] = a;
}

template <int kBody>
void body_case(Rows& rows, const Device& device, float* memory) {
  constexpr int kTurns = (1 << 20) / kBody;
  const void* kernel = reinterpret_cast<const void*>(body_kernel<kBody>);
  for (const int warps : {4, 16, 32}) {
    const double time = event_us(
        kRuns, [&] { body_kernel<kBody><<<device.sm_count, warps * 32>>>(memory, kTurns); });
    rows.add(Case("icache")
                 .number("body_instr", kBody)
                 .number("body_kbytes", kBody * kInstructionBytes / 1024)
                 .number("warps_per_sm", warps)
                 .number("iters", kTurns)
                 .number("blocks", device.sm_count)
                 .number("threads", warps * 32)
                 .number("registers", registers_of(kernel))
                 .number("independent_chains", 4),
             "device_time", time, "us", kRuns);
  }
}

constexpr int kPath = 64;

// Lane n takes path n mod `ways` of a jump table.
__global__ void diverge_kernel(float* memory, int ways, int turns) {
  const int path = static_cast<int>(threadIdx.x & 31) % ways;
  float x = threadIdx.x;
  const float factor = memory[0];
#define PATH(n)                                                                      \
  case n: {                                                                          \
    _Pragma("unroll") for (int i = 0; i < kPath; ++i) x = fmaf(x, factor, n + 0.5f); \
    break;                                                                           \
  }
  for (int turn = 0; turn < turns; ++turn) {
    switch (path) {
      PATH(0);
      PATH(1);
      PATH(2);
      PATH(3);
      PATH(4);
      PATH(5);
      PATH(6);
      PATH(7);
      PATH(8);
      PATH(9);
      PATH(10);
      PATH(11);
      PATH(12);
      PATH(13);
      PATH(14);
      PATH(15);
    }
  }
#undef PATH
  if (x == 1.2345e-30f) memory[3] = x;
}

void divergences(Rows& rows, const Device& device, float* memory) {
  constexpr int kTurns = 2000;
  for (const int ways : {1, 2, 8, 16}) {
    for (const int warps : {4, 32}) {
      const double time = event_us(
          kRuns, [&] { diverge_kernel<<<device.sm_count, warps * 32>>>(memory, ways, kTurns); });
      rows.add(Case("diverge")
                   .number("ways", ways)
                   .number("warps_per_sm", warps)
                   .number("fma_per_path", kPath)
                   .number("iters", kTurns)
                   .number("blocks", device.sm_count)
                   .number("threads", warps * 32)
                   .number("registers", registers_of(reinterpret_cast<const void*>(diverge_kernel)))
                   .text("path", "lane modulo ways"),
               "device_time", time, "us", kRuns);
    }
  }
}

}  // namespace

void measure_fetch(Rows& rows, const Device& device) {
  rows.group("compute");
  const Buffer<float> memory(64);
  const float values[] = {0.999f, 0.5f, 1.0f, 0.0f};
  CHECK(cudaMemcpy(memory.get(), values, sizeof values, cudaMemcpyHostToDevice));
  body_case<256>(rows, device, memory.get());
  body_case<2048>(rows, device, memory.get());
  body_case<4096>(rows, device, memory.get());
  body_case<8192>(rows, device, memory.get());
  body_case<12288>(rows, device, memory.get());
  body_case<16384>(rows, device, memory.get());
  divergences(rows, device, memory.get());
}

}  // namespace probe
