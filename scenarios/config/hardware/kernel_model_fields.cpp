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
      number("interval", &S::interval,
             "cycles between warp instructions in a sub-partition (one scheduler)"),
      number("sm_interval", &S::sm_interval,
             "cycles between warp instructions on the part shared by the SM; 0: none"),
      number("latency", &S::latency, "cycles until a dependent instruction can issue"),
  };
  return rows;
}

const Fields<gpu::BlockLifeSpec>& block_life_fields() {
  using S = gpu::BlockLifeSpec;
  static const Fields<S> rows = {
      short_latency("ramp", &S::ramp,
                    "from the creation of the first block to its first instruction, plus the end "
                    "of the last block"),
      number("turnover_cycles", &S::turnover_cycles,
             "from the end of a block to the first load of its successor"),
      number("turnover_cycles_per_warp", &S::turnover_cycles_per_warp,
             "added for each warp of the block"),
      short_latency("grid_sync", &S::grid_sync, "grid-wide barrier of a cooperative grid"),
      short_latency("grid_sync_per_block", &S::grid_sync_per_block,
                    "added for each block beyond the first"),
  };
  return rows;
}

const Fields<gpu::ColdSpec>& cold_fields() {
  using S = gpu::ColdSpec;
  static const Fields<S> rows = {
      number("parameter_cycles", &S::parameter_cycles,
             "loading parameters and thread indices that miss the constant cache"),
      number("fetch_cycles", &S::fetch_cycles,
             "per instruction of straight-line code, with prefetch"),
      number("first_touch_cycles", &S::first_touch_cycles, "added to the first load of a page"),
      short_latency(
          "neighbour_start", &S::neighbour_start,
          "how much the start of a kernel lengthens each recorded kernel that is running"),
      short_latency("profiler_time", &S::profiler_time,
                    "added to a kernel's time by Nsight Compute"),
  };
  return rows;
}

const Fields<gpu::FetchSpec>& fetch_fields() {
  using S = gpu::FetchSpec;
  static const Fields<S> rows = {
      size("l0", &S::l0, "largest loop that is not fetched again"),
      size("l15", &S::l15, "capacity of the SM's instruction cache"),
      number("cycles_from_l15", &S::cycles_from_l15,
             "cycles between instructions fetched from there"),
      number("cycles_from_l2", &S::cycles_from_l2,
             "cycles between instructions fetched from the L2 cache"),
      number("drift", &S::drift, "factor for loops in the SM's cache whose schedulers drift apart"),
      required(ranged("instruction_bytes", &S::instruction_bytes, "bytes of an instruction",
                      between(1.0, 64.0))),
  };
  return rows;
}

const Fields<gpu::IssueSpec>& issue_fields() {
  using S = gpu::IssueSpec;
  static const Fields<S> rows = {
      required(ranged("schedulers", &S::schedulers,
                      "schedulers of an SM, each issuing one warp instruction per cycle",
                      between(1U, 64U))),
      number("branch_cycles", &S::branch_cycles, "bubble after a taken branch"),
      number("indirect_branch_cycles", &S::indirect_branch_cycles, "the same for a jump table"),
      number("spread_hide_cycles", &S::spread_hide_cycles,
             "how far warps of a scheduler drift apart while hiding memory latency"),
      share("leftover_issue", &S::leftover_issue,
            "fraction of issue slots left to an older grid by a younger one that is always ready"),
  };
  return rows;
}

const Fields<gpu::MemorySpec>& memory_fields() {
  using S = gpu::MemorySpec;
  static const Fields<S> rows = {
      number("l1_latency", &S::l1_latency, "a load that hits the L1 cache"),
      number("shared_latency", &S::shared_latency, "a load from shared memory"),
      number("l2_latency", &S::l2_latency,
             "a load that hits the L2 cache, averaged over its partitions"),
      number("dram_latency", &S::dram_latency, "a load from device memory"),
      number("stream_conflict_cycles", &S::stream_conflict_cycles,
             "added if many SMs load from neighbouring rows"),
      number("dram_spread_cycles", &S::dram_spread_cycles,
             "standard deviation of the latency of a load from device memory"),
      number("l2_spread_cycles", &S::l2_spread_cycles, "the same for the L2 cache"),
      size("tlb_reach", &S::tlb_reach, "footprint of random access without TLB misses"),
      number("tlb_miss_cycles", &S::tlb_miss_cycles, "added to a load that misses the TLB"),
      number("warp_port_bytes", &S::warp_port_bytes, "bytes per cycle delivered to one warp"),
      number("sm_port_bytes", &S::sm_port_bytes, "bytes per cycle from the L2 cache to one SM"),
      number("l1_bytes", &S::l1_bytes, "bytes per cycle from one L1 cache"),
      rate("l2_bandwidth", &S::l2_bandwidth, "read bandwidth of the L2 cache"),
      number("l2_write_cost", &S::l2_write_cost,
             "L2 time of a written byte relative to a read byte"),
      number("l2_lone_sector_bytes", &S::l2_lone_sector_bytes,
             "L2 throughput used by an isolated 32-byte sector, in bytes"),
      number("l2_queue_cycles", &S::l2_queue_cycles, "growth of the L2 latency with load"),
      rate("dram_bandwidth", &S::dram_bandwidth, "bandwidth of streaming reads"),
      share("dram_turnaround", &S::dram_turnaround,
            "fraction of time lost with half reads and half writes"),
      short_latency("dram_row_time", &S::dram_row_time, "exposed time to open a row"),
      size("dram_row", &S::dram_row, "size of a row"),
      number("dram_queue_cycles", &S::dram_queue_cycles, "growth of the latency with load"),
      number("dram_write_queue_cycles", &S::dram_write_queue_cycles,
             "added growth with half reads and half writes"),
      number("port_queue_cycles", &S::port_queue_cycles, "the same for the SM's ports"),
      required(ranged("queue_power", &S::queue_power,
                      "exponent p: latency grows as (use / (1 - use))^p", between(0.1, 2.0))),
      size("l1_capacity", &S::l1_capacity,
           "working set for which half of the accesses of repeated passes miss the L1 cache"),
      size("l1_edge", &S::l1_edge, "standard deviation of that size"),
      size("l2_capacity", &S::l2_capacity, "the same for the L2 cache"),
      size("l2_edge", &S::l2_edge, "standard deviation of that size"),
  };
  return rows;
}

const Fields<gpu::KernelSpec>& kernel_model_fields() {
  using S = gpu::KernelSpec;
  static const Fields<S> rows = [] {
    Fields<S> out = {
        required(
            section("block", &S::block, block_life_fields, "stage 3: start and end of a block")),
        required(section("cold", &S::cold, cold_fields, "kernels that start with cold caches")),
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
