// Groups of threads: {thread} in the names of their steps is the thread's number.
#include "scenarios/config/program/thread_draft.hpp"

#include <utility>

#include "scenarios/config/program/name_table.hpp"

namespace septet::config {
namespace {

const std::string kPlaceholder = "{thread}";

// "done{thread}" in the thread of number 3 is "done3".
std::string numbered(std::string text, const std::string& number) {
  for (std::size_t at = 0; (at = text.find(kPlaceholder, at)) != std::string::npos;) {
    text.replace(at, kPlaceholder.size(), number);
    at += number.size();
  }
  return text;
}

void put_number(std::optional<Name>& name, const std::string& number) {
  if (name) name->text = numbered(name->text, number);
}

void put_number(std::optional<Names>& names, const std::string& number) {
  if (!names) return;
  for (Name& name : names->all) name.text = numbered(name.text, number);
}

void put_number(std::vector<StepText>& steps, const std::string& number) {
  for (StepText& step : steps) {
    for (auto* name :
         {&step.launch, &step.launch_graph, &step.upload_graph, &step.instantiate_graph,
          &step.record, &step.wait, &step.synchronize_event, &step.post, &step.await, &step.push,
          &step.await_items, &step.communicator}) {
      put_number(*name, number);
    }
    put_number(step.stream, number);
    put_number(step.synchronize_stream, number);
    put_number(step.steps, number);
  }
}

}  // namespace

std::vector<ThreadDraft> thread_drafts(const ScenarioText& scenario) {
  std::vector<ThreadDraft> out;
  NameTable names("a thread");
  for (const ThreadText& text : scenario.threads) {
    names.add(text.name, text.place.path, {});
    for (std::uint32_t i = 0; i < text.count.value_or(1); ++i) {
      const std::string number = std::to_string(i);
      std::vector<StepText> steps = text.steps;
      if (text.count) put_number(steps, number);
      program::HostThread thread;
      thread.name = text.name.text + (text.count ? number : "");
      thread.process = text.process;
      out.push_back({std::move(thread), &text, std::move(steps)});
    }
  }
  return out;
}

}  // namespace septet::config
