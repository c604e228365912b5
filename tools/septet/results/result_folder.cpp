#include "tools/septet/results/result_folder.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "core/files/output_file.hpp"
#include "models/records/bottleneck_record.hpp"
#include "scenarios/system/trace_file.hpp"
#include "tools/septet/export/timeline_reader.hpp"
#include "tools/septet/study/run_report.hpp"
#include "tools/septet/version/build_info.hpp"

namespace septet::command {
namespace {

using Placement = files::OutputFile::Placement;

constexpr const char* kWhatIfs = "what_ifs";

// Including those of earlier versions.
constexpr std::array kNames = {"trace.h5",    "timeline.pftrace", "timeline.json.gz",
                               "summary.txt", "summary.json",     "what_ifs.svg",
                               kWhatIfs,      "provenance.json",  "alternatives.svg"};

bool is_result(const std::string& name) {
  constexpr std::string_view kPart = ".part";
  const std::string whole =
      name.ends_with(kPart) ? name.substr(0, name.size() - kPart.size()) : name;
  return std::ranges::find(kNames, whole) != kNames.end();
}

// A name as a part of a path on any system.
std::string as_folder(const std::string& name) {
  constexpr std::size_t kLongest = 60;
  std::string out = name.substr(0, kLongest);
  for (char& c : out) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  return out;
}

}  // namespace

RunFiles::RunFiles(std::filesystem::path folder, const system::System& system,
                   const std::string& what_if)
    : folder_(std::move(folder)),
      writer_(folder_ / "trace.h5", system.trace().schema, {build_info().version}) {
  writer_.set_attribute("commit", build_info().commit);
  if (!what_if.empty()) writer_.set_attribute("what_if", what_if);
  describe_run(system, writer_);
}

void RunFiles::write_summary(const analysis::RunSummary& summary) {
  std::vector<trace::SummaryRow> rows = {
      {"simulated", to_us(summary.span), "us"},
      {"gpu_commands", static_cast<double>(summary.gpu_commands), "1"},
      {"events", static_cast<double>(summary.engine.events), "1"}};
  for (const analysis::TimeCategory category : categories_of(summary.attribution)) {
    rows.push_back(
        {std::string(text_of(category)), to_us(summary.attribution.mean(category)), "us"});
  }
  writer_.write_summary(rows);
  std::vector<records::BottleneckRecord> bottlenecks;
  for (const analysis::KernelTotal& kernel : summary.kernels) {
    bottlenecks.push_back({summary.kernel_names[static_cast<std::size_t>(kernel.name)],
                           to_us(kernel.working()), static_cast<std::int64_t>(kernel.count)});
  }
  trace::write_small_table<records::BottleneckRecord>(writer_, bottlenecks);
  writer_.set_attribute("digest", hex(summary.engine.digest));
  writer_.set_attribute("unfinished_launches",
                        static_cast<std::int64_t>(summary.unfinished.launches));
  writer_.set_attribute("unfinished_calls", static_cast<std::int64_t>(summary.unfinished.calls));
}

void RunFiles::write_timeline(const system::ProgramRun& run, const TimelineChoice& choice) const {
  if (choice.format == "none") return;
  Timeline timeline = timeline_of({"the run", run.rows.tables(), dictionaries_of(run.trace)});
  narrow(timeline, choice);
  files::OutputFile file(folder_ / ("timeline." + extension_of(choice.format)),
                         Placement::kInFolder);
  command::write_timeline(timeline, choice.format, file);
  file.finish();
}

void RunFiles::finish(const analysis::RunSummary& summary, const RunOrigin& origin,
                      const std::string& scenario_toml) {
  write_summary(summary);
  writer_.set_attribute("seed", origin.seed);
  trace::write_small_table<records::InputRecord>(writer_, origin.inputs);
  if (!scenario_toml.empty()) writer_.set_meta("scenario_toml", scenario_toml);
  writer_.finish();
}

ResultFolder::ResultFolder(const std::string& path) : folder_(path, is_result) {}

std::filesystem::path ResultFolder::add_what_if(std::size_t number, const std::string& name) const {
  std::filesystem::path folder =
      path() / kWhatIfs / fmt::format("{:02}-{}", number, as_folder(name));
  std::filesystem::create_directories(folder);
  return folder;
}

void ResultFolder::add_file(const std::string& name, const std::string& text) const {
  files::write_text(path() / name, text, Placement::kInFolder);
}

}  // namespace septet::command
