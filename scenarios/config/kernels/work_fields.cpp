// The fields of a kernel's segments.
#include "scenarios/config/kernels/work_text.hpp"

namespace septet::config {
namespace {

constexpr double kMany = 1e12;
constexpr double kMostOfATurn = 1e9;
constexpr Bytes kMostCode(16 << 20);
constexpr double kMostSectors = 64;  // 32 threads, each across the border of two sectors

template <class Spec>
Field<Spec> amount(std::string key, double Spec::*member, std::string description) {
  return ranged(std::move(key), member, std::move(description), between(0.0, kMostOfATurn));
}

template <class Member>
Field<AccessText> share(std::string key, Member AccessText::*member, std::string description) {
  return ranged(std::move(key), member, std::move(description), between(0.0, 1.0));
}

Field<PipeCounts> pipe_count(program::Pipe pipe) {
  const Range<double> range = between(0.0, kMostOfATurn);
  const auto read = [pipe, range](const Reading& reading, Sources sources, PipeCounts& counts) {
    counts.of[static_cast<std::size_t>(pipe)] = read_ranged<double>(reading, sources, range);
  };
  return {{std::string(text_of(pipe)), Convert<double>::kType, range.text(),
           std::string(meaning_of(pipe))},
          read};
}

}  // namespace

const Fields<PipeCounts>& pipe_count_fields() {
  static const Fields<PipeCounts> rows = [] {
    Fields<PipeCounts> out;
    for (const program::Pipe pipe : values_of<program::Pipe>()) out.push_back(pipe_count(pipe));
    return out;
  }();
  return rows;
}

const Fields<AccessText>& access_fields() {
  using S = AccessText;
  static const Fields<S> rows = {
      ranged("requests", &S::requests,
             "warp instructions in flight together; the warp waits for all loads; default 1",
             between(0.001, 10'000.0)),
      ranged("element", &S::element,
             "bytes that one thread loads or stores per request; needed for advice about access",
             between(Bytes(1), Bytes(16))),
      ranged("sectors", &S::sectors,
             "32-byte sectors per request; default: those of dense elements",
             between(1.0, kMostSectors)),
      ranged("lines", &S::lines,
             "128-byte lines per request, at most the number of sectors; default: a quarter of it",
             between(1.0, kMostSectors)),
      field("moved", &S::moved, "bytes moved by the memory per request, if more than the sectors"),
      amount("extra_rows", &S::extra_rows,
             "DRAM rows per request beyond those of dense access; default 0"),
      share("l1_hit", &S::l1_hit, "L1 hit rate; default 0"),
      share("l2_hit", &S::l2_hit, "L2 hit rate of the rest; default 0"),
      ranged("working_set", &S::working_set,
             "instead of l2_hit: size of the data that the grid passes over repeatedly",
             at_least(Bytes(1))),
      field("footprint", &S::footprint,
            "footprint of random access, for the TLB; default: dense access"),
      field("write", &S::write, "true: stores, for which the warp doesn't wait"),
      field("dependent", &S::dependent,
            "true: each request depends on the previous one, so only one can be in flight"),
      field("streaming", &S::streaming,
            "many SMs read neighbouring rows at the same time; default true"),
  };
  return rows;
}

const Fields<SegmentText>& segment_fields() {
  using S = SegmentText;
  static const Fields<S> rows = {
      ranged("repeat", &S::repeat, "iterations of each warp; default 1", between(1.0, kMany)),
      section("instructions", &S::instructions, pipe_count_fields,
              "warp instructions per iteration, by pipe; default for lsu: those of `memory`"),
      section("register_conflicts", &S::register_conflicts, pipe_count_fields,
              "register bank conflicts per iteration, by pipe"),
      amount("chain", &S::chain,
             "cycles of a warp's longest chain of dependent instructions per iteration, including "
             "its own issue but not memory waits; default: its issue"),
      amount("barrier", &S::barrier,
             "cycles per iteration that a warp waits at barriers, added to the chain; default 0"),
      ranged("active_lanes", &S::active_lanes,
             "average active threads of a warp per instruction; for advice about divergence, where "
             "the instructions of all paths are counted; default 32",
             between(1.0, 32.0)),
      amount("shared_wavefronts", &S::shared_wavefronts,
             "shared memory wavefronts beyond one per request: bank conflicts; default 0"),
      ranged("code", &S::code,
             "code size of the loop body; default: fits in the instruction buffer",
             between(Bytes(0), kMostCode)),
      amount("async_tensor", &S::async_tensor,
             "cycles of a scheduler's tensor pipe, overlapped with everything else; default 0"),
      list("memory", &S::memory, access_fields, "batches of loads and stores, in order"),
  };
  return rows;
}

}  // namespace septet::config
