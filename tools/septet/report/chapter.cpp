#include "tools/septet/report/chapter.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/trace/hdf5_reader.hpp"
#include "tools/septet/export/timeline_reader.hpp"
#include "tools/septet/report/assumptions.hpp"
#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/report/timeline_data.hpp"
#include "tools/septet/report/validation_section.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

ReportTable assumptions_table(const std::vector<Assumption>& all, bool profiles) {
  ReportTable out{{"key", "value", "source", "origin"}, {}};
  for (const Assumption& one : all) {
    if (profiles == one.source.empty()) continue;
    out.rows.push_back(
        {text_cell(one.key), text_cell(one.value), text_cell(one.source), text_cell(one.origin)});
  }
  return out;
}

std::vector<Assumption> read_assumptions(const trace::Hdf5Reader& trace) {
  const std::vector<std::string> texts = trace.members("meta");
  if (std::ranges::find(texts, "scenario_toml") == texts.end()) return {};
  return assumptions_of(trace.meta("scenario_toml"));
}

void add_assumptions(const std::vector<Assumption>& all, const std::string& id, Chapter& chapter) {
  if (all.empty()) return;
  ReportTable asked = assumptions_table(all, false);
  ReportTable known = assumptions_table(all, true);
  asked.caption = fmt::format("Choices of the scenario and of profiles ({})", asked.rows.size());
  known.caption =
      fmt::format("Numbers of hardware and engine, each with its source ({})", known.rows.size());
  asked.folded = known.folded = true;
  const auto assumed = std::ranges::count_if(
      all, [](const Assumption& one) { return one.source.find("assum") != std::string::npos; });
  Section section{id + "assumptions", "Assumptions", {}};
  section.blocks.push_back(Paragraph{fmt::format(
      "The result rests on {} values; {} of them call themselves assumptions, the others come from "
      "the scenario, data sheets, documentation or measurements.",
      all.size(), assumed)});
  ReportTable open{{"key", "value", "source"}, {}, "Values that call themselves assumptions"};
  for (const Assumption& one : all) {
    if (one.source.find("assum") == std::string::npos) continue;
    open.rows.push_back({text_cell(one.key), text_cell(one.value), text_cell(one.source)});
  }
  if (!open.rows.empty()) section.blocks.push_back(open);
  section.blocks.push_back(asked);
  section.blocks.push_back(known);
  chapter.sections.push_back(section);
}

void add_timeline(const Result& result, const trace::Hdf5Reader& trace, const std::string& id,
                  Chapter& chapter) {
  const std::vector<std::string> tables = trace.tables();
  const bool any = std::ranges::any_of(tables, [&](const std::string& table) {
    const bool serving = table == "requests" || table == "serving_steps";
    return !serving && trace.rows(table) > 0;
  });
  if (!any) return;
  const Timeline timeline = read_timeline(result.trace->string());
  if (timeline.slices.empty()) return;
  chapter.sections.push_back(
      {id + "timeline", "Timeline", {timeline_block(id + "timeline-canvas", timeline)}});
}

std::string joined(const Json& words) {
  std::string out;
  for (const Json& word : words) {
    const std::string text = word.get<std::string>();
    const bool quoted = text.find_first_of(" \"'|;&()") != std::string::npos;
    out += (out.empty() ? "" : " ") + (quoted ? "'" + text + "'" : text);
  }
  return out;
}

void add_reproduction(const Result& result, const std::string& id, Chapter& chapter) {
  if (!result.provenance.is_object()) return;
  const Json& from = result.provenance;
  Section section{id + "reproduce", "How to reproduce", {}};
  section.blocks.push_back(Paragraph{fmt::format(
      "Septet {}, commit {}, seed {}. The same input gives the same result with any number of "
      "threads{}.",
      from.at("version").get<std::string>(), from.at("commit").get<std::string>(),
      from.at("seed").dump(),
      from.value("digest", std::string()).empty()
          ? ""
          : "; the digest of all events is " + from.value("digest", std::string()))});
  if (from.contains("command_line")) {
    section.blocks.push_back(CodeBlock{"Command", joined(from.at("command_line"))});
  }
  ReportTable inputs{{"input", "role", "bytes", "SHA-256"}, {}};
  for (const Json& input : from.at("inputs")) {
    inputs.rows.push_back({text_cell(input.at("file")), text_cell(input.at("role")),
                           number_cell(input.at("size_bytes"), 12), text_cell(input.at("sha256"))});
  }
  if (!inputs.rows.empty()) section.blocks.push_back(inputs);
  chapter.sections.push_back(section);
}

void fill(const Result& result, const std::string& id, Chapter& chapter) {
  switch (result.kind) {
    case ResultKind::kCapacity:
      return fill_capacity(result, id, chapter);
    case ResultKind::kServing:
      return fill_serving(result, id, chapter);
    case ResultKind::kReplay:
    case ResultKind::kRun:
      return fill_study(result, id, chapter);
    case ResultKind::kExplain:
      return fill_explain(result, id, chapter);
    case ResultKind::kSweep:
      return fill_sweep(result, id, chapter);
  }
}

void add_warnings(const Result& result, Chapter& chapter) {
  const auto warnings = result.summary.find("warnings");
  if (warnings == result.summary.end()) return;
  for (const Json& warning : *warnings) {
    chapter.statements.push_back("Warning: " + warning.get<std::string>());
  }
}

}  // namespace

Chapter chapter_of(const Result& result, const validation::ValidationErrors& errors,
                   std::size_t number) {
  const std::string id = fmt::format("r{}-", number);
  Chapter out;
  out.title = result.name;
  out.subtitle = std::string(text_of(result.kind));
  const std::string gpu = result.provenance.is_object() ? result.provenance.value("gpu", "") : "";
  if (!gpu.empty()) out.subtitle += " on " + gpu;
  try {
    std::vector<Assumption> all;
    fill(result, id, out);
    add_warnings(result, out);
    if (result.trace) {
      const trace::Hdf5Reader trace(*result.trace);
      add_timeline(result, trace, id, out);
      all = read_assumptions(trace);
      const std::string description = text_value(all, "description");
      if (!description.empty()) {
        out.subtitle = result.name + ": " + out.subtitle;
        out.title = description;
      }
    }
    add_validation(result, all, errors, id, out);
    add_assumptions(all, id, out);
    add_reproduction(result, id, out);
  } catch (const Json::exception& error) {
    throw ConfigError({result.name}, std::string("not as septet writes it: ") + error.what());
  }
  return out;
}

}  // namespace septet::command
