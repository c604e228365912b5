// Group compute: latency and throughput of the pipes, by straight code in independent chains, and
// matrix instructions.
#include "tools/probe/parts.cuh"

namespace probe {
namespace {

constexpr int kTurns = 400;
constexpr int kStepsOfTurn = 16;

enum class Op { kFma32, kImad, kEx2, kFma64, kShuffle };

const char* name_of(Op op) {
  switch (op) {
    case Op::kFma32:
      return "fma32";
    case Op::kImad:
      return "imad";
    case Op::kEx2:
      return "ex2";
    case Op::kFma64:
      return "fma64";
    default:
      return "shfl";
  }
}

template <Op kOp, int kChains>
__global__ void op_kernel(float* memory, int turns, long long* cycles) {
  float x[kChains];
  double y[kChains];
  int z[kChains];
#pragma unroll
  for (int i = 0; i < kChains; ++i) y[i] = z[i] = x[i] = threadIdx.x + i + 1;
  const float factor = memory[0], addend = memory[1];
  const int whole = static_cast<int>(memory[2]) + 3;
  const long long begin = clock64();
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int step = 0; step < kStepsOfTurn; ++step) {
#pragma unroll
      for (int i = 0; i < kChains; ++i) {
        if (kOp == Op::kFma32) x[i] = fmaf(x[i], factor, addend);
        if (kOp == Op::kImad) z[i] = z[i] * whole + step;
        if (kOp == Op::kEx2) asm volatile("ex2.approx.f32 %0, %0;" : "+f"(x[i]));
        if (kOp == Op::kFma64) y[i] = fma(y[i], double(factor), double(addend));
        if (kOp == Op::kShuffle) z[i] = __shfl_xor_sync(~0U, z[i], 1);
      }
    }
  }
  const long long end = clock64();
  float total = 0;
#pragma unroll
  for (int i = 0; i < kChains; ++i) total += x[i] + float(y[i]) + z[i];
  if (total == 1.2345e-30f) memory[3] = total;
  if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = end - begin;
}

// Two sources from one register bank cost an issue slot: with few chains the compiler can't help.
template <Op kOp, int kChains>
constexpr double bank_conflicts() {
  if (kOp == Op::kFma32) return kChains == 1 ? 1.0 : kChains == 2 ? 0.5 : 0.0;
  return kOp == Op::kFma64 && kChains == 1 ? 1.0 : 0.0;
}

template <Op kOp, int kChains>
void op_case(Rows& rows, const Device& device, float* memory, long long* cycles) {
  for (const int warps : {1, 4, 8, 16, 32}) {
    for (int run = 0; run < 2; ++run) {  // the first warms up
      op_kernel<kOp, kChains><<<device.sm_count, warps * 32>>>(memory, kTurns, cycles);
    }
    long long taken = 0;
    CHECK(cudaMemcpy(&taken, cycles, sizeof taken, cudaMemcpyDeviceToHost));
    const void* kernel = reinterpret_cast<const void*>(op_kernel<kOp, kChains>);
    rows.add(Case("op")
                 .text("op", name_of(kOp))
                 .number("ilp", kChains)
                 .number("warps_per_sm", warps)
                 .number("instr_per_warp", kTurns * kStepsOfTurn * kChains)
                 .number("blocks", device.sm_count)
                 .number("threads", warps * 32)
                 .number("registers", registers_of(kernel))
                 .number("register_bank_conflicts_per_instr", bank_conflicts<kOp, kChains>()),
             "cycles", static_cast<double>(taken), "cycles", 1);
  }
}

constexpr int kAccumulators = 4;

// Four accumulators in turn. The operands come from memory, so that they are in registers.
__global__ void matrix_kernel(float* memory, int turns) {
#if __CUDA_ARCH__ >= 800
  const unsigned* words = reinterpret_cast<const unsigned*>(memory);
  const unsigned a[4] = {words[4], words[5], words[6], words[7]}, b[2] = {words[8], words[9]};
  float sums[kAccumulators][4] = {};
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (auto& c : sums) {
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
          "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
          : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
  }
  float total = 0;
  for (const auto& c : sums) total += c[0] + c[1] + c[2] + c[3];
  if (total == 1.2345e-30f) memory[3] = total;
#endif
}

void matrices(Rows& rows, const Device& device, float* memory) {
  constexpr int kMatrixTurns = 4000;
  constexpr int kRuns = 5;
  constexpr double kFlopOfInstruction = 2.0 * 16 * 8 * 16;
  const int instructions = kMatrixTurns * kAccumulators;
  for (const int warps : {2, 4, 8, 16}) {
    const double time = event_us(
        kRuns, [&] { matrix_kernel<<<device.sm_count, warps * 32>>>(memory, kMatrixTurns); });
    rows.add(Case("wmma_bf16")
                 .number("warps_per_sm", warps)
                 .text("instruction", "mma.m16n8k16 bf16, fp32 accumulate")
                 .number("mma_per_warp", instructions)
                 .number("independent_accumulators", kAccumulators)
                 .number("flop_per_warp", instructions * kFlopOfInstruction)
                 .number("blocks", device.sm_count)
                 .number("threads", warps * 32)
                 .number("registers", registers_of(reinterpret_cast<const void*>(matrix_kernel))),
             "device_time", time, "us", kRuns);
  }
}

}  // namespace

void measure_pipes(Rows& rows, const Device& device) {
  rows.group("compute");
  const Buffer<float> memory(64);
  const Buffer<long long> cycles(64);
  const float values[] = {0.999f, 0.5f, 1.0f, 0.0f};
  CHECK(cudaMemcpy(memory.get(), values, sizeof values, cudaMemcpyHostToDevice));
  op_case<Op::kFma32, 1>(rows, device, memory.get(), cycles.get());
  op_case<Op::kFma32, 8>(rows, device, memory.get(), cycles.get());
  op_case<Op::kImad, 1>(rows, device, memory.get(), cycles.get());
  op_case<Op::kImad, 4>(rows, device, memory.get(), cycles.get());
  op_case<Op::kEx2, 1>(rows, device, memory.get(), cycles.get());
  op_case<Op::kEx2, 4>(rows, device, memory.get(), cycles.get());
  op_case<Op::kFma64, 1>(rows, device, memory.get(), cycles.get());
  op_case<Op::kFma64, 4>(rows, device, memory.get(), cycles.get());
  op_case<Op::kShuffle, 1>(rows, device, memory.get(), cycles.get());
  op_case<Op::kShuffle, 4>(rows, device, memory.get(), cycles.get());
  int major = 0;
  CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device.index));
  if (major >= 8) matrices(rows, device, memory.get());  // bf16 came with compute capability 8.0
}

}  // namespace probe
