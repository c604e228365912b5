// Operators as kernels of a Program.
#include <gtest/gtest.h>

#include "models/gpu/operators/operator_kernel.hpp"
#include "tests/models/gpu/modelled_system.hpp"
#include "tests/models/gpu/operators/operator_gpu.hpp"

namespace septet::test {
namespace {

SystemSpec operator_system() {
  SystemSpec system = modelled_system();
  const GpuSpec model = testing::operator_gpu();
  system.gpu.tensor = model.tensor;
  system.gpu.operators = model.operators;
  system.gpu.power = model.power;
  return system;
}

std::vector<OperatorWork> examples() {
  OperatorWork product;
  Gemm gemm;
  gemm.m = gemm.n = gemm.k = 1024;
  product.what = gemm;
  OperatorWork warm = product;
  std::get<Gemm>(warm.what).state = {1, false, true};
  OperatorWork served = product;
  served.library = Library::kVllm;
  OperatorWork prefill;
  AttentionCall attention;
  attention.what.heads = attention.what.kv_heads = 8;
  attention.what.queries = attention.what.keys = 512;
  prefill.what = attention;
  OperatorWork decode = prefill;
  std::get<AttentionCall>(decode.what).phase = AttentionPhase::kDecode;
  std::get<AttentionCall>(decode.what).what.queries = 1;
  OperatorWork add;
  add.what = Elementwise{1e6, 2, 1, 2, 2, 4};
  OperatorWork norm;
  norm.what = Rowwise{RowOperator::kRmsNorm, 1000, 4096};
  OperatorWork gather;
  gather.what = Gather{1000, 1024, 2};
  OperatorWork sum;
  sum.what = SumAll{1e6};
  OperatorWork convolution;
  convolution.what = Convolution{1, 64, 56, 56, 64, 3, 3, 1, DataType::kFp16, {}};
  return {product, warm, served, prefill, decode, add, norm, gather, sum, convolution};
}

Kernel kernel_of(const OperatorWork& work) {
  Kernel kernel;
  kernel.name = "operator";
  kernel.work = work;
  return kernel;
}

TEST(OperatorLaunch, TakesAloneWhatItsFormulaSays) {
  const SystemSpec system = operator_system();
  for (const OperatorWork& work : examples()) {
    ProgramBuilder builder;
    builder.thread();
    builder.launch(builder.kernel(kernel_of(work)), builder.stream());
    const TimedRun run(builder.take(), system);
    EXPECT_EQ(run.end(0) - run.start(0), operator_time(system.gpu, work).time)
        << "operator " << work.what.index();
  }
}

TEST(OperatorLaunch, WarmOperandsTakeLess) {
  const SystemSpec system = operator_system();
  EXPECT_LT(operator_time(system.gpu, examples()[1]).time,
            operator_time(system.gpu, examples()[0]).time);
}

TEST(OperatorLaunch, TwoProductsThatFillTheGpuRunOneAfterTheOther) {
  const SystemSpec system = operator_system();
  const OperatorWork product = examples()[0];
  ProgramBuilder builder;
  builder.thread();
  const std::uint32_t kernel = builder.kernel(kernel_of(product));
  builder.launch(kernel, builder.stream());
  builder.launch(kernel, builder.stream());
  const TimedRun run(builder.take(), system);
  const Duration alone = operator_time(system.gpu, product).time;
  EXPECT_EQ(run.end(0), 7_us + alone);
  // The other one waits for room until the first one's last wave, and the two share its end.
  EXPECT_GT(run.start(1), 7_us + alone * 3 / 4);
  EXPECT_LT(run.end(1), 7_us + 2 * alone + 1_us);
  EXPECT_GT(run.end(1), 7_us + alone * 3 / 2);
}

// How long a product takes beside a kernel that has two SMs and runs on for long.
Duration product_beside(const Kernel& other) {
  SystemSpec system = operator_system();
  system.gpu.kernel.memory.dram_queue_cycles = 50;
  OperatorWork product = examples()[0];
  Gemm& gemm = std::get<Gemm>(product.what);
  gemm.m = gemm.n = 64;
  gemm.k = 1 << 20;  // so that its operands' bytes are what it takes
  ProgramBuilder builder;
  builder.thread();
  builder.launch(builder.kernel(other), builder.stream());
  builder.launch(builder.kernel(kernel_of(product)), builder.stream());
  const TimedRun run(builder.take(), system);
  return run.end(1) - run.start(1);
}

TEST(OperatorLaunch, AReaderSlowsAProductThatReadsMemoryToo) {
  const Duration beside_waiting = product_beside(waiting_kernel(2, 1024, 1e6));
  EXPECT_GT(product_beside(reading_kernel(2, 1e6)), beside_waiting * 11 / 10);
}

}  // namespace
}  // namespace septet::test
