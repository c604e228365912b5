// Shares of the SMs: processes under MPS, green contexts.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "scenarios/config/program/program_draft.hpp"

namespace septet::config {
namespace {

// SMs of the process that a context belongs to.
std::uint32_t process_sms(const ScenarioText& scenario, std::uint32_t process) {
  for (const ProcessText& text : scenario.processes) {
    if (text.index == process) return client_sms(scenario.gpu, text.sm_share);
  }
  return scenario.gpu.sm_count;
}

void check_size(const GreenContextText& text, const gpu::PartitionSpec& spec) {
  if (text.sm_count < spec.min_sms) {
    text.place.fail("sm_count", std::to_string(text.sm_count),
                    fmt::format("at least {} on this GPU", spec.min_sms));
  }
  if (text.sm_count % spec.sm_alignment == 0) return;
  const std::uint32_t less = text.sm_count / spec.sm_alignment * spec.sm_alignment;
  text.place.fail("sm_count", std::to_string(text.sm_count),
                  fmt::format("a multiple of {} on this GPU, such as {} or {}", spec.sm_alignment,
                              std::max(less, spec.min_sms), less + spec.sm_alignment));
}

}  // namespace

void read_contexts(const ScenarioText& scenario, ProgramDraft& draft) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> used;  // by device, process
  for (const GreenContextText& text : scenario.contexts) {
    check_size(text, scenario.gpu.partition);
    if (text.device >= draft.program().devices) {
      text.place.fail("device", std::to_string(text.device),
                      fmt::format("an index below hardware.gpus, {}", draft.program().devices));
    }
    std::uint32_t& sum = used[{text.device, text.process}];
    const std::uint32_t most = process_sms(scenario, text.process);
    if (text.sm_count > most - sum) {
      text.place.fail("sm_count",
                      fmt::format("{}, with the contexts before it {} SMs in all", text.sm_count,
                                  std::uint64_t{sum} + text.sm_count),
                      fmt::format("at most the {} SMs of process {}", most, text.process));
    }
    sum += text.sm_count;
    const std::uint32_t index =
        draft.build.context(text.name.text, text.sm_count, text.process, text.device);
    draft.contexts.add(text.name, text.place.path, {index});
  }
}

std::vector<double> sm_shares_of(const ScenarioText& scenario) {
  std::vector<double> shares;
  std::set<std::uint32_t> seen;
  for (const ProcessText& text : scenario.processes) {
    if (!seen.insert(text.index).second) {
      text.place.fail("index", fmt::format("{} for the second time", text.index),
                      "one [[process]] for each");
    }
    if (text.place.has("sm_share") && !scenario.hardware.mps) {
      text.place.fail("sm_share", "a share of the SMs without MPS",
                      "hardware.mps = true, since time-sliced processes have all SMs");
    }
    if (text.index >= shares.size()) shares.resize(text.index + 1, 1.0);
    shares[text.index] = text.sm_share;
  }
  return shares;
}

void check_processes(const ScenarioText& scenario, const program::Program& program) {
  for (const ProcessText& text : scenario.processes) {
    if (text.index < program.processes) continue;
    text.place.fail(
        "index", std::to_string(text.index),
        fmt::format("a process with streams or threads, of which there are {}", program.processes));
  }
}

}  // namespace septet::config
