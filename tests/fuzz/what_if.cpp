// What-ifs, applied to a small program; it is not run.
#include "scenarios/whatif/what_if.hpp"

#include "models/program/builder.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

namespace {

// Two streams with two kernels and a copy, and a synchronisation.
program::Program sample() {
  program::ProgramBuilder build;
  const std::uint32_t kernel = build.kernel(program::spin_kernel(8, 64, 5_us));
  const std::uint32_t one = build.stream();
  const std::uint32_t two = build.stream();
  build.thread();
  for (int n = 0; n < 4; ++n) {
    build.launch(kernel, n % 2 == 0 ? one : two);
    build.work(3_us);
  }
  build.copy(one, program::CopyDirection::kDeviceToHost, 1_KiB);
  build.synchronize_stream(two);
  return build.take();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const program::Program kProgram = sample();
  return fuzz::read_or_refuse([&] {
    whatif::WhatIfState state;
    state.program = kProgram;
    whatif::apply_what_if(std::string(fuzz::text_of(data, size)), state);
  });
}
