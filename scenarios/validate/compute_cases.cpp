// Groups compute and roofline: pipes, instruction caches, divergence, matrix instructions, and
// loads with arithmetic between them.
#include <algorithm>
#include <map>

#include "scenarios/validate/kernel_cases.hpp"

namespace septet::validation {
namespace {

constexpr double kLoopInstructions = 3;  // counter, compare, branch

const gpu::KernelSpec& kernel_spec(const system::SystemSpec& system) { return system.gpu.kernel; }

const std::map<std::string, program::Pipe>& pipes_by_operation() {
  static const std::map<std::string, program::Pipe> kPipesByName = {
      {"fma32", program::Pipe::kFma},
      {"imad", program::Pipe::kImad},
      {"ex2", program::Pipe::kSfu},
      {"fma64", program::Pipe::kFp64},
      {"shfl", program::Pipe::kShuffle}};
  return kPipesByName;
}

// Straight bodies of 64 instructions in `ilp` independent chains, in a loop.
Prediction operation(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr double kBody = 64;
  const auto found = pipes_by_operation().find(row.text("op"));
  if (found == pipes_by_operation().end()) return unsupported("no pipe for " + row.text("op"));
  const gpu::KernelSpec& spec = kernel_spec(system);
  const gpu::PipeSpec& pipe = spec.pipe(found->second);
  const char* key = "register_bank_conflicts_per_instr";
  const double conflicts = row.has(key) ? row.number(key) : 0.0;
  program::Segment segment;
  segment.repeat = row.number("instr_per_warp") / kBody;
  segment[found->second] = kBody;
  segment[program::Pipe::kOther] = kLoopInstructions;
  segment.bank_conflicts[static_cast<std::size_t>(found->second)] = conflicts * kBody;
  segment.chain_cycles =
      std::max(kBody / row.number("ilp") * pipe.latency, kBody * (pipe.interval + conflicts)) +
      spec.issue.branch_cycles;
  return own_cycles(described_kernel(row, {segment}), system);
}

Prediction instruction_cache(const MeasuredRow& row, const system::SystemSpec& system) {
  const gpu::KernelSpec& spec = kernel_spec(system);
  const double body = row.number("body_instr");
  program::Segment segment;
  segment.repeat = row.number("iters");
  segment[program::Pipe::kFma] = body;
  segment[program::Pipe::kOther] = kLoopInstructions;
  segment.chain_cycles = body + spec.issue.branch_cycles;
  segment.code_bytes = body * spec.fetch.instruction_bytes;
  return device_time(described_kernel(row, {segment}), system);
}

// Paths of dependent FMAs in a jump table: the warp takes them one after the other.
Prediction divergence(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr double kAroundPath = 10;
  constexpr double kAroundAll = 45;  // cycles of the loop and of the table's index
  const gpu::KernelSpec& spec = kernel_spec(system);
  const double ways = row.number("ways");
  const double path = row.number("fma_per_path");
  program::Segment segment;
  segment.repeat = row.number("iters");
  segment[program::Pipe::kFma] = path * ways;
  segment[program::Pipe::kOther] = kAroundPath * (ways + 1);
  segment.chain_cycles =
      ways * (path * spec.pipe(program::Pipe::kFma).latency + spec.issue.indirect_branch_cycles) +
      kAroundAll;
  return device_time(described_kernel(row, {segment}), system);
}

Prediction matrix(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr double kBody = 8;
  const gpu::KernelSpec& spec = kernel_spec(system);
  program::Segment segment;
  segment.repeat = row.number("mma_per_warp") / kBody;
  segment[program::Pipe::kTensor] = kBody;
  segment[program::Pipe::kOther] = kLoopInstructions;
  segment.chain_cycles =
      kBody / row.number("independent_accumulators") * spec.pipe(program::Pipe::kTensor).latency +
      spec.issue.branch_cycles;
  return device_time(described_kernel(row, {segment}), system);
}

Prediction roofline(const MeasuredRow& row, const system::SystemSpec& system) {
  const double threads = row.number("blocks") * row.number("threads");
  return device_time(
      described_kernel(
          row, {roofline_segment(row.number("bytes_read"), threads, row.number("fma_per_16B"),
                                 row.number("other_instructions_per_16B"))}),
      system);
}

}  // namespace

std::vector<CaseKind> compute_cases() {
  return {{"compute", "op", operation},
          {"compute", "icache", instruction_cache},
          {"compute", "diverge", divergence},
          {"compute", "wmma_bf16", matrix}};
}

std::vector<CaseKind> roofline_cases() { return {{"roofline", "roofline", roofline}}; }

}  // namespace septet::validation
