// A model of a GPU of one's own under Septet's model of the host: as an example of both.
//
// The GPU runs one kernel at a time, in the order of arrival, whatever its stream. A kernel takes
// kOverhead and, for each wave of kBlocks blocks, kWave. Kernel launches are all that it knows.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <variant>

#include "core/engine/simulation.hpp"
#include "models/host/host_process.hpp"
#include "models/program/builder.hpp"

namespace {

using septet::Duration;
using septet::Instant;
using septet::operator""_us;
namespace engine = septet::engine;
namespace program = septet::program;

constexpr Duration kOverhead = 1_us;
constexpr Duration kWave = 5_us;
constexpr std::uint64_t kBlocks = 100;
constexpr Duration kDoorbell = 1_us;    // from the end of a call to the GPU
constexpr Duration kCompletion = 1_us;  // from the end of a kernel to the host's memory

class SerialGpu : public engine::LogicalProcess {
 public:
  SerialGpu(const program::Program& program, engine::LpId host) : program_(program), host_(host) {}

  void handle(const engine::Event& event, engine::Context& context) override {
    if (event.kind != program::kSubmitCommand) throw std::runtime_error("launches only");
    const program::CommandName name = program::unpack(event.a);
    const program::Call& call = program_.threads[name.thread].calls[name.call];
    const auto* launch = std::get_if<program::LaunchKernel>(&call.what);
    if (launch == nullptr) throw std::runtime_error("launches only");

    const Instant begin = std::max(context.now(), free_);
    free_ = begin + time_of(program_.kernels[launch->kernel]);
    busy_ = busy_ + (free_ - begin);
    const Duration answer = free_ - context.now() + kCompletion;
    context.send(host_, answer, program::command_complete(call.stream));
  }

  Duration busy() const { return busy_; }

 private:
  static Duration time_of(const program::Kernel& kernel) {
    const std::uint64_t waves = (kernel.shape.blocks() + kBlocks - 1) / kBlocks;
    return kOverhead + kWave * static_cast<std::int64_t>(waves);
  }

  const program::Program& program_;
  engine::LpId host_;
  Instant free_{};
  Duration busy_{};
};

// 20 kernels of two waves, on two streams in turn.
program::Program two_streams() {
  program::ProgramBuilder maker;
  const std::uint32_t kernel = maker.kernel(program::spin_kernel(150, 256, 0_us));
  const std::uint32_t streams[] = {maker.stream(), maker.stream()};
  maker.thread();
  for (int i = 0; i < 20; ++i) maker.launch(kernel, streams[i % 2]);
  maker.synchronize_device();
  return maker.take();
}

}  // namespace

int main() {
  const program::Program program = two_streams();
  program::check(program);
  const program::ProgramLayout layout = program::lay_out(program);
  septet::host::HostSpec spec;
  spec.launch_cost = 4_us;
  spec.wake_latency = 2_us;
  spec.pending_launches_max = 1024;
  septet::host::HostProcess::Wiring wiring{program, spec, layout};
  wiring.doorbell_latency = kDoorbell;
  wiring.gpus = {1};

  engine::Simulation simulation;
  auto process = std::make_unique<septet::host::HostProcess>(wiring, 0);
  auto model = std::make_unique<SerialGpu>(program, 0);
  const septet::host::HostProcess& host_state = *process;
  const SerialGpu& gpu_state = *model;
  const engine::LpId host = simulation.add(std::move(process), 0, "host");
  const engine::LpId gpu = simulation.add(std::move(model), 1, "GPU");
  simulation.connect(host, gpu, kDoorbell);
  simulation.connect(gpu, host, kCompletion);
  const engine::RunResult result = simulation.run({.threads = 2});
  if (host_state.calls_left() > 0) throw std::runtime_error("the program cannot continue");

  constexpr double kPicoseconds = 1e6;  // in a microsecond
  std::printf("%.0f us, GPU busy for %.0f us\n",
              static_cast<double>((result.last - Instant()).count()) / kPicoseconds,
              static_cast<double>(gpu_state.busy().count()) / kPicoseconds);
}
