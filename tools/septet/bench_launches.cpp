// `septet bench launches`: launches through the models of host and GPU.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/units.hpp"
#include "scenarios/study/hardware_system.hpp"
#include "tools/septet/bench/launches.hpp"
#include "tools/septet/bench_commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/study/run_report.hpp"

namespace septet::command {
namespace {

void print(const LaunchesReport& report, bool json) {
  if (json) {
    const nlohmann::ordered_json result = {{"launches", report.launches},
                                           {"seconds", report.seconds},
                                           {"cpu_seconds", report.cpu_seconds},
                                           {"launches_per_s", report.launches_per_s},
                                           {"events", report.events},
                                           {"events_per_s", report.events_per_s},
                                           {"simulated_us", to_us(report.simulated)},
                                           {"digest", hex(report.digest)}};
    fmt::print("{}\n", result.dump(2));
    return;
  }
  fmt::print(
      "{} launches in {:.3f} s ({:.3f} s of CPU): {:.2f} M launches/s, {:.2f} M events/s, "
      "digest {}\n",
      report.launches, report.seconds, report.cpu_seconds, report.launches_per_s / 1e6,
      report.events_per_s / 1e6, hex(report.digest));
}

}  // namespace

int bench_launches(const std::vector<std::string>& arguments) {
  CommonOptions common;
  LaunchesOptions launches;
  std::string hardware = "h200-sxm";
  std::uint64_t streams = launches.streams;
  std::uint64_t host_threads = launches.host_threads;
  std::uint64_t blocks = launches.blocks;
  Options options(
      {"septet bench launches", "[options]",
       "Runs kernel launches through the models, from the call to its completion on the host.\n"
       "Threads launch kernels round robin over their own streams and synchronise from time to\n"
       "time. Only the simulation is timed, on one core, not the construction of the program.",
       "septet bench launches --launches 1000000 --streams 8 --host-threads 2"});
  options.count("launches", launches.launches, "launches of all threads together (default 1000000)",
                1, 1'000'000'000);
  options.count("streams", streams, "streams per thread (default 8)", 1, 4096);
  options.count("host-threads", host_threads, "threads of one process (default 1)", 1, 1024);
  options.count("blocks", blocks, "blocks per kernel (default 16)", 1, 1'000'000);
  options.duration("block-time", launches.block_time, "time of each block (default '2 us')");
  options.count("synchronize", launches.synchronize,
                "launches between two synchronisations of a thread (default 1000)", 1);
  options.flag("rows", launches.rows, "also keep the trace rows in memory");
  options.text("hardware", "NAME|FILE.toml", hardware, "profile (default h200-sxm)");
  options.common(common, {Common::kSet, Common::kJson});
  if (!options.parse(arguments)) return kExitOk;
  launches.streams = static_cast<std::uint32_t>(streams);
  launches.host_threads = static_cast<std::uint32_t>(host_threads);
  launches.blocks = static_cast<std::uint32_t>(blocks);
  const system::SystemSpec system = study::system_named(hardware, common.settings, "--hardware");
  print(run_launches(launches, system), common.json);
  return kExitOk;
}

}  // namespace septet::command
