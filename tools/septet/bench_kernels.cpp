// `septet bench kernels`: what the kernel model costs in the simulation.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/units.hpp"
#include "scenarios/study/hardware_system.hpp"
#include "tools/septet/bench/kernels.hpp"
#include "tools/septet/bench_commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/study/run_report.hpp"

namespace septet::command {
namespace {

nlohmann::ordered_json json_of(const std::optional<double>& cost) {
  return cost ? nlohmann::ordered_json(*cost) : nlohmann::ordered_json(nullptr);
}

std::string text_of(const std::optional<double>& cost, const char* unit) {
  return cost ? fmt::format("{:.3g} {} more", *cost, unit) : "no measurable extra time";
}

void print(const KernelsReport& report, bool json) {
  if (json) {
    const nlohmann::ordered_json result = {
        {"launches", report.launches},      {"kernels", report.kernels},
        {"fixed_ns", report.fixed_ns},      {"seen_ns", json_of(report.seen_ns)},
        {"new_us", json_of(report.new_us)}, {"all_seconds", report.all_seconds},
        {"digest", hex(report.digest)}};
    fmt::print("{}\n", result.dump(2));
    return;
  }
  fmt::print(
      "{} launches: {:.0f} ns each with fixed block time; {} for a kernel seen before, {} for a "
      "new one; {} kernels in {:.3f} s, digest {}\n",
      report.launches, report.fixed_ns, text_of(report.seen_ns, "ns"), text_of(report.new_us, "us"),
      report.kernels, report.all_seconds, hex(report.digest));
}

}  // namespace

int bench_kernels(const std::vector<std::string>& arguments) {
  CommonOptions common;
  KernelsOptions kernels;
  std::string hardware = "h200-sxm";
  std::uint64_t distinct = kernels.kernels;
  std::uint64_t streams = kernels.streams;
  std::uint64_t blocks = kernels.blocks;
  std::uint64_t repetitions = kernels.repetitions;
  Options options(
      {"septet bench kernels", "[options]",
       "Measures the cost of the kernel model: the same launches with kernels of fixed time,\n"
       "with one kernel timed by the model, and with many different ones. Times are those of the\n"
       "simulating thread, the fastest of several repetitions.",
       "septet bench kernels --launches 2000 --kernels 2000 --streams 96 --iterations 100"});
  options.count("launches", kernels.launches, "launches of the host thread (default 100000)", 2,
                1'000'000'000);
  options.count("kernels", distinct, "number of different kernels (default 1000)", 2, 1'000'000);
  options.count("streams", streams, "streams, used round robin (default 1)", 1, 4096);
  options.count("blocks", blocks, "blocks per kernel (default 132)", 1, 1'000'000);
  options.count(
      "iterations", kernels.iterations,
      "iterations of each warp of a modelled kernel (default 1); more make kernels overlap", 1,
      1'000'000);
  options.count("synchronize", kernels.synchronize,
                "launches between two synchronisations (default 1000)", 1);
  options.count("repetitions", repetitions, "repetitions, of which the fastest counts (default 3)",
                1, 1000);
  options.text("hardware", "NAME", hardware, "profile (default h200-sxm)");
  options.common(common, {Common::kSet, Common::kJson});
  if (!options.parse(arguments)) return kExitOk;
  kernels.kernels = static_cast<std::uint32_t>(distinct);
  kernels.streams = static_cast<std::uint32_t>(streams);
  kernels.blocks = static_cast<std::uint32_t>(blocks);
  kernels.repetitions = static_cast<std::uint32_t>(repetitions);
  const system::SystemSpec system = study::system_named(hardware, common.settings, "--hardware");
  print(run_kernels(kernels, system), common.json);
  return kExitOk;
}

}  // namespace septet::command
