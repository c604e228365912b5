// Streams, single and in groups.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "scenarios/config/program_draft.hpp"

namespace septet {
namespace {

void add_stream(const StreamText& text, const std::string& name, ProgramDraft& draft) {
  Stream stream;
  stream.device = text.device;
  stream.process = text.process;
  stream.priority = text.priority;
  stream.name = name;
  draft.program.streams.push_back(std::move(stream));
}

std::uint32_t next_stream(const ProgramDraft& draft) {
  return static_cast<std::uint32_t>(draft.program.streams.size());
}

}  // namespace

void read_streams(const ScenarioText& scenario, ProgramDraft& draft) {
  for (const StreamText& text : scenario.streams) {
    if (text.device >= draft.program.devices) {
      text.place.fail("device", std::to_string(text.device),
                      fmt::format("an index below hardware.gpus, {}", draft.program.devices));
    }
    draft.program.processes = std::max(draft.program.processes, text.process + 1);
    const std::string path = text.place.path;
    std::vector<std::uint32_t> group;
    for (std::uint32_t i = 0; i < text.count.value_or(1); ++i) {
      const std::string name = text.count ? text.name.text + std::to_string(i) : text.name.text;
      group.push_back(next_stream(draft));
      if (text.count) draft.streams.add({name, text.name.where}, path, {group.back()});
      add_stream(text, name, draft);
    }
    draft.streams.add(text.name, path, group);
  }
}

std::vector<std::uint32_t> streams_of(const Place& place, const std::optional<Names>& names,
                                      const ProgramDraft& draft) {
  if (!names) {
    if (draft.program.streams.size() == 1) return {0};
    place.fail("stream", "no stream",
               "the key `stream`, since there are " + std::to_string(next_stream(draft)));
  }
  std::vector<std::uint32_t> out;
  for (const Name& name : names->all) {
    const auto& found = draft.streams.find(name, joined(place.path, "stream"));
    out.insert(out.end(), found.begin(), found.end());
  }
  if (out.empty()) place.fail("stream", "an empty list", "at least one stream");
  return out;
}

}  // namespace septet
