// The what-if `gpu=` and a run on that GPU agree: a copy, memset or described kernel is timed by
// one function, whoever asks.
#include <gtest/gtest.h>

#include "scenarios/config/configuration.hpp"
#include "scenarios/whatif/what_if.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

const config::ProfileLibrary& library() {
  static const config::ProfileLibrary profiles(config::data_directories());
  return profiles;
}

// Each shipped GPU beside the next one of the list.
std::vector<std::pair<std::string, std::string>> pairs() {
  std::vector<std::string> names;
  for (const config::Profile& profile : library().all()) {
    if (profile.kind == config::ProfileKind::kGpu) names.push_back(profile.name);
  }
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    out.emplace_back(names[i], names[(i + 1) % names.size()]);
    out.emplace_back(names[(i + 1) % names.size()], names[i]);
  }
  return out;
}

// On the host of `from`, which no what-if `gpu=` changes.
system::SystemSpec system_of(const std::string& gpu, const std::string& from) {
  const config::Hardware hardware = read_hardware(from, "", {}, library(), "test");
  system::SystemSpec system;
  system.gpu = read_hardware(gpu, "", {}, library(), "test").gpu;
  system.host = hardware.host;
  system.connections = hardware.connections;
  return system;
}

std::vector<Duration> durations(const program::Program& program, const system::SystemSpec& system) {
  std::vector<Duration> out;
  for (const analysis::GpuWork& work : TimedRun(program, system).works(0))
    out.push_back(work.end - work.start);
  return out;
}

whatif::WhatIfState changed(const program::Program& program, const std::string& from,
                            const std::string& to) {
  const system::SystemSpec system = system_of(from, from);
  whatif::WhatIfState state{program, system, system, {}, {}};
  apply_what_if("gpu=" + to, state);
  return state;
}

// Copies of each direction and memsets from 1 KB to 1 GB, among them one of 30 MB, which some
// GPUs hold in their L2 cache twice.
program::Program transfers() {
  program::ProgramBuilder builder;
  builder.stream();
  builder.thread();
  for (const double bytes : {1e3, 1e4, 1e5, 1e6, 1e7, 3e7, 5e7, 1e8, 1e9}) {
    const Bytes size(static_cast<std::int64_t>(bytes));
    for (const bool pinned : {true, false}) {
      builder.copy(0, program::CopyDirection::kHostToDevice, size, pinned);
      builder.copy(0, program::CopyDirection::kDeviceToHost, size, pinned);
    }
    builder.copy(0, program::CopyDirection::kDeviceToDevice, size);
    builder.copy(0, program::CopyDirection::kHostToHost, size);
    builder.memset(0, size);
  }
  builder.synchronize_device();
  return builder.take();
}

// As recorded: each copy and memset with the time that it took.
program::Program recorded(program::Program program, const std::vector<Duration>& times) {
  std::size_t next = 0;
  for (program::Call& call : program.threads[0].calls) {
    if (Duration* time = recorded_in(call)) *time = times.at(next++);
  }
  return program;
}

// Starts and ends are whole picoseconds, each rounded.
void expect_same(const std::vector<Duration>& moved, const std::vector<Duration>& there,
                 const std::string& between) {
  ASSERT_EQ(moved.size(), there.size());
  for (std::size_t i = 0; i < moved.size(); ++i) {
    EXPECT_LE(std::abs((moved[i] - there[i]).count()), 2)
        << between << ", number " << i << ": " << moved[i].count() << " and " << there[i].count();
  }
}

TEST(GpuAgreement, OfRecordedCopiesAndMemsetsIsExactUpToRounding) {
  const program::Program program = transfers();
  for (const auto& [from, to] : pairs()) {
    const program::Program then = recorded(program, durations(program, system_of(from, from)));
    const whatif::WhatIfState state = changed(then, from, to);
    expect_same(durations(state.program, state.system), durations(program, system_of(to, from)),
                from + " to " + to);
  }
}

program::Kernel operator_kernel(program::Operator what) {
  program::OperatorWork work;
  work.what = std::move(what);
  program::Kernel kernel;
  kernel.name = "operator";
  kernel.work = work;
  return kernel;
}

// Its warps stream through the memory, with some arithmetic.
program::Kernel streaming_kernel(std::uint32_t blocks, double turns) {
  program::Kernel kernel = program::spin_kernel(blocks, 256, Duration(0));
  program::Segment segment;
  segment.repeat = turns;
  segment[program::Pipe::kFma] = 8;
  segment[program::Pipe::kLsu] = 2;
  segment.chain_cycles = 40;
  program::MemoryBatch loads;
  loads.requests = 2;
  loads.sectors = 16;
  loads.lines = 4;
  segment.batches = {loads};
  kernel.work = program::InstructionWork{{segment}};
  return kernel;
}

program::Program described_kernels() {
  program::ProgramBuilder builder;
  builder.stream();
  builder.thread();
  for (const double size : {256.0, 2048.0, 8192.0}) {
    const auto length = static_cast<std::uint64_t>(size);
    const program::Gemm gemm{.m = size, .n = size, .k = size};
    const program::Attention attention{
        .batch = 4, .heads = 16, .kv_heads = 16, .queries = length, .keys = length};
    const program::Rowwise norm{
        .what = program::RowOperator::kLayerNorm, .rows = size, .columns = 4096};
    const program::Elementwise add{.elements = size * 4096, .inputs = 2};
    for (const program::Operator& what : {program::Operator(gemm), program::Operator(attention),
                                          program::Operator(norm), program::Operator(add)}) {
      builder.launch(builder.kernel(operator_kernel(what)), 0);
    }
    const auto blocks = static_cast<std::uint32_t>(size);
    builder.launch(builder.kernel(streaming_kernel(blocks, 4)), 0);
    builder.launch(builder.kernel(streaming_kernel(blocks, 400)), 0);
  }
  builder.synchronize_device();
  return builder.take();
}

TEST(GpuAgreement, OfDescribedKernelsIsExact) {
  const program::Program program = described_kernels();
  for (const auto& [from, to] : pairs()) {
    const whatif::WhatIfState state = changed(program, from, to);
    expect_same(durations(state.program, state.system), durations(program, system_of(to, from)),
                from + " to " + to);
  }
}

}  // namespace
}  // namespace septet::test
