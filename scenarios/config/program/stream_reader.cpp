// Streams, single and in groups.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "scenarios/config/program/program_draft.hpp"

namespace septet::config {
namespace {

// A stream without its name. Where it names a green context it is of the context's device and
// process, and may say so.
program::Stream stream_of(const StreamText& text, const ProgramDraft& draft) {
  program::Stream stream;
  stream.priority = text.priority;
  stream.device = text.device.value_or(0);
  stream.process = text.process.value_or(0);
  if (!text.context) return stream;
  stream.context = draft.contexts.find(*text.context, joined(text.place.path, "context")).front();
  const program::GreenContext& context = draft.program().contexts[stream.context];
  if (text.device.value_or(context.device) != context.device) {
    text.place.fail("device", std::to_string(*text.device),
                    fmt::format("the device of context '{}', {}", context.name, context.device));
  }
  if (text.process.value_or(context.process) != context.process) {
    text.place.fail("process", std::to_string(*text.process),
                    fmt::format("the process of context '{}', {}", context.name, context.process));
  }
  stream.device = context.device;
  stream.process = context.process;
  return stream;
}

}  // namespace

void read_streams(const ScenarioText& scenario, ProgramDraft& draft) {
  for (const StreamText& text : scenario.streams) {
    program::Stream stream = stream_of(text, draft);
    if (stream.device >= draft.program().devices) {
      text.place.fail("device", std::to_string(stream.device),
                      fmt::format("an index below hardware.gpus, {}", draft.program().devices));
    }
    const std::string path = text.place.path;
    std::vector<std::uint32_t> group;
    for (std::uint32_t i = 0; i < text.count.value_or(1); ++i) {
      stream.name = text.count ? text.name.text + std::to_string(i) : text.name.text;
      group.push_back(draft.build.stream(stream));
      if (text.count) draft.streams.add({stream.name, text.name.where}, path, {group.back()});
    }
    draft.streams.add(text.name, path, group);
  }
}

std::vector<std::uint32_t> streams_of(const Place& place, const std::optional<Names>& names,
                                      const ProgramDraft& draft) {
  if (!names) {
    if (draft.program().streams.size() == 1) return {0};
    place.fail(
        "stream", "no stream",
        "the key `stream`, since there are " + std::to_string(draft.program().streams.size()));
  }
  std::vector<std::uint32_t> out;
  for (const Name& name : names->all) {
    const auto& found = draft.streams.find(name, joined(place.path, "stream"));
    out.insert(out.end(), found.begin(), found.end());
  }
  if (out.empty()) place.fail("stream", "an empty list", "at least one stream");
  return out;
}

}  // namespace septet::config
