// Group memory, streams: loops with the grid's stride that read, read again or copy. Reads pass by
// the L1 cache (ld.cg).
#include <algorithm>

#include "tools/probe/parts.cuh"

namespace probe {
namespace {

template <class T, int kUnroll>
__global__ void copy_kernel(const T* __restrict__ from, T* __restrict__ to, std::size_t count) {
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i + (kUnroll - 1) * stride < count; i += kUnroll * stride) {
    T values[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) values[u] = from[i + u * stride];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) to[i + u * stride] = values[u];
  }
}

__device__ float sum(float value) { return value; }
__device__ float sum(float4 value) { return value.x + value.y + value.z + value.w; }

template <class T, int kUnroll>
__global__ void read_kernel(const T* __restrict__ from, float* out, std::size_t count,
                            int repeats) {
  float total = 0;
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (int r = 0; r < repeats; ++r) {
    std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i + (kUnroll - 1) * stride < count; i += kUnroll * stride) {
      T values[kUnroll];
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) values[u] = __ldcg(from + i + u * stride);
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) total += sum(values[u]);
    }
  }
  if (total == 12345.678f) *out = total;  // never, but the compiler can't know
}

// Instructions of the loops above as nvcc 13 compiles them for compute capability 9.0.
template <class T, int kUnroll>
constexpr int loop_instructions() {
  if (sizeof(T) == 4) return kUnroll == 1 ? 9 : kUnroll == 2 ? 15 : kUnroll == 4 ? 26 : 48;
  return kUnroll == 1 ? 12 : kUnroll == 2 ? 21 : 39;
}
constexpr int kCopyInstructions = 40;

constexpr std::size_t kMebi = std::size_t{1} << 20;

Case stream(const char* what, int blocks, int threads, int vec, int unroll, std::size_t bytes,
            const void* kernel, int instructions) {
  return Case(what)
      .number("blocks", blocks)
      .number("threads", threads)
      .number("vec", vec)
      .number("unroll", unroll)
      .number("bytes_read", static_cast<double>(bytes))
      .text("l2", "warm")
      .number("registers", registers_of(kernel))
      .number("loop_instructions", instructions);
}

// What a whole number of turns of the grid touches.
std::size_t whole_turns(std::size_t bytes, std::size_t grid_bytes) {
  return bytes / grid_bytes * grid_bytes;
}

struct Buffers {
  const char* from;
  char* to;
  float* out;
};

template <class T, int kUnroll>
void read_case(Rows& rows, const Buffers& buffers, Case about, int blocks, int threads,
               std::size_t bytes, int repeats, int runs) {
  const double time = event_us(
      runs,
      [&] {
        read_kernel<T, kUnroll><<<blocks, threads>>>(reinterpret_cast<const T*>(buffers.from),
                                                     buffers.out, bytes / sizeof(T), repeats);
      },
      1);
  rows.add(about, "device_time", time, "us", runs);
}

template <class T, int kUnroll>
void occupancy_case(Rows& rows, const Buffers& buffers, const Device& device, int per_sm,
                    int threads) {
  constexpr std::size_t kBytes = 1024 * kMebi;
  const int blocks = device.sm_count * per_sm;
  const std::size_t turn = std::size_t(blocks) * threads * sizeof(T) * kUnroll;
  const std::size_t bytes = whole_turns(kBytes, turn);
  const void* kernel = reinterpret_cast<const void*>(read_kernel<T, kUnroll>);
  Case about = stream("read_occ", blocks, threads, sizeof(T), kUnroll, bytes, kernel,
                      loop_instructions<T, kUnroll>())
                   .number("blocks_per_sm", per_sm);
  read_case<T, kUnroll>(rows, buffers, about, blocks, threads, bytes, 1, 3);
}

void over_occupancy(Rows& rows, const Buffers& buffers, const Device& device) {
  for (const int per_sm : {1, 4, 8}) {
    for (const int threads : {32, 128, 256, 1024}) {
      if (per_sm * threads > 2048) continue;
      occupancy_case<float, 1>(rows, buffers, device, per_sm, threads);
      occupancy_case<float, 4>(rows, buffers, device, per_sm, threads);
      occupancy_case<float4, 1>(rows, buffers, device, per_sm, threads);
      occupancy_case<float4, 4>(rows, buffers, device, per_sm, threads);
    }
  }
}

void over_sms(Rows& rows, const Buffers& buffers, const Device& device) {
  constexpr int kThreads = 1024;
  const void* kernel = reinterpret_cast<const void*>(read_kernel<float4, 4>);
  for (const int blocks : {1, 4, 16, device.sm_count / 2, device.sm_count}) {
    const std::size_t bytes = std::size_t(blocks) * 8 * kMebi;
    const Case about =
        stream("read_sms", blocks, kThreads, 16, 4, bytes, kernel, loop_instructions<float4, 4>());
    read_case<float4, 4>(rows, buffers, about, blocks, kThreads, bytes, 1, 3);
  }
}

void again(Rows& rows, const Buffers& buffers, const Device& device) {
  constexpr int kThreads = 256;
  const int blocks = device.sm_count * 8;
  const void* kernel = reinterpret_cast<const void*>(read_kernel<float4, 4>);
  const std::size_t turn = std::size_t(blocks) * kThreads * 16 * 4;
  for (const int turns : {1, 2}) {  // 17 and 35 MB on 132 SMs
    const std::size_t bytes = turns * turn;
    const int repeats = 128 / turns;
    const Case about =
        stream("reread", blocks, kThreads, 16, 4, bytes, kernel, loop_instructions<float4, 4>())
            .number("repeats", repeats);
    read_case<float4, 4>(rows, buffers, about, blocks, kThreads, bytes, repeats, 5);
  }
}

void copies(Rows& rows, const Buffers& buffers, const Device& device) {
  constexpr int kThreads = 256;
  constexpr int kRuns = 9;
  const int blocks = device.sm_count * 8;
  const std::size_t turn = std::size_t(blocks) * kThreads * 16 * 4;
  for (const int turns : {1, 2, 4, 16, 60}) {  // 17 MB to 1 GB on 132 SMs
    const std::size_t bytes = turns * turn;
    const double time = event_us(kRuns, [&] {
      copy_kernel<float4, 4><<<blocks, kThreads>>>(reinterpret_cast<const float4*>(buffers.from),
                                                   reinterpret_cast<float4*>(buffers.to),
                                                   bytes / sizeof(float4));
    });
    rows.add(stream("copy", blocks, kThreads, 16, 4, bytes,
                    reinterpret_cast<const void*>(copy_kernel<float4, 4>), kCopyInstructions)
                 .number("bytes_written", static_cast<double>(bytes)),
             "device_time", time, "us", kRuns);
  }
}

}  // namespace

void measure_bandwidth(Rows& rows, const Device& device) {
  rows.group("memory");
  const std::size_t most = std::size_t(device.sm_count) * 8 * kMebi;  // of over_sms and copies
  const Buffer<char> from(std::max(most, 1024 * kMebi)), to(most);
  const Buffer<float> out(64);
  const Buffers buffers{from.get(), to.get(), out.get()};
  over_occupancy(rows, buffers, device);
  over_sms(rows, buffers, device);
  again(rows, buffers, device);
  copies(rows, buffers, device);
}

}  // namespace probe
