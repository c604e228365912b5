// `septet bench phold`, `cluster` and `hold`: the engine and its queues.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/septet/bench/cluster.hpp"
#include "tools/septet/bench/hold.hpp"
#include "tools/septet/bench/phold.hpp"
#include "tools/septet/bench_commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/table_printer.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

std::string hexadecimal(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

void print(const EngineReport& report, bool json) {
  if (json) {
    const nlohmann::ordered_json result = {{"events", report.events},
                                           {"seconds", report.seconds},
                                           {"events_per_s", report.events_per_s},
                                           {"digest", hexadecimal(report.digest)},
                                           {"windows", report.windows}};
    fmt::print("{}\n", result.dump(2));
    return;
  }
  fmt::print("{} events in {:.3f} s: {:.2f} M events/s, {} windows, digest {}\n", report.events,
             report.seconds, report.events_per_s / 1e6, report.windows, hexadecimal(report.digest));
}

void print(const HoldReport& report, bool json) {
  if (json) {
    nlohmann::ordered_json result = {{"queues", nlohmann::json::array()}};
    for (const HoldReport::Queue& queue : report.queues) {
      result["queues"].push_back({{"name", queue.name},
                                  {"holds_per_s", queue.holds_per_s},
                                  {"digest", hexadecimal(queue.digest)}});
    }
    fmt::print("{}\n", result.dump(2));
    return;
  }
  TablePrinter table({{"queue"}, {"M holds/s", Align::kRight}, {"digest"}});
  for (const HoldReport::Queue& queue : report.queues) {
    table.add_row(
        {queue.name, fmt::format("{:.2f}", queue.holds_per_s / 1e6), hexadecimal(queue.digest)});
  }
  fmt::print("{}", table.text(describe_terminal(stdout).columns));
}

}  // namespace

int bench_phold(const std::vector<std::string>& arguments) {
  CommonOptions common;
  PholdOptions phold;
  std::uint64_t lps = phold.lps;
  std::uint64_t events_per_lp = phold.events_per_lp;
  std::uint64_t partitions = phold.partitions;
  Options options(
      {"septet bench phold", "[options]",
       "Runs the PHOLD benchmark on the whole engine: every event schedules another one, for its\n"
       "own process or for another. The digest is the same for any number of threads. Times\n"
       "without a unit are in us; an increment is the lookahead + Exp(mean - lookahead).",
       "septet bench phold --lps 10240 --remote 0.25 --mean 2 --lookahead 1 --threads 2"});
  options.count("lps", lps, "logical processes (default 10240)", 1, engine::kMaxLps);
  options.count("events-per-lp", events_per_lp, "pending events of each (default 1)", 1, 1'000'000);
  options.number("remote", phold.remote,
                 "fraction of events sent to other processes (default 0.25)", 0, 1);
  options.duration("mean", phold.mean, "mean time increment (default '2 us')", "us");
  options.duration("lookahead", phold.lookahead, "minimum time increment (default '1 us')", "us");
  options.duration("end", phold.end, "simulated time (default '100 us')", "us");
  options.count("partitions", partitions, "number of partitions; 0 (default): chosen by the engine",
                0, 65'536);
  options.common(common, {Common::kThreads, Common::kSeed, Common::kJson});
  if (!options.parse(arguments)) return kExitOk;
  phold.lps = static_cast<std::uint32_t>(lps);
  phold.events_per_lp = static_cast<std::uint32_t>(events_per_lp);
  phold.partitions = static_cast<unsigned>(partitions);
  phold.threads = static_cast<unsigned>(common.threads);
  phold.seed = common.seed;
  print(run_phold(phold), common.json);
  return kExitOk;
}

int bench_cluster(const std::vector<std::string>& arguments) {
  CommonOptions common;
  ClusterOptions cluster;
  std::uint64_t gpus = cluster.gpus;
  std::uint64_t partitions = cluster.partitions;
  bool static_lookahead = false;
  Options options({"septet bench cluster", "[options]",
                   "Runs the engine with a load like that of a cluster: GPUs that run long "
                   "kernels, declare that\n"
                   "they send nothing meanwhile, and send a message at the end. Times without a "
                   "unit are in us.",
                   "septet bench cluster --gpus 16384 --threads 2"});
  options.count("gpus", gpus, "GPUs (default 16384)", 2, engine::kMaxLps);
  options.duration("kernel", cluster.kernel, "mean time of a kernel (default '100 us')", "us");
  options.duration("step", cluster.step, "time between events of a kernel (default '5 us')", "us");
  options.duration("lookahead", cluster.lookahead, "latency of a message (default '2 us')", "us");
  options.duration("end", cluster.end, "simulated time (default '1 ms')", "us");
  options.flag("static-lookahead", static_lookahead,
               "use only the static lookahead of the channels, for comparison");
  options.count("partitions", partitions, "number of partitions; 0 (default): chosen by the engine",
                0, 65'536);
  options.common(common, {Common::kThreads, Common::kSeed, Common::kJson});
  if (!options.parse(arguments)) return kExitOk;
  cluster.gpus = static_cast<std::uint32_t>(gpus);
  cluster.dynamic_lookahead = !static_lookahead;
  cluster.partitions = static_cast<unsigned>(partitions);
  cluster.threads = static_cast<unsigned>(common.threads);
  cluster.seed = common.seed;
  print(run_cluster(cluster), common.json);
  return kExitOk;
}

int bench_hold(const std::vector<std::string>& arguments) {
  CommonOptions common;
  HoldOptions hold;
  Options options({"septet bench hold", "[options]",
                   "Runs the hold benchmark on each event queue alone: take the first event, "
                   "reinsert it later.",
                   "septet bench hold --size 10240"});
  options.count("size", hold.size, "pending events (default 10240)", 1, 1'000'000'000);
  options.count("holds", hold.holds, "hold operations to measure (default 5000000)", 1);
  options.duration("mean", hold.mean, "mean time increment (default '2 us')");
  options.duration("lookahead", hold.lookahead, "minimum time increment (default '1 us')");
  options.common(common, {Common::kSeed, Common::kJson});
  if (!options.parse(arguments)) return kExitOk;
  hold.seed = common.seed;
  print(run_hold(hold), common.json);
  return kExitOk;
}

}  // namespace septet::command
