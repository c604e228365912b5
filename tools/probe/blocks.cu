// Groups dispatch and waves: how fast blocks are handed out, and grids of several waves.
#include "tools/probe/parts.cuh"
#include "tools/probe/spin.cuh"

namespace probe {
namespace {

void dispatch(Rows& rows, long blocks, int threads) {
  constexpr int kRuns = 7;
  const double time =
      event_us(kRuns, [&] { empty_kernel<<<static_cast<unsigned>(blocks), threads>>>(); });
  rows.add(Case("dispatch")
               .number("blocks", static_cast<double>(blocks))
               .number("threads", threads)
               .number("registers", registers_of(reinterpret_cast<const void*>(empty_kernel))),
           "device_time", time, "us", kRuns);
}

void waves(Rows& rows, const Device& device, int threads, double full) {
  constexpr int kRuns = 7;
  constexpr double kSpin = 10;
  int fit = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, spin_kernel, threads, 0));
  const int blocks = static_cast<int>(full * fit * device.sm_count + 0.5);
  const double time =
      event_us(kRuns, [&] { spin_kernel<<<blocks, threads>>>(device.cycles(kSpin)); });
  rows.add(Case("waves")
               .number("blocks", blocks)
               .number("threads", threads)
               .number("smem", 0)
               .number("occ_blocks", fit)
               .number("spin_us", kSpin)
               .number("registers", registers_of(reinterpret_cast<const void*>(spin_kernel))),
           "device_time", time, "us", kRuns);
}

}  // namespace

void measure_blocks(Rows& rows, const Device& device) {
  rows.group("dispatch");
  for (const int threads : {64, 256, 1024}) {
    for (const long blocks :
         {1L, static_cast<long>(device.sm_count), 50000L, 100000L, 500000L, 1000000L}) {
      dispatch(rows, blocks, threads);
    }
  }
  rows.group("waves");
  for (const int threads : {64, 256, 1024}) {
    for (const double full : {0.5, 1.0, 2.0, 2.01, 5.0}) waves(rows, device, threads, full);
  }
}

}  // namespace probe
