// Segments as the kernel model takes them.
#include <algorithm>

#include <fmt/format.h>

#include "models/gpu/kernel/memory.hpp"
#include "scenarios/config/kernels/work_text.hpp"

namespace septet::config {
namespace {

constexpr double kSectorsInALine = 4;

// 32 adjacent threads, in sectors of 32 bytes: the number of sectors is the number of bytes of an
// element.
double dense_sectors(Bytes element) { return static_cast<double>(element.count()); }

double sectors_of(const AccessText& text) {
  if (text.sectors) return *text.sectors;
  if (text.element) return dense_sectors(*text.element);
  text.place.fail("sectors", "nothing", "sectors, element or both");
}

// Each line holds one to four of the sectors.
double lines_of(const AccessText& text, double sectors) {
  if (!text.lines) return std::max(1.0, sectors / kSectorsInALine);
  if (*text.lines > sectors) {
    text.place.fail("lines", fmt::format("{}", *text.lines),
                    fmt::format("at most as many as the sectors in them, {}", sectors));
  }
  return *text.lines;
}

double l2_hit_of(const AccessText& text, const gpu::MemorySpec& memory) {
  if (!text.working_set) return text.l2_hit.value_or(0.0);
  if (text.l2_hit) text.place.fail("working_set", "both working_set and l2_hit", "one of the two");
  return l2_hit_rate(memory, static_cast<double>(text.working_set->count()));
}

void check_lsu(const SegmentText& text, double requests) {
  const std::string_view key = text_of(program::Pipe::kLsu);
  const double counted = text.instructions.of[static_cast<std::size_t>(program::Pipe::kLsu)];
  if (counted >= requests) return;
  text.instructions.place.fail(key, fmt::format("{}", counted),
                               fmt::format("at least the {} requests of `memory`", requests));
}

}  // namespace

program::MemoryBatch batch_of(const AccessText& text, const gpu::MemorySpec& memory) {
  program::MemoryBatch out;
  out.requests = text.requests;
  out.sectors = sectors_of(text);
  out.lines = lines_of(text, out.sectors);
  out.bytes_below_l1 = static_cast<double>(text.moved.count());
  out.extra_rows = text.extra_rows;
  out.l1_hit = text.l1_hit;
  out.l2_hit = l2_hit_of(text, memory);
  out.footprint_bytes = static_cast<double>(text.footprint.count());
  out.write = text.write;
  out.streaming = text.streaming;
  return out;
}

program::Segment segment_of(const SegmentText& text, const gpu::MemorySpec& memory) {
  program::Segment out;
  out.repeat = text.repeat;
  out.instructions = text.instructions.of;
  out.bank_conflicts = text.register_conflicts.of;
  out.shared_wavefronts = text.shared_wavefronts;
  out.code_bytes = static_cast<double>(text.code.count());
  out.async_tensor_cycles = text.async_tensor;
  double requests = 0;
  for (const AccessText& access : text.memory) {
    out.batches.push_back(batch_of(access, memory));
    requests += access.requests;
  }
  const Place& counts = text.instructions.place;
  const bool counted = counts.table != nullptr && counts.has(text_of(program::Pipe::kLsu));
  if (counted) {
    check_lsu(text, requests);
  } else {
    out[program::Pipe::kLsu] = requests;
  }
  // Barriers are added to the longer of the chain and the warp's own issue.
  double issued = 0;
  for (const double n : out.instructions) issued += n;
  out.chain_cycles = text.chain;
  if (text.barrier > 0) out.chain_cycles = std::max(text.chain, issued) + text.barrier;
  return out;
}

}  // namespace septet::config
