// The device: its attributes, the clock of its SMs, the latency to host memory,
// and copies to the other GPUs of the machine.
#include <atomic>
#include <ctime>
#include <thread>

#include "tools/probe/parts.cuh"
#include "tools/probe/spin.cuh"

namespace probe {
namespace {

__global__ void clock_kernel(long long* out) {
  const long long begin = clock64();
  unsigned long long first, last;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(first));
  while (clock64() - begin < 20000000) {
  }
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(last));
  out[0] = clock64() - begin;
  out[1] = static_cast<long long>(last - first);
}

// One thread reads host memory, then writes it and waits until the write has arrived.
__global__ void host_access_kernel(volatile unsigned* host, int count, long long* out) {
  unsigned value = 0;
  long long begin = clock64();
  for (int i = 0; i < count; ++i) value = host[value];  // host[0] is 0
  out[0] = clock64() - begin;
  begin = clock64();
  for (int i = 0; i < count; ++i) {
    host[32] = value + i;
    __threadfence_system();
  }
  out[1] = clock64() - begin;
}

// Says in host memory when it starts and when it ends.
__global__ void flag_kernel(volatile unsigned* started, volatile unsigned* ended,
                            long long cycles) {
  *started = 1;
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  *ended = 1;
}

struct HostMemory {
  HostMemory() {
    CHECK(cudaHostAlloc(&host, 4096, cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&device, host, 0));
  }
  ~HostMemory() { cudaFreeHost(host); }
  volatile unsigned* words() const { return static_cast<volatile unsigned*>(host); }
  void* host = nullptr;
  void* device = nullptr;
};

void host_access(std::FILE* file, const Device& device) {
  constexpr int kCount = 200;
  const HostMemory memory;
  const Buffer<long long> out(16);
  std::vector<double> reads, fences;
  memory.words()[0] = 0;
  for (int run = 0; run < 7; ++run) {
    long long cycles[2];
    host_access_kernel<<<1, 1>>>(static_cast<unsigned*>(memory.device), kCount, out.get());
    CHECK(cudaMemcpy(cycles, out.get(), sizeof cycles, cudaMemcpyDeviceToHost));
    reads.push_back(cycles[0] / (kCount * device.ghz * 1e3));
    fences.push_back(cycles[1] / (kCount * device.ghz * 1e3));
  }
  std::fprintf(file, "  \"host_read_us\": %.4g,\n  \"host_fence_us\": %.4g,\n", median(reads),
               median(fences));
}

// From the end of the launch call to the kernel's first store as a thread of the CPU sees it, and
// from its last store to the return of the synchronisation.
void launch_flags(std::FILE* file, const Device& device) {
  constexpr double kSpin = 30;
  constexpr int kRuns = 101;
  const HostMemory memory;
  volatile unsigned* started = memory.words();
  volatile unsigned* ended = memory.words() + 32;
  unsigned* words = static_cast<unsigned*>(memory.device);
  std::vector<double> starts, ends;
  for (int run = 0; run < kRuns; ++run) {
    *started = *ended = 0;
    double seen_start = 0, seen_end = 0;
    std::atomic<bool> ready{false};
    std::thread watcher([&] {
      ready = true;
      while (*started == 0) {
      }
      seen_start = now_us();
      while (*ended == 0) {
      }
      seen_end = now_us();
    });
    while (!ready) {
    }
    flag_kernel<<<1, 1>>>(words, words + 32, device.cycles(kSpin));
    const double called = now_us();
    CHECK(cudaDeviceSynchronize());
    const double returned = now_us();
    watcher.join();
    starts.push_back(seen_start - called);
    ends.push_back(returned - seen_end);
  }
  std::fprintf(file, "  \"launch_to_start_us\": %.4g,\n  \"end_to_return_us\": %.4g,\n",
               median(starts), median(ends));
}

void attribute(std::FILE* file, const char* name, cudaDeviceAttr which, int index) {
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, which, index));
  std::fprintf(file, "  \"%s\": %d,\n", name, value);
}

void attributes(std::FILE* file, int index) {
  attribute(file, "sm_count", cudaDevAttrMultiProcessorCount, index);
  attribute(file, "compute_capability_major", cudaDevAttrComputeCapabilityMajor, index);
  attribute(file, "compute_capability_minor", cudaDevAttrComputeCapabilityMinor, index);
  attribute(file, "l2_bytes", cudaDevAttrL2CacheSize, index);
  attribute(file, "max_clock_khz", cudaDevAttrClockRate, index);
  attribute(file, "memory_clock_khz", cudaDevAttrMemoryClockRate, index);
  attribute(file, "memory_bus_bits", cudaDevAttrGlobalMemoryBusWidth, index);
  attribute(file, "threads_per_sm", cudaDevAttrMaxThreadsPerMultiProcessor, index);
  attribute(file, "blocks_per_sm", cudaDevAttrMaxBlocksPerMultiprocessor, index);
  attribute(file, "threads_per_block", cudaDevAttrMaxThreadsPerBlock, index);
  attribute(file, "registers_per_sm", cudaDevAttrMaxRegistersPerMultiprocessor, index);
  attribute(file, "shared_per_sm", cudaDevAttrMaxSharedMemoryPerMultiprocessor, index);
  attribute(file, "shared_per_block_max", cudaDevAttrMaxSharedMemoryPerBlockOptin, index);
  attribute(file, "shared_reserved_per_block", cudaDevAttrReservedSharedMemoryPerBlock, index);
}

// Large copies from this GPU to each other one, GB/s.
void peers(std::FILE* file, int index) {
  constexpr std::size_t kBytes = std::size_t{256} << 20;
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  std::fprintf(file, "  \"peers\": [");
  const char* separator = "";
  for (int other = 0; other < count; ++other) {
    if (other == index) continue;
    int direct = 0;
    CHECK(cudaDeviceCanAccessPeer(&direct, index, other));
    if (direct) CHECK(cudaDeviceEnablePeerAccess(other, 0));
    const Buffer<char> from(kBytes);
    CHECK(cudaSetDevice(other));
    const Buffer<char> to(kBytes);
    CHECK(cudaSetDevice(index));
    const auto copy_us = [&](std::size_t bytes) {
      return wall_us(9, [&] {
        CHECK(cudaMemcpyPeerAsync(to.get(), other, from.get(), index, bytes, nullptr));
      });
    };
    const double large = copy_us(kBytes), half = copy_us(kBytes / 2);
    std::fprintf(file, "%s{\"device\": %d, \"direct\": %d, \"gb_per_s\": %.4g, \"small_us\": %.4g}",
                 separator, other, direct, kBytes / 2 / (large - half) * 1e-3, copy_us(4));
    separator = ", ";
  }
  std::fprintf(file, "],\n");
}

}  // namespace

double sm_gigahertz() {
  const Buffer<long long> out(16);
  long long taken[2] = {};
  for (int run = 0; run < 3; ++run) {  // the clock rises as work comes
    clock_kernel<<<1, 1>>>(out.get());
    CHECK(cudaMemcpy(taken, out.get(), sizeof taken, cudaMemcpyDeviceToHost));
  }
  return static_cast<double>(taken[0]) / static_cast<double>(taken[1]);
}

void write_device(std::FILE* file, int index, const Device& device) {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, index));
  int driver = 0, runtime = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  char date[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  std::fprintf(file, "{\n  \"name\": \"%s\",\n  \"date\": \"%s\",\n", properties.name, date);
  std::fprintf(file, "  \"memory_bytes\": %zu,\n  \"clock_ghz\": %.4f,\n",
               properties.totalGlobalMem, device.ghz);
  attributes(file, index);
  host_access(file, device);
  launch_flags(file, device);
  peers(file, index);
  std::fprintf(file, "  \"driver\": %d,\n  \"runtime\": %d\n}\n", driver, runtime);
}

}  // namespace probe
