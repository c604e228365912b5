// The two kernels that most launches run: one that does nothing, one that lasts a given time.
#pragma once

namespace probe {

static __global__ void empty_kernel() {}

static __global__ void spin_kernel(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

}  // namespace probe
