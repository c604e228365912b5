#include "models/workload/nsight/profiled_kernel.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::nsight {
namespace {

constexpr double kSectorBytes = 32;
constexpr double kLineBytes = 128;
constexpr double kWideRequest = 512;    // 16 bytes a lane
constexpr double kNarrowRequest = 128;  // 4 bytes a lane
constexpr double kMostRounds = 400;

// A counter as a whole number. Throws ModelError where it is none that a kernel can have.
std::uint32_t whole(const char* what, double value) {
  constexpr double kMost = 2147483647;
  if (value >= 0 && value <= kMost) return static_cast<std::uint32_t>(value);
  throw ModelError(fmt::format("{} is {:g}, wanted 0 to {:.0f}", what, value, kMost));
}

class Describer {
 public:
  Describer(const ProfiledKernel& profiled, const gpu::GpuSpec& gpu,
            const CodeAssumptions& assumptions)
      : name_(profiled.name),
        gpu_(gpu),
        assume_(assumptions),
        counts_(counts_of(profiled, gpu.sm_count)),
        source_(source_structure(profiled.name)) {}

  program::Kernel describe() {
    measure_memory();
    plan_rounds();
    program::Kernel kernel;
    kernel.name = name_;
    kernel.shape.grid.x = whole("the number of blocks", counts_.blocks);
    kernel.shape.block.x = whole("the number of threads of a block", counts_.threads);
    kernel.shape.registers_per_thread = whole("the number of registers", counts_.registers);
    kernel.shape.dynamic_shared = Bytes(whole("the size of shared memory", counts_.shared_bytes));
    program::InstructionWork work;
    work.segments = {segment()};
    work.once_cycles = once();
    work.wave_cycles = wave();
    kernel.work = std::move(work);
    return kernel;
  }

 private:
  bool pipelined() const { return source_.pattern == LoadPattern::kPipeline; }

  // Bytes that a warp of the busiest SM reads and writes, and how many loads that takes.
  void measure_memory() {
    const double l1 = counts_.l1_bytes;
    const bool past_l1 = l1 < 0.2 * counts_.l2_bytes && counts_.tensor > 0;
    if (past_l1) {
      tma_bytes_ =
          std::max(0.0, counts_.l2_bytes - l1 - counts_.dram_read - assume_.profiler_l2_bytes);
    }
    reads_ = l1 < 4 * counts_.dram_read ? std::max(counts_.dram_read, 0.5 * l1) : 0.95 * l1;
    const double read_share = l1 > 0 ? std::min(1.0, reads_ / l1) : 0.0;
    if (tma_bytes_ > 0) reads_ = 0;
    read_bytes_ = counts_.l1_bytes_busiest * read_share;
    write_bytes_ = counts_.l1_bytes_busiest - read_bytes_;
    const double each = counts_.l1_bytes_busiest / std::max(counts_.lsu, 1.0);
    request_ = counts_.lsu > 0 && counts_.l1_bytes_busiest / counts_.lsu > 150 ? kWideRequest
                                                                               : kNarrowRequest;
    if (each < 64) request_ = std::max(kSectorBytes, each);
    loads_ = l1 > 0 ? read_bytes_ / request_ : 0.0;
  }

  // Rounds of loads that wait for each other, and how many loads are in flight in each.
  void plan_rounds() {
    in_flight_ = source_.in_flight;
    switch (source_.pattern) {
      case LoadPattern::kWritesOnly:
        rounds_ = 0;
        return;
      case LoadPattern::kPipeline:
        rounds_ = 1;
        in_flight_ = 8;
        return;
      case LoadPattern::kElementLoop:
        rounds_ = source_.elements;
        in_flight_ = std::max(1.0, loads_ / rounds_);
        return;
      case LoadPattern::kReduction:
        in_flight_ = request_ == kWideRequest ? 1 : 4;
        rounds_ = std::max(1.0, loads_ / in_flight_);
        return;
      case LoadPattern::kTensorLists:
        return plan_lists();
      case LoadPattern::kConvertedLoad: {
        constexpr double kOutside = 40;  // instructions around the elements
        constexpr double kEach = 45;     // and of each element, its conversion in them
        in_flight_ = 1;
        rounds_ = std::clamp((counts_.instructions - kOutside) / kEach, 1.0, 4.0);
        return;
      }
      case LoadPattern::kBatches: {
        constexpr double kHardlyAny = 0.05;
        const double missing = loads_ * (1.0 - counts_.l1_hit) / in_flight_;
        rounds_ = loads_ > kHardlyAny ? std::max(1.0, missing) : 0.0;
        return;
      }
    }
  }

  // A turn loads from all lists but the one that is written.
  void plan_lists() {
    constexpr double kTurnAccesses = 32;
    const double accesses = counts_.l1_bytes_busiest / kWideRequest;
    const double lists =
        accesses >= kTurnAccesses ? std::max(2.0, std::round(accesses / kTurnAccesses)) : 2.0;
    rounds_ = accesses / lists;
    in_flight_ = std::max(1.0, lists - 1);
  }

  double dependent_loads() const { return rounds_ > 0 ? source_.dependent_loads : 0.0; }

  program::Segment segment() const {
    program::Segment out;
    const double named =
        counts_.fma + counts_.alu + counts_.fp64 + counts_.lsu + counts_.tensor + counts_.sfu;
    out[program::Pipe::kFma] = counts_.fma;
    out[program::Pipe::kAlu] = 0.5 * counts_.alu;  // half of it at full, half at half rate
    out[program::Pipe::kInteger] = 0.5 * counts_.alu;
    out[program::Pipe::kFp64] = counts_.fp64;
    out[program::Pipe::kLsu] = counts_.lsu;
    out[program::Pipe::kSfu] = counts_.sfu;
    out[program::Pipe::kOther] = std::max(0.0, counts_.instructions - named);
    const double unique = unique_instructions();
    out.chain_cycles =
        unique * assume_.cycles_per_instruction +
        std::max(0.0, counts_.instructions - unique) * assume_.cycles_per_loop_instruction;
    out.shared_wavefronts = counts_.bank_conflicts;
    out.async_tensor_cycles = tensor_cycles();
    add_batches(out);
    return out;
  }

  double unique_instructions() const {
    return std::min(counts_.instructions,
                    pipelined() ? assume_.unique_pipelined : assume_.unique_instructions);
  }

  double tensor_cycles() const {
    constexpr double kHardlyAny = 0.3;
    if (counts_.tensor <= kHardlyAny || !names_matrix_product(name_)) return 0;
    const MatrixInstructions matrix = matrix_instructions(name_);
    return counts_.tensor * matrix.cycles /
           (matrix.warp_group ? assume_.tensor_efficiency : assume_.warp_tensor_efficiency);
  }

  void add_batches(program::Segment& out) const {
    if (tma_bytes_ > 0) return add_tma(out);
    const double missing = 1.0 - counts_.l1_hit;
    if (rounds_ > 0) {
      const double bytes = read_bytes_ / rounds_;
      program::MemoryBatch load;
      load.requests = std::max(1.0, std::min(in_flight_, loads_ / rounds_));
      load.sectors = bytes * missing / load.requests / kSectorBytes;
      load.lines = bytes / kLineBytes;
      const double below = std::max(1.0, reads_ * missing);
      load.l2_hit = reads_ > 0 ? 1.0 - std::min(1.0, counts_.dram_read / below) : 1.0;
      const double times = std::max(1.0, std::round(std::min(rounds_, kMostRounds)));
      out.batches.assign(static_cast<std::size_t>(times), load);
    }
    if (write_bytes_ <= 0) return;
    program::MemoryBatch store;
    store.sectors = write_bytes_ / kSectorBytes;
    store.lines = write_bytes_ / kLineBytes;
    store.write = true;
    store.l2_hit = 1;  // written back after the kernel
    out.batches.push_back(store);
  }

  void add_tma(program::Segment& out) const {
    program::MemoryBatch load;
    load.sectors = tma_bytes_ / counts_.warps / kSectorBytes;
    load.l2_hit = std::max(0.0, 1.0 - counts_.dram_read / tma_bytes_);
    out.batches.push_back(load);
  }

  // Cold code and parameters, first touch of the data's pages.
  double once() const {
    const gpu::ColdSpec& cold = gpu_.kernel.cold;
    double touches = rounds_ > 0 ? 1.0 + dependent_loads() : 0.0;
    if (tma_bytes_ > 0) touches += assume_.tma_rounds;
    return cold.parameter_cycles + unique_instructions() * cold.fetch_cycles +
           touches * cold.first_touch_cycles;
  }

  double wave() const {
    double rounds = dependent_loads();
    if (pipelined()) rounds = tma_bytes_ > 0 ? assume_.tma_rounds : assume_.async_rounds;
    return rounds * gpu_.kernel.memory.dram_latency;
  }

  const std::string& name_;
  const gpu::GpuSpec& gpu_;
  const CodeAssumptions& assume_;
  const ProfiledCounts counts_;
  const SourceStructure source_;
  double tma_bytes_ = 0;
  double reads_ = 0;  // of the kernel
  double read_bytes_ = 0;
  double write_bytes_ = 0;
  double request_ = kNarrowRequest;
  double loads_ = 0;
  double rounds_ = 0;
  double in_flight_ = 0;
};

}  // namespace

program::Kernel profiled_kernel(const ProfiledKernel& profiled, const gpu::GpuSpec& gpu,
                                const CodeAssumptions& assumptions) {
  return Describer(profiled, gpu, assumptions).describe();
}

}  // namespace septet::nsight
