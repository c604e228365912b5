#include "tools/septet/bench/kernels.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/base/statistics.hpp"
#include "models/program/builder.hpp"
#include "tools/septet/bench/option_error.hpp"
#include "tools/septet/bench/thread_clock.hpp"

namespace septet::command {
namespace {

constexpr std::uint32_t kThreadsPerBlock = 256;
constexpr Duration kBlockTime(2 * kPicosecondsPerMicrosecond);

void in_range(const char* key, std::uint64_t got, std::uint64_t least, std::uint64_t most) {
  require_option(got >= least && got <= most, key, std::to_string(got),
                 std::to_string(least) + " to " + std::to_string(most));
}

void check(const KernelsOptions& options) {
  in_range("kernels", options.kernels, 2, options.launches);
  in_range("streams", options.streams, 1, 4096);
  in_range("blocks", options.blocks, 1, 1'000'000);
  in_range("iterations", options.iterations, 1, 1'000'000);
  require_option(options.synchronize >= 1, "synchronize", "0", "at least 1");
  in_range("repetitions", options.repetitions, 1, 1000);
}

// Reads one element a thread, computes and writes it; `index` makes it a kernel of its own.
program::Kernel modelled_kernel(const KernelsOptions& options, std::uint32_t index) {
  program::Kernel kernel = program::spin_kernel(options.blocks, kThreadsPerBlock, kBlockTime);
  program::Segment segment;
  segment.repeat = static_cast<double>(options.iterations);
  segment[program::Pipe::kLsu] = 2;
  const std::uint32_t thousands = index / 1000;
  segment[program::Pipe::kFma] = 100 + index % 1000;
  segment[program::Pipe::kOther] = 10 + thousands;
  segment.chain_cycles = 500;
  program::MemoryBatch batch;
  segment.batches.push_back(batch);
  batch.write = true;
  segment.batches.push_back(batch);
  kernel.work = program::InstructionWork{{segment}};
  return kernel;
}

using KernelOf = std::function<program::Kernel(std::uint32_t)>;

program::Program write_program(const KernelsOptions& options, std::uint32_t kernels,
                               const KernelOf& of) {
  program::ProgramBuilder builder;
  for (std::uint32_t k = 0; k < kernels; ++k) builder.kernel(of(k));
  for (std::uint32_t s = 0; s < options.streams; ++s) builder.stream();
  builder.thread();
  for (std::uint64_t n = 0; n < options.launches; ++n) {
    builder.launch(static_cast<std::uint32_t>(n % kernels),
                   static_cast<std::uint32_t>(n % options.streams));
    if ((n + 1) % options.synchronize == 0) builder.synchronize_device();
  }
  builder.synchronize_device();
  return builder.take();
}

struct Timed {
  double seconds = 0;  // the fastest repetition
  double spread = 0;   // from that one to the median
  std::uint64_t digest = 0;
};

Timed fastest(const KernelsOptions& options, const program::Program& program,
              const system::SystemSpec& spec) {
  std::vector<double> times;
  Timed out;
  for (std::uint32_t r = 0; r < options.repetitions; ++r) {
    system::System system(program, spec);
    const double before = thread_cpu_seconds();
    out.digest = system.run({}).digest;
    times.push_back(thread_cpu_seconds() - before);
  }
  out.seconds = *std::ranges::min_element(times);
  out.spread = median(times) - out.seconds;
  return out;
}

}  // namespace

std::optional<double> extra_cost(double with, double without, double noise, double count) {
  const double extra = with - without;
  if (extra <= noise) return std::nullopt;
  return extra / count;
}

KernelsReport run_kernels(const KernelsOptions& options, const system::SystemSpec& spec) {
  check(options);
  const auto time = [&](std::uint32_t kernels, const KernelOf& of) {
    return fastest(options, write_program(options, kernels, of), spec);
  };
  const auto spin = [&](std::uint32_t) {
    return program::spin_kernel(options.blocks, kThreadsPerBlock, kBlockTime);
  };
  const auto modelled = [&](std::uint32_t index) { return modelled_kernel(options, index); };
  const Timed fixed = time(1, spin);
  const Timed one = time(1, modelled);
  const Timed all = time(options.kernels, modelled);
  const auto launches = static_cast<double>(options.launches);
  KernelsReport report;
  report.launches = options.launches;
  report.kernels = options.kernels;
  report.fixed_ns = fixed.seconds / launches * 1e9;
  report.seen_ns =
      extra_cost(one.seconds, fixed.seconds, one.spread + fixed.spread, launches / 1e9);
  report.new_us =
      extra_cost(all.seconds, one.seconds, all.spread + one.spread, (options.kernels - 1) / 1e6);
  report.all_seconds = all.seconds;
  report.digest = all.digest;
  return report;
}

}  // namespace septet::command
