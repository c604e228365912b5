// Group launch: CPU cost of submissions, gaps between kernels of a stream, events.
#include "tools/probe/parts.cuh"
#include "tools/probe/spin.cuh"

namespace probe {
namespace {

constexpr int kWarp = 32;

Case launches(const char* what, int kernels, int blocks, int threads) {
  return Case(what).number("kernels", kernels).number("blocks", blocks).number("threads", threads);
}

void chains(Rows& rows, int blocks, int threads) {
  constexpr int kKernels = 1000;
  constexpr int kRuns = 11;
  double issue = 0;
  const double wall = wall_us(
      kRuns,
      [&] {
        for (int k = 0; k < kKernels; ++k) empty_kernel<<<blocks, threads>>>();
      },
      &issue);
  const Case about = launches("chain", kKernels, blocks, threads).number("arg_bytes", 0);
  rows.add(about, "wall_per_kernel", wall / kKernels, "us", kRuns);
  rows.add(about, "cpu_issue_per_kernel", issue / kKernels, "us", kRuns);
}

double spins_us(int runs, int kernels, double microseconds, const Device& device, double* issue) {
  return wall_us(
      runs,
      [&] {
        for (int k = 0; k < kernels; ++k) spin_kernel<<<1, kWarp>>>(device.cycles(microseconds));
      },
      issue);
}

void spin_chains(Rows& rows, const Device& device) {
  constexpr int kKernels = 200;
  constexpr int kRuns = 11;
  for (const double spin : {1.0, 2.0, 4.0, 5.0, 8.0, 10.0, 20.0, 50.0}) {
    const double wall = spins_us(kRuns, kKernels, spin, device, nullptr);
    rows.add(launches("spin_chain", kKernels, 1, kWarp).number("spin_us", spin), "wall_per_kernel",
             wall / kKernels, "us", kRuns);
  }
}

// Beyond some number of pending launches the CPU is blocked.
void queue_depths(Rows& rows, const Device& device) {
  constexpr double kSpin = 20;
  constexpr int kRuns = 5;
  for (const int kernels : {8, 64, 1024, 2048}) {
    double issue = 0;
    const double wall = spins_us(kRuns, kernels, kSpin, device, &issue);
    const Case about = launches("queue_depth", kernels, 1, kWarp).number("spin_us", kSpin);
    rows.add(about, "cpu_issue_total", issue, "us", kRuns);
    rows.add(about, "wall_total", wall, "us", kRuns);
  }
}

void round_robins(Rows& rows) {
  constexpr int kKernels = 1000;
  constexpr int kRuns = 7;
  for (const int count : {2, 4, 8}) {
    const std::vector<cudaStream_t> streams = make_streams(count);
    const double wall = wall_us(kRuns, [&] {
      for (int k = 0; k < kKernels; ++k) {
        for (cudaStream_t stream : streams) empty_kernel<<<1, kWarp, 0, stream>>>();
      }
    });
    destroy(streams);
    rows.add(Case("round_robin_streams")
                 .number("streams", count)
                 .number("kernels_each", kKernels)
                 .number("blocks", 1)
                 .number("threads", kWarp),
             "wall_per_kernel", wall / (kKernels * count), "us", kRuns);
  }
}

// Two streams that wait for each other by an event, in turn.
void ping_pongs(Rows& rows, const Device& device) {
  constexpr int kRounds = 100;
  constexpr int kRuns = 11;
  const std::vector<cudaStream_t> streams = make_streams(2);
  cudaEvent_t event;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  for (const double spin : {10.0, 20.0}) {
    const double wall = wall_us(kRuns, [&] {
      for (int k = 0; k < 2 * kRounds; ++k) {
        spin_kernel<<<1, kWarp, 0, streams[k % 2]>>>(device.cycles(spin));
        CHECK(cudaEventRecord(event, streams[k % 2]));
        CHECK(cudaStreamWaitEvent(streams[(k + 1) % 2], event));
      }
    });
    rows.add(launches("event_pingpong", 2 * kRounds, 1, kWarp).number("spin_us", spin),
             "wall_per_kernel", wall / (2 * kRounds), "us", kRuns);
  }
  CHECK(cudaEventDestroy(event));
  destroy(streams);
}

}  // namespace

void measure_launches(Rows& rows, const Device& device) {
  constexpr int kRuns = 1001;
  rows.group("launch");
  chains(rows, 1, kWarp);
  chains(rows, 10 * device.sm_count, 256);
  rows.add(Case("launch_sync").number("blocks", 1).number("threads", kWarp), "wall",
           wall_us(kRuns, [] { empty_kernel<<<1, kWarp>>>(); }), "us", kRuns);
  rows.add(Case("sync_only"), "wall", wall_us(kRuns, [] {}), "us", kRuns);
  spin_chains(rows, device);
  queue_depths(rows, device);
  round_robins(rows);
  ping_pongs(rows, device);
}

}  // namespace probe
