// Group copy: copies between host and device and inside the device, and memsets.
#include <cstdlib>
#include <cstring>

#include "tools/probe/parts.cuh"

namespace probe {
namespace {

constexpr std::size_t kLargest = std::size_t{256} << 20;

// Pinned and pageable memory of the host, and two buffers of the device.
struct Places {
  char* pinned;
  char* pageable;
  char* device;
  char* other;
};

void copies(Rows& rows, const Places& places, std::size_t bytes) {
  const int runs = bytes > (std::size_t{8} << 20) ? 7 : 31;
  const Case about = Case("memcpy").number("bytes", static_cast<double>(bytes));
  const auto copy = [&](const char* metric, char* to, const char* from, cudaMemcpyKind kind) {
    rows.add(about, metric, wall_us(runs, [&] { CHECK(cudaMemcpyAsync(to, from, bytes, kind)); }),
             "us", runs);
  };
  copy("h2d_pinned_wall", places.device, places.pinned, cudaMemcpyHostToDevice);
  copy("d2h_pinned_wall", places.pinned, places.device, cudaMemcpyDeviceToHost);
  copy("h2d_pageable_wall", places.device, places.pageable, cudaMemcpyHostToDevice);
  copy("d2d_wall", places.other, places.device, cudaMemcpyDeviceToDevice);
  rows.add(about, "memset_wall",
           wall_us(runs, [&] { CHECK(cudaMemsetAsync(places.other, 0, bytes)); }), "us", runs);
}

}  // namespace

void measure_copies(Rows& rows, const Device&) {
  rows.group("copy");
  void* pinned = nullptr;
  CHECK(cudaHostAlloc(&pinned, kLargest, cudaHostAllocDefault));
  std::vector<char> pageable(kLargest, 1);
  std::memset(pinned, 1, kLargest);
  const Buffer<char> device(kLargest), other(kLargest);
  const Places places{static_cast<char*>(pinned), pageable.data(), device.get(), other.get()};
  for (const std::size_t bytes : {std::size_t{4}, std::size_t{256}, std::size_t{16384},
                                  std::size_t{1} << 20, std::size_t{64} << 20, kLargest}) {
    copies(rows, places, bytes);
  }
  CHECK(cudaFreeHost(pinned));
}

}  // namespace probe
