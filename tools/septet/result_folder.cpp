#include "tools/septet/result_folder.hpp"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/records/bottleneck_record.hpp"
#include "scenarios/system/trace_file.hpp"
#include "tools/septet/export/timeline_reader.hpp"
#include "tools/septet/export/writers.hpp"
#include "tools/septet/study/run_report.hpp"
#include "tools/septet/version/build_info.hpp"

namespace septet::command {
namespace {

std::filesystem::path created(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw std::runtime_error(
        fmt::format("{}: cannot be created: {}", path.string(), error.message()));
  }
  return path;
}

}  // namespace

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path.string() + ": cannot be written");
}

ResultFolder::ResultFolder(const std::filesystem::path& path, const system::System& system)
    : path_(created(path)),
      writer_(path_ / "trace.h5", system.trace().schema, {build_info().version}) {
  describe_run(system, writer_);
}

void ResultFolder::write_summary(const analysis::RunSummary& summary, std::uint64_t seed) {
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
  writer_.set_attribute("seed", seed);
  writer_.set_attribute("unfinished_launches", std::int64_t(summary.unfinished.launches));
  writer_.set_attribute("unfinished_calls", std::int64_t(summary.unfinished.calls));
}

void ResultFolder::write_timeline(const system::ProgramRun& run) const {
  OutputFile file((path_ / "timeline.pftrace").string());
  write_perfetto(timeline_of({"the run", run.rows.tables(), dictionaries_of(run.trace)}), file);
  file.finish();
}

void ResultFolder::add_file(const std::string& name, const std::string& text) const {
  write_text(path_ / name, text);
}

void ResultFolder::finish(const analysis::RunSummary& summary, std::uint64_t seed,
                          const std::string& text, const nlohmann::ordered_json& json) {
  write_summary(summary, seed);
  writer_.finish();
  write_text(path_ / "summary.txt", text);
  write_text(path_ / "summary.json", json.dump(2) + "\n");
}

}  // namespace septet::command
