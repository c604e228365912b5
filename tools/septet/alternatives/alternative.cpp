#include "tools/septet/alternatives/alternative.hpp"

#include <fmt/format.h>

#include "tools/septet/short_name.hpp"

namespace septet {
namespace {

const char* words_for(LinkKind kind) {
  static constexpr const char* kWords[kLinkKinds] = {
      "kernels",    "copies",   "launch latency",   "gaps between kernels", "room on SMs",
      "CUDA calls", "CPU work", "synchronisations", "communication",        "waiting for ranks"};
  return kWords[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string limit_text(const RunSummary& summary) {
  const RunBottleneck& limit = summary.bottleneck;
  if (limit.share <= 0) return "nothing runs";
  const std::string share = fmt::format("{} {:.0f} %", words_for(limit.kind), 100.0 * limit.share);
  if (limit.kernel < 0) return share;
  const std::string& kernel = summary.kernel_names[static_cast<std::size_t>(limit.kernel)];
  return fmt::format("{} ({} {:.0f} %)", share, short_kernel_name(kernel),
                     100.0 * limit.kernel_share);
}

Alternative alternative_of(const std::string& name, const RunSummary& summary, double speedup) {
  return {name, summary.span, speedup, summary.attribution, limit_text(summary), 0};
}

std::vector<Alternative> alternatives_of(const ReplayReport& report) {
  std::vector<Alternative> out{alternative_of("(as recorded)", report.baseline, 1.0)};
  for (const WhatIfOutcome& outcome : report.what_ifs) {
    out.push_back(alternative_of(outcome.name, outcome.summary, outcome.speedup));
  }
  return out;
}

}  // namespace septet
