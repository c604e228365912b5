// Group queue: a persistent kernel that polls a counter in host memory, against launches.
#include "tools/probe/parts.cuh"
#include "tools/probe/spin.cuh"

namespace probe {
namespace {

constexpr unsigned kItems = 500;

__global__ void serve(volatile unsigned* head, volatile unsigned* done, unsigned total,
                      long long cycles) {
  for (unsigned seen = 0; seen < total;) {
    while (*head <= seen) {
    }
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
    *done = ++seen;
    __threadfence_system();
  }
}

Case item(const char* what, double work) {
  return Case(what).number("work_us", work).number("blocks", 1).number("threads", 1);
}

// The counters of host and GPU, on cache lines of their own.
struct Counters {
  volatile unsigned* host;
  unsigned* device;
  static constexpr int kDone = 64;
  void reset() const { host[0] = host[kDone] = 0; }
  void wait_for(unsigned count) const {
    while (host[kDone] < count) {
    }
  }
};

void one_by_one(Rows& rows, const Counters& counters, double work, long long cycles) {
  counters.reset();
  serve<<<1, 1>>>(counters.device, counters.device + Counters::kDone, kItems, cycles);
  std::vector<double> times;
  for (unsigned i = 1; i <= kItems; ++i) {
    const double begin = now_us();
    counters.host[0] = i;
    counters.wait_for(i);
    times.push_back(now_us() - begin);
  }
  CHECK(cudaDeviceSynchronize());
  rows.add(item("persistent_roundtrip", work), "wall", median(times), "us", kItems);
}

void all_at_once(Rows& rows, const Counters& counters, double work, long long cycles) {
  counters.reset();
  serve<<<1, 1>>>(counters.device, counters.device + Counters::kDone, kItems, cycles);
  const double begin = now_us();
  counters.host[0] = kItems;
  counters.wait_for(kItems);
  const double time = now_us() - begin;
  CHECK(cudaDeviceSynchronize());
  rows.add(item("persistent_batch", work).number("items", kItems), "wall_per_item", time / kItems,
           "us", 1);
}

}  // namespace

void measure_queue(Rows& rows, const Device& device) {
  rows.group("queue");
  void* memory = nullptr;
  CHECK(cudaHostAlloc(&memory, 4096, cudaHostAllocMapped));
  unsigned* mapped = nullptr;
  CHECK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&mapped), memory, 0));
  const Counters counters{static_cast<volatile unsigned*>(memory), mapped};
  for (const double work : {0.0, 2.0, 5.0}) {
    const long long cycles = device.cycles(work);
    one_by_one(rows, counters, work, cycles);
    all_at_once(rows, counters, work, cycles);
    rows.add(item("launch_roundtrip", work), "wall",
             wall_us(501, [&] { spin_kernel<<<1, 1>>>(cycles); }), "us", 501);
  }
  CHECK(cudaFreeHost(memory));
}

}  // namespace probe
