// `septet sweep`: a scenario at many points.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "core/files/output_file.hpp"
#include "core/files/sha256.hpp"
#include "core/files/staged_path.hpp"
#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/toml/setting.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/sweep/result_table.hpp"
#include "scenarios/sweep/run_sweep.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/interrupt.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/progress.hpp"
#include "tools/septet/study/provenance.hpp"
#include "tools/septet/sweep/shard_choice.hpp"
#include "tools/septet/sweep/slurm_script.hpp"
#include "tools/septet/version/build_info.hpp"

namespace septet::command {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kCommand = "septet sweep";
constexpr std::size_t kEstimated = 3;  // points that an estimate runs
constexpr std::size_t kListed = 20;

struct SweepRequest {
  CommonOptions common;
  std::string file;
  std::string shard;
  std::uint64_t slurm = 0;
  std::uint64_t retries = 0;
  std::string point;
  bool dry_run = false;
  bool merge = false;
  bool fail_fast = false;
};

bool read_options(const std::vector<std::string>& arguments, SweepRequest& request) {
  Options options(
      {kCommand,
       "SCENARIO.toml --output-dir DIR [options]",
       "Runs a scenario at each point of its table [sweep] (scenarios/sweep/FORMAT.md): a grid,\n"
       "lists, or designs over any of its values. Points that are done are kept in DIR, so that\n"
       "the same command goes on after any interruption; the results are DIR/sweep.csv and\n"
       "DIR/sweep.h5, in the order of the description.",
       "septet sweep scenarios/shipped/sweeps/launch-cost.toml --output-dir out/launch-cost\n"
       "  septet sweep scenarios/shipped/sweeps/eager-against-graphs.toml --dry-run\n"
       "  septet sweep big.toml --output-dir out/big --slurm 64 > big.sbatch",
       {kExitOk, kExitFailure, kExitUsage, kExitInput, kExitPartial, kExitInterrupted}});
  options.positional("SCENARIO.toml", request.file);
  options.flag("dry-run", request.dry_run,
               "list and count the points, estimate time and memory from the first few");
  options.text("shard", "INDEX/COUNT", request.shard,
               "run every COUNT-th point only, from INDEX (counted from 0) on; by default what "
               "Slurm or Open MPI say");
  options.text("point", "NAME", request.point,
               "print the scenario of this point, for septet run, instead of running");
  options.flag("merge", request.merge, "write the results of all shards, without running any");
  options.count("slurm", request.slurm, "print a batch script with so many array tasks", 1,
                1'000'000);
  options.count("retries", request.retries, "more tries of a point that failed (default 0)", 0,
                1000);
  options.flag("fail-fast", request.fail_fast, "stop at the first failed point");
  request.common.threads = 0;
  options.common(request.common, {Common::kJson, Common::kQuiet, Common::kThreads, Common::kSet,
                                  Common::kOutputDir});
  if (!options.parse(arguments)) return false;
  if (request.common.threads == 0) request.common.threads = all_cores();
  return true;
}

// A sweep that has been read: what varies, and what is run.
struct Sweep {
  config::ConfigValue file;
  sweep::SweepText text;
  config::ConfigValue scenario;  // without the table [sweep]
  std::unique_ptr<sweep::Experiment> experiment;
  sweep::Points points;
  std::string id;  // of all that results depend on
};

std::unique_ptr<Sweep> read_sweep(const SweepRequest& request) {
  auto out = std::make_unique<Sweep>();
  out->file = config::read_toml_file(request.file);
  for (const std::string& setting : request.common.settings) {
    config::lay_over(out->file, config::read_setting(setting, "--set"));
  }
  out->text = sweep::read_sweep(out->file);
  out->scenario = out->file;
  std::erase_if(*out->scenario.table(),
                [](const config::ConfigEntry& entry) { return entry.key == "sweep"; });
  out->experiment = sweep::experiment_of(out->scenario, config::data_directories());
  out->points = points_of(out->text, out->scenario, out->experiment->data_version());
  out->id = files::sha256_of_text(fmt::format("{}\n{}\n{}", build_info().version,
                                              out->experiment->data_version(),
                                              config::inline_toml(out->file)));
  check_points(*out->experiment, out->points);
  table_of(out->points, {}, out->experiment->outputs(), out->text.outputs, out->text.place.where());
  return out;
}

fs::path journal_path(const fs::path& folder, const sweep::Shard& shard) {
  if (shard.count == 1) return folder / "journal.jsonl";
  return folder / fmt::format("journal-{}-of-{}.jsonl", shard.index, shard.count);
}

struct Estimate {
  double seconds_each = 0;
  double bytes = 0;  // the process's peak
};

Estimate estimate_of(const Sweep& sweep) {
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t count = std::min(kEstimated, sweep.points.all.size());
  for (std::size_t i = 0; i < count; ++i) sweep.experiment->run(sweep.points.all[i]);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {wall.count() / static_cast<double>(count), static_cast<double>(usage.ru_maxrss) * 1024};
}

std::string settings_text(const sweep::Point& point) {
  std::string out;
  for (const auto& [key, value] : point.settings) {
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", key, config::inline_toml(value));
  }
  return out;
}

int dry_run(const Sweep& sweep, const SweepRequest& request) {
  const Estimate estimate = estimate_of(sweep);
  const double all = estimate.seconds_each * static_cast<double>(sweep.points.all.size()) /
                     static_cast<double>(request.common.threads);
  if (request.common.json) {
    Json points = Json::array();
    for (const sweep::Point& point : sweep.points.all) {
      points.push_back({{"point", point.name}, {"settings", settings_text(point)}});
    }
    fmt::print("{}\n", Json{{"points", sweep.points.all.size()},
                            {"estimated_s", all},
                            {"estimated_bytes", estimate.bytes},
                            {"list", std::move(points)}}
                           .dump(2));
    return kExitOk;
  }
  for (std::size_t i = 0; i < std::min(kListed, sweep.points.all.size()); ++i) {
    fmt::print("{}  {}\n", sweep.points.all[i].name, settings_text(sweep.points.all[i]));
  }
  if (sweep.points.all.size() > kListed) {
    fmt::print("... and {} more\n", sweep.points.all.size() - kListed);
  }
  fmt::print("{} points, about {} on {} threads, {:.0f} MB\n", sweep.points.all.size(),
             duration_text(all), request.common.threads, estimate.bytes / 1e6);
  return kExitOk;
}

int print_point(const Sweep& sweep, const SweepRequest& request) {
  const auto point = std::ranges::find(sweep.points.all, request.point, &sweep::Point::name);
  if (point == sweep.points.all.end()) {
    throw UsageError(fmt::format("--point: got '{}', wanted the name of one of {} points",
                                 request.point, sweep.points.all.size()),
                     kCommand);
  }
  config::ConfigValue tree = sweep.scenario;
  config::lay_over(tree, overlay_of(*point, tree.where));
  fmt::print("# {}: {}\n", request.file, settings_text(*point));
  if (!point->change.empty()) fmt::print("# with --what-if '{}'\n", point->change);
  fmt::print("{}", config::write_toml(tree, config::Origins::kHidden));
  return kExitOk;
}

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The command without what concerns one call alone.
std::string plain_command(const SweepRequest& request) {
  std::string out = fmt::format("septet sweep {} --output-dir {}", shell_quoted(request.file),
                                shell_quoted(request.common.output_dir));
  for (const std::string& setting : request.common.settings) {
    out += " --set " + shell_quoted(setting);
  }
  if (request.retries > 0) out += fmt::format(" --retries {}", request.retries);
  if (request.fail_fast) out += " --fail-fast";
  return out;
}

int print_script(const Sweep& sweep, const SweepRequest& request) {
  const std::size_t points = sweep.points.all.size();
  const std::uint64_t tasks = std::min<std::uint64_t>(request.slurm, points);
  const double each = estimate_of(sweep).seconds_each * static_cast<double>(points) /
                      static_cast<double>(tasks * request.common.threads);
  fmt::print("{}", slurm_script({"septet-" + fs::path(request.file).stem().string(),
                                 plain_command(request), tasks, request.common.threads, each}));
  return kExitOk;
}

struct Counts {
  std::size_t completed = 0;
  std::size_t failed = 0;
};

Counts counts_of(const sweep::ResultTable& table) {
  Counts out;
  for (const sweep::ResultTable::Row& row : table.rows) {
    ++(row.result.status == sweep::Status::kFailed ? out.failed : out.completed);
  }
  return out;
}

// Failures with a line that runs the point alone.
void print_failures(const sweep::ResultTable& table, const SweepRequest& request) {
  std::size_t shown = 0;
  for (const sweep::ResultTable::Row& row : table.rows) {
    if (row.result.status != sweep::Status::kFailed || ++shown > kListed) continue;
    fmt::print(stderr, "septet: point {} failed: {}\n  {} --point {} > point.toml\n",
               row.point->name, row.result.message, plain_command(request), row.point->name);
  }
  if (shown > kListed) {
    fmt::print(stderr, "septet: {} more points failed; see sweep.csv\n", shown - kListed);
  }
}

// sweep.csv, sweep.h5 and sweep.json.
void write_results(const Sweep& sweep, const sweep::ResultTable& table, const SweepRequest& request,
                   const CommandClock& clock) {
  const fs::path folder = request.common.output_dir;
  files::write_text((folder / "sweep.csv").string(), csv_of(table));
  const fs::path target = files::resolved(folder / "sweep.h5");
  files::StagedPath staged(target, files::StagedPath::Kind::kFile);
  write_hdf5(table, staged.path(), build_info().version, sweep.id,
             config::write_toml(sweep.file, config::Origins::kNames));
  files::sync_file(staged.path());
  staged.publish();
  RunOrigin origin;
  origin.inputs = {input_record(request.file, "sweep")};
  origin.settings = request.common.settings;
  const Counts counts = counts_of(table);
  Json outputs = Json::array();
  for (const sweep::Output& output : table.outputs) {
    outputs.push_back(
        {{"name", output.name}, {"units", output.units}, {"meaning", output.meaning}});
  }
  const Json json = {{"points", sweep.points.all.size()},
                     {"completed", counts.completed},
                     {"failed", counts.failed},
                     {"sweep", sweep.id},
                     {"keys", table.keys},
                     {"outputs", std::move(outputs)},
                     {"provenance", provenance_json(origin, "", clock.so_far())}};
  files::write_text((folder / "sweep.json").string(), json.dump(2) + "\n");
}

int finish(const Sweep& sweep, const sweep::Results& results, const SweepRequest& request,
           const CommandClock& clock) {
  const sweep::ResultTable table = table_of(sweep.points, results, sweep.experiment->outputs(),
                                            sweep.text.outputs, sweep.text.place.where());
  const Counts counts = counts_of(table);
  const std::size_t missing = sweep.points.all.size() - table.rows.size();
  if (missing == 0) write_results(sweep, table, request, clock);
  print_failures(table, request);
  const double wall = clock.so_far().wall_s;
  if (request.common.json) {
    fmt::print("{}\n", Json{{"points", sweep.points.all.size()},
                            {"completed", counts.completed},
                            {"failed", counts.failed},
                            {"missing", missing},
                            {"wall_s", wall}}
                           .dump(2));
  } else {
    fmt::print("{} points: {} done, {} failed, {} missing; {}\n", sweep.points.all.size(),
               counts.completed, counts.failed, missing, duration_text(wall));
    if (missing == 0) fmt::print("{}/sweep.csv, sweep.h5\n", request.common.output_dir);
  }
  return counts.failed + missing > 0 ? kExitPartial : kExitOk;
}

int merge(const Sweep& sweep, const SweepRequest& request, const CommandClock& clock) {
  sweep::Results all;
  for (const fs::directory_entry& entry : fs::directory_iterator(request.common.output_dir)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("journal") || !name.ends_with(".jsonl")) continue;
    for (auto& [point, result] : sweep::read_journal(entry.path(), sweep.id)) {
      all.insert_or_assign(point, std::move(result));
    }
  }
  return finish(sweep, all, request, clock);
}

sweep::Shard shard_of(const SweepRequest& request) {
  if (!request.shard.empty()) return read_shard(request.shard);
  const auto said = shard_of_environment([](const char* name) { return std::getenv(name); });
  if (!said) return {};
  fmt::print(stderr, "septet: note: runs shard {}/{}, as the batch system says\n", said->index,
             said->count);
  return *said;
}

int run(const Sweep& sweep, const SweepRequest& request, const CommandClock& clock) {
  const sweep::Shard shard = shard_of(request);
  const fs::path folder = files::resolved(request.common.output_dir);
  fs::create_directories(folder);
  sweep::Journal journal(journal_path(folder, shard), sweep.id);
  bool ended = false;
  {
    const InterruptGuard guard;
    Progress progress("sweep", request.common.quiet);
    ended = run_points(*sweep.experiment, sweep.points, journal,
                       {static_cast<unsigned>(request.common.threads), shard, request.fail_fast,
                        static_cast<std::uint32_t>(request.retries), interrupted,
                        [&progress](double fraction) { progress.update(fraction); }});
  }
  if (!ended && interrupted()) {
    fmt::print(stderr, "septet: interrupted: {} of {} points are done; the same command goes on\n",
               journal.results().size(), sweep.points.all.size());
    return kExitInterrupted;
  }
  if (shard.count == 1) return finish(sweep, journal.results(), request, clock);
  std::size_t failed = 0;
  for (const auto& [name, result] : journal.results()) {
    failed += result.status == sweep::Status::kFailed ? 1U : 0U;
  }
  const std::size_t done = journal.results().size() - failed;
  fmt::print("{}\n", request.common.json
                         ? Json{{"points", journal.results().size()},
                                {"completed", done},
                                {"failed", failed},
                                {"wall_s", clock.so_far().wall_s}}
                               .dump(2)
                         : fmt::format("shard {}/{}: {} done, {} failed; --merge joins all shards",
                                       shard.index, shard.count, done, failed));
  return failed > 0 || !ended ? kExitPartial : kExitOk;
}

}  // namespace

int command_sweep(const std::vector<std::string>& arguments) {
  SweepRequest request;
  if (!read_options(arguments, request)) return kExitOk;
  const CommandClock clock("sweep", arguments, request.common.threads);
  if (request.common.output_dir.empty() && !request.dry_run && request.point.empty()) {
    throw UsageError("--output-dir is missing: where results and the journal go", kCommand);
  }
  const std::unique_ptr<Sweep> sweep = read_sweep(request);
  if (request.dry_run) return dry_run(*sweep, request);
  if (!request.point.empty()) return print_point(*sweep, request);
  if (request.slurm > 0) return print_script(*sweep, request);
  if (request.merge) return merge(*sweep, request, clock);
  return run(*sweep, request, clock);
}

}  // namespace septet::command
