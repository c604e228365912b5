// Group memory, one access: pointer chases, strided loads, bank conflicts of shared memory.
#include <algorithm>
#include <numeric>
#include <random>

#include "tools/probe/parts.cuh"

namespace probe {
namespace {

constexpr std::size_t kLine = 128;
constexpr std::size_t kKibi = 1024;
constexpr std::size_t kFlushedBytes = std::size_t{512} << 20;

__global__ void chase_kernel(const unsigned* next, int steps, long long* out) {
  unsigned at = 0;
  for (int i = 0; i < steps; ++i) at = next[at];
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i) at = next[at];
  out[0] = clock64() - begin;
  out[1] = at;
}

__global__ void stride_kernel(const float* __restrict__ from, float* out, int stride) {
  const std::size_t i = (std::size_t(blockIdx.x) * blockDim.x + threadIdx.x) * stride;
  const float value = __ldcg(from + i);
  if (value == 12345.678f) *out = value;
}

__global__ void bank_kernel(float* out, int way, int loads, long long* cycles) {
  __shared__ float values[32 * 33];
  for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x) values[i] = i;
  __syncthreads();
  int index = (threadIdx.x * way) % 1024;
  float total = 0;
  const long long begin = clock64();
#pragma unroll 16
  for (int i = 0; i < loads; ++i) total += static_cast<volatile float*>(values)[index];
  const long long end = clock64();
  if (threadIdx.x == 0) cycles[0] = end - begin;
  if (total == 1.2345f) *out = total;
}

long long first_of(const long long* device) {
  long long out = 0;
  CHECK(cudaMemcpy(&out, device, sizeof out, cudaMemcpyDeviceToHost));
  return out;
}

// A random cycle over the lines of so many bytes: at each line the index of the next.
std::vector<unsigned> cycle_of(std::size_t bytes) {
  const std::size_t lines = bytes / kLine;
  std::vector<unsigned> order(lines);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937_64 random(1);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<unsigned> out(bytes / 4);
  for (std::size_t i = 0; i < lines; ++i) {
    out[order[i] * (kLine / 4)] = order[(i + 1) % lines] * (kLine / 4);
  }
  return out;
}

void chase(Rows& rows, const Buffer<char>& flushed, std::size_t kibibytes) {
  constexpr int kRuns = 3;
  const std::size_t bytes = kibibytes * kKibi;
  const std::size_t lines = bytes / kLine;
  const int steps = static_cast<int>(std::clamp<std::size_t>(lines, 256, 20000));
  const Buffer<unsigned> next(bytes);
  const Buffer<long long> out(16);
  const std::vector<unsigned> cycle = cycle_of(bytes);
  std::vector<double> latencies;
  CHECK(cudaMemcpy(next.get(), cycle.data(), bytes, cudaMemcpyHostToDevice));
  for (int run = 0; run < kRuns; ++run) {
    CHECK(cudaMemset(flushed.get(), run, kFlushedBytes));  // takes the room of all caches
    chase_kernel<<<1, 1>>>(next.get(), steps, out.get());
    latencies.push_back(static_cast<double>(first_of(out.get())) / steps);
  }
  const double walked = static_cast<double>(lines) / steps;
  rows.add(Case("chase")
               .number("kbytes", static_cast<double>(kibibytes))
               .number("lines", static_cast<double>(lines))
               .number("steps", steps)
               .number("revisited_fraction", std::clamp(2.0 - walked, 0.0, 1.0))
               .number("blocks", 1)
               .number("threads", 1),
           "latency", median(latencies), "cycles", kRuns);
}

void strides(Rows& rows) {
  constexpr std::size_t kThreads = std::size_t{1} << 25;
  constexpr int kRuns = 5;
  constexpr int kMost = 32;
  const Buffer<float> from(kThreads * 4 * kMost), out(64);
  for (const int stride : {1, 2, 8, 16, 32}) {
    const double time = event_us(
        kRuns, [&] { stride_kernel<<<kThreads / 256, 256>>>(from.get(), out.get(), stride); });
    rows.add(Case("stride")
                 .number("stride_floats", stride)
                 .number("threads_total", kThreads)
                 .number("blocks", kThreads / 256)
                 .number("threads", 256)
                 .number("vec", 4)
                 .number("unroll", 1)
                 .number("registers", registers_of(reinterpret_cast<const void*>(stride_kernel)))
                 .number("sectors", static_cast<double>(kThreads / 8 * std::min(stride, 8)))
                 .number("span_bytes", static_cast<double>(kThreads * 4 * stride))
                 .text("l2", "warm"),
             "device_time", time, "us", kRuns);
  }
}

void banks(Rows& rows) {
  constexpr int kLoads = 4096;
  const Buffer<float> out(64);
  const Buffer<long long> cycles(16);
  for (const int way : {1, 2, 4, 8}) {
    for (const int warps : {1, 32}) {
      bank_kernel<<<1, warps * 32>>>(out.get(), way, kLoads, cycles.get());
      bank_kernel<<<1, warps * 32>>>(out.get(), way, kLoads, cycles.get());
      rows.add(Case("bank")
                   .number("way", way)
                   .number("warps", warps)
                   .number("blocks", 1)
                   .number("threads", warps * 32)
                   .number("loads", kLoads)
                   .number("loads_in_flight", 16)
                   .number("dependent_fadd_per_load", 1),
               "cycles_per_load", static_cast<double>(first_of(cycles.get())) / kLoads, "cycles",
               1);
    }
  }
}

}  // namespace

void measure_latency(Rows& rows, const Device&) {
  rows.group("memory");
  const Buffer<char> flushed(kFlushedBytes);
  for (const std::size_t kibibytes :
       {16, 64, 128, 224, 256, 512, 1024, 4096, 24576, 49152, 131072, 524288}) {
    chase(rows, flushed, kibibytes);
  }
  strides(rows);
  banks(rows);
}

}  // namespace probe
