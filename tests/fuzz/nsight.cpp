// Reports of Nsight Compute in CSV, up to the kernels that the model times.
#include "models/workload/nsight/profiled_kernel.hpp"
#include "tests/fuzz/fuzzer.hpp"

using namespace septet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::read_or_refuse([&] {
    gpu::GpuSpec gpu;
    gpu.sm_count = 132;
    for (const auto& kernel : nsight::read_nsight_report(fuzz::file_of(data, size, ".csv"))) {
      fuzz::read_or_refuse([&] { nsight::profiled_kernel(kernel, gpu); });
    }
  });
}
