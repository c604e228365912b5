// The fields of the kernel model: stages 4 to 7 of a GPU's profile.
#include "scenarios/config/hardware/hardware_fields.hpp"
#include "scenarios/config/hardware/hardware_rows.hpp"

namespace septet::config {
namespace {

Field<gpu::KernelSpec> pipe_section(program::Pipe pipe) {
  const auto read = [pipe](const Reading& reading, Sources sources, gpu::KernelSpec& spec) {
    read_fields(reading, pipe_fields(), sources, spec.pipes[static_cast<std::size_t>(pipe)]);
  };
  return required(Field<gpu::KernelSpec>{
      {std::string(text_of(pipe)), "a table", "", std::string(meaning_of(pipe))}, read});
}

}  // namespace

const Fields<gpu::PipeSpec>& pipe_fields() {
  using S = gpu::PipeSpec;
  static const Fields<S> rows = {
      number("interval", &S::interval, "cycles between warp instructions on a scheduler's part"),
      number("sm_interval", &S::sm_interval,
             "cycles between warp instructions on what the SM shares; 0: nothing"),
      number("latency", &S::latency, "cycles until a dependent instruction can issue"),
  };
  return rows;
}

const Fields<gpu::BlockLifeSpec>& block_life_fields() {
  using S = gpu::BlockLifeSpec;
  static const Fields<S> rows = {
      short_latency(
          "ramp", &S::ramp,
          "creation of the first block to its first instruction, and end of the last block"),
      number("turnover_cycles", &S::turnover_cycles,
             "end of a block to the first load of the block that takes its room"),
      number("turnover_cycles_per_warp", &S::turnover_cycles_per_warp,
             "and this much more for each of its warps"),
      short_latency("grid_sync", &S::grid_sync, "all blocks of a cooperative grid meet"),
      short_latency("grid_sync_per_block", &S::grid_sync_per_block,
                    "and this much longer for each block beyond the first"),
  };
  return rows;
}

const Fields<gpu::ColdSpec>& cold_fields() {
  using S = gpu::ColdSpec;
  static const Fields<S> rows = {
      number("parameter_cycles", &S::parameter_cycles,
             "parameters and thread indices that the constant cache does not hold"),
      number("fetch_cycles", &S::fetch_cycles, "an instruction of straight code, with prefetch"),
      number("first_touch_cycles", &S::first_touch_cycles,
             "the first load of a page takes this much more"),
      short_latency("neighbour_start", &S::neighbour_start,
                    "the start of a kernel lengthens each recorded one that runs by this much"),
      short_latency("profiler_time", &S::profiler_time,
                    "what the clock of Nsight Compute adds to a kernel"),
  };
  return rows;
}

const Fields<gpu::FetchSpec>& fetch_fields() {
  using S = gpu::FetchSpec;
  static const Fields<S> rows = {
      size("l0", &S::l0, "code that loops without being fetched again"),
      size("l15", &S::l15, "code that the SM's instruction cache holds"),
      number("cycles_from_l15", &S::cycles_from_l15, "between instructions that come from there"),
      number("cycles_from_l2", &S::cycles_from_l2,
             "between instructions that come from the L2 cache"),
      number("drift", &S::drift,
             "factor of loops from the SM's cache, whose schedulers fall out of step"),
      required(ranged("instruction_bytes", &S::instruction_bytes, "bytes of an instruction",
                      between(1.0, 64.0))),
  };
  return rows;
}

const Fields<gpu::IssueSpec>& issue_fields() {
  using S = gpu::IssueSpec;
  static const Fields<S> rows = {
      required(ranged("schedulers", &S::schedulers, "of an SM, one warp instruction a cycle each",
                      between(1U, 64U))),
      number("branch_cycles", &S::branch_cycles, "bubble of a taken branch"),
      number("indirect_branch_cycles", &S::indirect_branch_cycles, "the same of a jump table"),
      number("spread_hide_cycles", &S::spread_hide_cycles,
             "how far warps of a scheduler drift apart behind memory latency"),
      share("leftover_issue", &S::leftover_issue,
            "share of issue left to an older grid by a younger one that is always busy"),
  };
  return rows;
}

const Fields<gpu::MemorySpec>& memory_fields() {
  using S = gpu::MemorySpec;
  static const Fields<S> rows = {
      number("l1_latency", &S::l1_latency, "a load that hits the L1 cache"),
      number("shared_latency", &S::shared_latency, "a load from shared memory"),
      number("l2_latency", &S::l2_latency, "a load that hits the L2 cache, mean of its partitions"),
      number("dram_latency", &S::dram_latency, "a load from device memory"),
      number("stream_conflict_cycles", &S::stream_conflict_cycles,
             "more where many SMs load from neighbouring rows"),
      number("dram_spread_cycles", &S::dram_spread_cycles,
             "standard deviation of one load's latency from device memory"),
      number("l2_spread_cycles", &S::l2_spread_cycles, "the same from the L2 cache"),
      size("tlb_reach", &S::tlb_reach, "footprint of random access without TLB misses"),
      number("tlb_miss_cycles", &S::tlb_miss_cycles, "a load that misses the TLB takes more"),
      number("warp_port_bytes", &S::warp_port_bytes, "bytes a cycle of one warp's answer"),
      number("sm_port_bytes", &S::sm_port_bytes, "bytes a cycle from the L2 cache into one SM"),
      number("l1_bytes", &S::l1_bytes, "bytes a cycle out of one L1 cache"),
      rate("l2_bandwidth", &S::l2_bandwidth, "read bandwidth of the L2 cache"),
      number("l2_write_cost", &S::l2_write_cost, "L2 time of a written byte against a read one"),
      number("l2_lone_sector_bytes", &S::l2_lone_sector_bytes,
             "bytes of L2 throughput that a lone 32-byte sector takes"),
      number("l2_queue_cycles", &S::l2_queue_cycles, "growth of L2 latency with load"),
      rate("dram_bandwidth", &S::dram_bandwidth, "reads that stream, beyond all latencies"),
      share("dram_turnaround", &S::dram_turnaround,
            "share of time lost at half reads and half writes"),
      short_latency("dram_row_time", &S::dram_row_time, "opening a row that nothing hides"),
      size("dram_row", &S::dram_row, "bytes of a row"),
      number("dram_queue_cycles", &S::dram_queue_cycles, "growth of latency with load"),
      number("dram_write_queue_cycles", &S::dram_write_queue_cycles,
             "more of it at half reads and half writes"),
      number("port_queue_cycles", &S::port_queue_cycles, "the same at the SM's ports"),
      required(ranged("queue_power", &S::queue_power,
                      "latency grows as use / (1 - use) to this power", between(0.1, 2.0))),
      size("l1_capacity", &S::l1_capacity,
           "working set of which repeated passes miss half of the L1 cache"),
      size("l1_edge", &S::l1_edge, "standard deviation of that size"),
      size("l2_capacity", &S::l2_capacity, "the same of the L2 cache"),
      size("l2_edge", &S::l2_edge, "standard deviation of that size"),
  };
  return rows;
}

const Fields<gpu::KernelSpec>& kernel_model_fields() {
  using S = gpu::KernelSpec;
  static const Fields<S> rows = [] {
    Fields<S> out = {
        required(section("block", &S::block, block_life_fields, "stage 3: the life of a block")),
        required(section("cold", &S::cold, cold_fields, "kernels that find all caches cold")),
        required(section("fetch", &S::fetch, fetch_fields, "stage 4: instruction caches")),
        required(section("issue", &S::issue, issue_fields, "stage 5: schedulers")),
    };
    for (const program::Pipe pipe : values_of<program::Pipe>())
      out.push_back(pipe_section(pipe));  // stage 6
    out.push_back(required(
        section("memory", &S::memory, memory_fields, "stage 7: caches and device memory")));
    return out;
  }();
  return rows;
}

}  // namespace septet::config
