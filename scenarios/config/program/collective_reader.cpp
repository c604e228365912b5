// Communicators, and the collectives that steps call on them.
#include <algorithm>

#include <fmt/format.h>

#include "models/network/collective/algorithms/registry.hpp"
#include "models/program/collective_check.hpp"
#include "scenarios/config/program/program_draft.hpp"

namespace septet::config {
namespace {

template <class Term>
Term term(const StepText& step, const char* key, const std::string& text) {
  if (const std::optional<Term> found = from_text<Term>(text)) return *found;
  step.place.fail(key, "\"" + text + "\"", "one of: " + listed_texts<Term>());
}

// The rank that `peer` names. A broadcast's root is rank 0 where none is given.
std::uint32_t read_peer(const StepText& step, program::CollectiveOp op,
                        const program::Communicator& communicator) {
  const bool given = step.place.has("peer");
  const std::size_t ranks = communicator.devices.size();
  if (given && !names_peer(op)) {
    step.place.fail("peer", std::to_string(step.peer),
                    fmt::format("no peer: {} is among all ranks", text_of(op)));
  }
  if (!given && point_to_point(op)) {
    step.place.fail("peer", "no peer", fmt::format("the key `peer`, a rank below {}", ranks));
  }
  if (step.peer >= ranks) {
    step.place.fail("peer", std::to_string(step.peer), fmt::format("a rank below {}", ranks));
  }
  return step.peer;
}

// Algorithms and protocols with which no network can run the operation.
void check_terms(const StepText& step, const program::Collective& collective) {
  const auto wrong = network::mismatch(collective.op, collective.algorithm, collective.protocol);
  if (!wrong) return;
  const bool protocol = wrong->key == std::string_view("protocol");
  step.place.fail(wrong->key, "\"" + (protocol ? *step.protocol : *step.algorithm) + "\"",
                  wrong->wanted);
}

program::Collective read_collective(const StepText& step, const ProgramDraft& draft) {
  program::Collective out;
  out.op = term<program::CollectiveOp>(step, "collective", *step.collective);
  if (!step.communicator) {
    step.place.fail("communicator", "no communicator", "the key `communicator`");
  }
  const std::string path = joined(step.place.path, "communicator");
  out.communicator = draft.communicators.find(*step.communicator, path).front();
  if (!step.place.has("bytes")) step.place.fail("bytes", "no size", "the key `bytes`");
  out.peer = read_peer(step, out.op, draft.program().communicators[out.communicator]);
  out.bytes = step.bytes;
  out.data_type = step.data_type;
  out.channels = step.channels;
  if (step.algorithm) {
    out.algorithm = term<program::CollectiveAlgorithm>(step, "algorithm", *step.algorithm);
  }
  if (step.protocol) {
    out.protocol = term<program::CollectiveProtocol>(step, "protocol", *step.protocol);
  }
  check_terms(step, out);
  out.recorded = step.duration.value_or(program::kModelled);
  if (step.label) out.name = *step.label;
  return out;
}

}  // namespace

void read_communicators(const ScenarioText& scenario, ProgramDraft& draft) {
  for (const CommunicatorText& text : scenario.communicators) {
    const auto index = static_cast<std::uint32_t>(draft.program().communicators.size());
    draft.communicators.add(text.name, text.place.path, {index});
    if (text.devices.size() < 2) {
      text.place.fail("devices", fmt::format("a group of {}", text.devices.size()),
                      "at least two ranks");
    }
    std::vector<std::uint32_t> sorted = text.devices;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.back() >= draft.program().devices) {
      text.place.fail("devices", std::to_string(sorted.back()),
                      fmt::format("indices below hardware.gpus, {}", draft.program().devices));
    }
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      text.place.fail("devices", fmt::format("device {} twice", *twice), "each device once");
    }
    draft.build.communicator(text.devices, text.name.text);
  }
}

std::uint32_t collective_of(const StepText& step, const std::vector<std::uint32_t>& streams,
                            ProgramDraft& draft) {
  const program::Collective wanted = read_collective(step, draft);
  const program::Communicator& communicator = draft.program().communicators[wanted.communicator];
  for (const std::uint32_t stream : streams) {
    const std::uint32_t device = draft.program().streams[stream].device;
    const std::uint32_t rank = rank_of(communicator, device);
    if (rank == kNone) {
      step.place.fail("stream", fmt::format("a stream of device {}", device),
                      fmt::format("one of a device of communicator '{}'", communicator.name));
    }
    if (!point_to_point(wanted.op) || rank != wanted.peer) continue;
    step.place.fail("peer", fmt::format("{}, the rank that calls", rank), "another rank");
  }
  return draft.build.collective_once(wanted);
}

}  // namespace septet::config
