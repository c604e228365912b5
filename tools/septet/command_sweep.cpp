// `septet sweep`: a scenario at many points.
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/units.hpp"
#include "core/files/staged_path.hpp"
#include "scenarios/sweep/run_sweep.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/interrupt.hpp"
#include "tools/septet/progress.hpp"
#include "tools/septet/sweep/shard_choice.hpp"
#include "tools/septet/sweep/sweep_listing.hpp"
#include "tools/septet/sweep/sweep_results.hpp"

namespace septet::command {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Throws UsageError.
template <class Parse>
auto limit(const char* option, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const UnitError& error) {
    throw UsageError(
        fmt::format("--{}: got {}, wanted {}", option, error.got(), error.wanted_with_suggestion()),
        kSweepCommand);
  }
}

// With either, points run in processes of their own.
void limits(Options& options, SweepRequest& request) {
  options.value("time-limit-per-point", "DURATION",
                "end a point that takes longer, '30 s': its status is timed_out",
                [&](const std::string& text) {
                  request.time_limit = limit("time-limit-per-point", text, parse_duration);
                });
  options.value("memory-limit-per-point", "SIZE",
                "a point fails that wants more memory than this, '2 GB', beyond the command's own",
                [&](const std::string& text) {
                  request.memory_limit = limit("memory-limit-per-point", text, parse_bytes);
                });
}

bool read_options(const std::vector<std::string>& arguments, SweepRequest& request) {
  Options options(
      {kSweepCommand,
       "SCENARIO.toml --output-dir DIR [options]",
       "Asks the same at each point of a scenario's table [sweep] (scenarios/sweep/FORMAT.md): a\n"
       "grid, lists, files, or designs over any of its values; what is asked is what run, replay,\n"
       "explain, capacity or plan would be. Points that are done are kept in DIR, so that the "
       "same\n"
       "command goes on after any interruption; the results are DIR/sweep.csv and DIR/sweep.h5, "
       "in\n"
       "the order of the description.",
       "septet sweep scenarios/shipped/sweeps/launch-cost.toml --output-dir out/launch-cost\n"
       "  septet sweep scenarios/shipped/sweeps/eager-against-graphs.toml --dry-run\n"
       "  septet sweep scenarios/shipped/sweeps/recorded-steps.toml --output-dir out/recorded\n"
       "  septet sweep big.toml --output-dir out/big --slurm 64 > big.sbatch",
       {kExitOk, kExitFailure, kExitUsage, kExitInput, kExitPartial, kExitInterrupted}});
  options.positional("SCENARIO.toml", request.file);
  options.flag("dry-run", request.dry_run,
               "list and count the points, estimate time and memory from the first few");
  options.text("shard", "INDEX/COUNT", request.shard,
               "run every COUNT-th point only, from INDEX (counted from 0) on; by default what "
               "Slurm or Open MPI say");
  options.text("point", "NAME", request.point,
               "print the scenario of this point, and the command for it, instead of running");
  options.flag("merge", request.merge, "write the results of all shards, without running any");
  options.count("slurm", request.slurm, "print a batch script with so many array tasks", 1,
                1'000'000);
  options.count("retries", request.retries, "more tries of a point without a result (default 0)", 0,
                1000);
  limits(options, request);
  options.flag("fail-fast", request.fail_fast, "stop at the first failed point");
  request.common.threads = 0;
  options.common(request.common, {Common::kJson, Common::kQuiet, Common::kThreads, Common::kSet,
                                  Common::kOutputDir});
  return options.parse(arguments);
}

fs::path journal_path(const fs::path& folder, const sweep::Shard& shard) {
  if (shard.count == 1) return folder / "journal.jsonl";
  return folder / fmt::format("journal-{}-of-{}.jsonl", shard.index, shard.count);
}

int merge(const Sweep& sweep, const SweepRequest& request, const CommandClock& clock) {
  sweep::Results all;
  for (const fs::directory_entry& entry : fs::directory_iterator(request.common.output_dir)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("journal") || !name.ends_with(".jsonl")) continue;
    merge_into(all, sweep::read_journal(entry.path(), sweep.id));
  }
  return finish_sweep(sweep, all, request, clock);
}

sweep::Shard shard_of(const SweepRequest& request) {
  if (!request.shard.empty()) return read_shard(request.shard);
  const auto said = shard_of_environment([](const char* name) { return std::getenv(name); });
  if (!said) return {};
  fmt::print(stderr, "septet: note: runs shard {}/{}, as the batch system says\n", said->index,
             said->count);
  return *said;
}

engine::CallLimits limits_of(const SweepRequest& request) {
  engine::CallLimits out;
  out.memory = request.memory_limit;
  if (request.time_limit) {
    constexpr std::int64_t kPicoseconds = 1000;  // in a nanosecond
    out.time = std::chrono::nanoseconds(request.time_limit->count() / kPicoseconds);
  }
  return out;
}

int run(const Sweep& sweep, const SweepRequest& request, const CommandClock& clock) {
  const sweep::Shard shard = shard_of(request);
  const fs::path folder = files::resolved(request.common.output_dir);
  fs::create_directories(folder);
  sweep::Journal journal(journal_path(folder, shard), sweep.id, [](const std::string& waiting) {
    fmt::print(stderr, "septet: note: {}\n", waiting);
  });
  bool ended = false;
  {
    const InterruptGuard guard;
    Progress progress("sweep", request.common.quiet);
    ended = run_points(*sweep.experiment, sweep.points, journal,
                       {static_cast<unsigned>(request.common.threads), shard, request.fail_fast,
                        static_cast<std::uint32_t>(request.retries), limits_of(request),
                        interrupted, [&progress](double fraction) { progress.update(fraction); }});
  }
  if (!ended && interrupted()) {
    fmt::print(stderr, "septet: interrupted: {} of {} points are done; the same command goes on\n",
               journal.results().size(), sweep.points.all.size());
    return kExitInterrupted;
  }
  if (shard.count == 1) return finish_sweep(sweep, journal.results(), request, clock);
  const auto [done, failed] = counts_of(journal.results());
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
    throw UsageError("--output-dir is missing: where results and the journal go", kSweepCommand);
  }
  const std::unique_ptr<Sweep> sweep = read_sweep(request);
  if (request.dry_run) {
    print_points(*sweep, request);
  } else if (!request.point.empty()) {
    print_point(*sweep, request);
  } else if (request.slurm > 0) {
    print_script(*sweep, request);
  } else {
    return request.merge ? merge(*sweep, request, clock) : run(*sweep, request, clock);
  }
  return kExitOk;
}

}  // namespace septet::command
