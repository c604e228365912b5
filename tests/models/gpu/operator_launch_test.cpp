// Operators as kernels of a Program.
#include <gtest/gtest.h>

#include "models/gpu/operators/library_kernels.hpp"
#include "tests/models/gpu/modelled_system.hpp"
#include "tests/models/gpu/operators/operator_gpu.hpp"

namespace septet::test {
namespace {

system::SystemSpec operator_system() {
  system::SystemSpec system = modelled_system();
  const gpu::GpuSpec model = testing::operator_gpu();
  system.gpu.tensor = model.tensor;
  system.gpu.operators = model.operators;
  system.gpu.power = model.power;
  return system;
}

std::vector<program::OperatorWork> examples() {
  const program::Gemm product{.m = 1024, .n = 1024, .k = 1024};
  program::Gemm warm = product;
  warm.state = {.l2_hit = 1, .output_stays = true};
  const program::Attention prefill{.heads = 8, .kv_heads = 8, .queries = 512, .keys = 512};
  program::Attention decode = prefill;
  decode.phase = program::AttentionPhase::kDecode;
  decode.queries = 1;
  return {{product},
          {warm},
          {product, program::Library::kVllm},
          {prefill},
          {decode},
          {program::Elementwise{.elements = 1e6, .inputs = 2, .instructions = 4}},
          {program::Elementwise{.elements = 1e6, .access = program::Access::kStrided}},
          {program::Rowwise{.what = program::RowOperator::kRmsNorm, .rows = 1000, .columns = 4096}},
          {program::Gather{.rows = 1000, .columns = 1024}},
          {program::SumAll{.elements = 1e6}},
          {program::Convolution{.in_channels = 64,
                                .height = 56,
                                .width = 56,
                                .out_channels = 64,
                                .kernel_height = 3,
                                .kernel_width = 3,
                                .type = program::DataType::kFp16}}};
}

program::Kernel kernel_of(const program::OperatorWork& work) {
  program::Kernel kernel;
  kernel.name = "operator";
  kernel.work = work;
  return kernel;
}

TEST(OperatorLaunch, TakesAloneWhatItsFormulaSays) {
  const system::SystemSpec system = operator_system();
  for (const program::OperatorWork& work : examples()) {
    program::ProgramBuilder builder;
    builder.thread();
    builder.launch(builder.kernel(kernel_of(work)), builder.stream());
    const TimedRun run(builder.take(), system);
    EXPECT_EQ(run.end(0) - run.start(0), operator_time(system.gpu, work).time)
        << "operator " << work.what.index();
  }
}

TEST(OperatorLaunch, WarmOperandsTakeLess) {
  const system::SystemSpec system = operator_system();
  EXPECT_LT(operator_time(system.gpu, examples()[1]).time,
            operator_time(system.gpu, examples()[0]).time);
}

TEST(OperatorLaunch, TwoProductsThatFillTheGpuRunOneAfterTheOther) {
  const system::SystemSpec system = operator_system();
  const program::OperatorWork product = examples()[0];
  program::ProgramBuilder builder;
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
Duration product_beside(const program::Kernel& other) {
  system::SystemSpec system = operator_system();
  system.gpu.kernel.memory.dram_queue_cycles = 50;
  program::OperatorWork product = examples()[0];
  program::Gemm& gemm = std::get<program::Gemm>(product.what);
  gemm.m = gemm.n = 64;
  gemm.k = 1 << 20;  // so that its operands' bytes are what it takes
  program::ProgramBuilder builder;
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
