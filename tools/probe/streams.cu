// Groups streams and sharing: several streams at once, forks and joins by events, kernels and
// copies in turn.
#include "tools/probe/parts.cuh"
#include "tools/probe/spin.cuh"

namespace probe {
namespace {

constexpr int kWarp = 32;
constexpr int kMostStreams = 200;  // as many exist as in our measurements

// Three kernels of 1 ms on each stream, stream by stream: streams share hardware connections.
void makespans(Rows& rows, const Device& device, const std::vector<cudaStream_t>& streams) {
  constexpr double kSpin = 1000;
  constexpr int kEach = 3;
  constexpr int kRuns = 3;
  const double one =
      wall_us(5, [&] { spin_kernel<<<1, kWarp, 0, streams[0]>>>(device.cycles(kSpin)); });
  for (const int used : {1, 2, 8, 9, 16, 17, 24, 32, 33}) {
    const double wall = wall_us(
        kRuns,
        [&] {
          for (int k = 0; k < used * kEach; ++k) {
            spin_kernel<<<1, kWarp, 0, streams[k / kEach]>>>(device.cycles(kSpin));
          }
        },
        nullptr, 1);
    rows.add(Case("streams")
                 .number("connections", 0)
                 .number("streams", used)
                 .number("kernels_each", kEach)
                 .text("order", "depth")
                 .number("spin_us", kSpin)
                 .number("blocks", 1)
                 .number("threads", kWarp),
             "makespan_in_kernels", wall / one, "ratio", kRuns);
  }
}

class Events {
 public:
  explicit Events(int count) : events_(count) {
    for (cudaEvent_t& event : events_) {
      CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
  }
  ~Events() {
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
  }
  cudaEvent_t operator[](int index) const { return events_[index]; }

 private:
  std::vector<cudaEvent_t> events_;
};

void fork_and_join(const std::vector<cudaStream_t>& streams, const Events& events, int width,
                   int depth, long long cycles) {
  spin_kernel<<<1, kWarp, 0, streams[0]>>>(cycles);
  CHECK(cudaEventRecord(events[0], streams[0]));
  for (int branch = 1; branch <= width; ++branch) {
    CHECK(cudaStreamWaitEvent(streams[branch], events[0]));
    for (int d = 0; d < depth; ++d) spin_kernel<<<1, kWarp, 0, streams[branch]>>>(cycles);
    CHECK(cudaEventRecord(events[branch], streams[branch]));
    CHECK(cudaStreamWaitEvent(streams[0], events[branch]));
  }
  spin_kernel<<<1, kWarp, 0, streams[0]>>>(cycles);
}

void fork_joins(Rows& rows, const Device& device, const std::vector<cudaStream_t>& streams) {
  constexpr int kRuns = 21;
  const Events events(kMostStreams);
  for (const int width : {1, 2, 4, 8, 16}) {
    for (const double spin : {2.0, 10.0, 50.0}) {
      const double wall =
          wall_us(kRuns, [&] { fork_and_join(streams, events, width, 1, device.cycles(spin)); });
      rows.add(Case("eager_forkjoin")
                   .number("width", width)
                   .number("depth", 1)
                   .number("spin_us", spin)
                   .number("blocks", 1)
                   .number("threads", kWarp),
               "wall", wall, "us", kRuns);
    }
  }
}

struct CopyPair {
  int pairs;
  std::size_t bytes;
  static constexpr double kSpin = 5;
  Case about(const char* what) const {
    return Case(what)
        .number("pairs", pairs)
        .number("bytes", static_cast<double>(bytes))
        .number("spin_us", kSpin);
  }
};

void kernels_and_copies(Rows& rows, const Device& device, cudaStream_t stream) {
  constexpr std::size_t kLargest = std::size_t{16} << 20;
  const Buffer<char> from(kLargest), to(kLargest);
  for (const std::size_t bytes : {std::size_t{4096}, std::size_t{1} << 20, kLargest}) {
    const CopyPair pair{10, bytes};
    const auto launch = [&] {
      for (int p = 0; p < pair.pairs; ++p) {
        spin_kernel<<<1, kWarp, 0, stream>>>(device.cycles(CopyPair::kSpin));
        CHECK(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice, stream));
      }
    };
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    launch();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    const double wall = wall_us(21, [&] { CHECK(cudaGraphLaunch(ready, stream)); });
    rows.add(pair.about("graph_kernel_copy"), "wall_single", wall, "us", 21);
    rows.add(pair.about("eager_kernel_copy"), "wall", wall_us(11, launch), "us", 11);
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(graph));
  }
}

}  // namespace

void measure_streams(Rows& rows, const Device& device) {
  const std::vector<cudaStream_t> streams = make_streams(kMostStreams);
  rows.group("streams");
  makespans(rows, device, streams);
  rows.group("sharing");
  fork_joins(rows, device, streams);
  kernels_and_copies(rows, device, streams[0]);
  destroy(streams);
}

}  // namespace probe
