// `septet bench collective`: one collective over a network, and the speed of simulating it.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "core/base/units.hpp"
#include "models/network/topology/shape_text.hpp"
#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/network/network_reader.hpp"
#include "tools/septet/bench/collective.hpp"
#include "tools/septet/bench_commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/progress.hpp"
#include "tools/septet/study/run_report.hpp"

namespace septet::command {
namespace {

// The words of the command line; those about the network are combined at the end.
struct CollectiveWords {
  std::string op = "all_reduce";
  std::string algorithm = "auto";
  std::string topology = "ring";
  std::string routing;
  std::uint64_t gpus = 0;
  network::LinkSpec link{.rate = 50_GBps, .latency = 500_ns};
  Bytes bytes = 1_MiB;
  Bytes tree_chunk = network::kTreeChunk;
  std::uint64_t layers = 1;
  std::uint64_t links = 0;
  bool store_and_forward = false;
};

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// Reads a quantity; a mistake names the option.
template <class Parse, class Target>
Options::Reader quantity(const std::string& name, Parse parse, Target& target) {
  return [=, &target](const std::string& text) {
    try {
      target = parse(text);
    } catch (const UnitError& error) {
      throw UsageError(fmt::format("--{}: {}", name, error.what()));
    }
  };
}

// "1 MiB", or a whole number of bytes.
Bytes bytes_of(const std::string& text) {
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return parse_bytes(digits && !text.empty() ? text + " B" : text);
}

// "all-reduce" is "all_reduce".
std::string underscored(std::string text) {
  std::ranges::replace(text, '-', '_');
  return text;
}

template <class Enum>
Enum known(const char* option, const std::string& got) {
  if (const std::optional<Enum> value = from_text<Enum>(got)) return *value;
  throw UsageError(
      fmt::format("--{}: got '{}', wanted one of: {}", option, got, listed_texts<Enum>()));
}

// The bandwidths of a file are its own.
config::Network network_of(const CollectiveWords& words) {
  if (words.topology.ends_with(".toml")) {
    config::Network network = config::load_network(words.topology, config::data_directories());
    if (words.gpus != 0 && words.gpus != network.topology.gpu_count()) {
      throw UsageError(fmt::format("--gpus: got {}, wanted {}, the number in {}", words.gpus,
                                   network.topology.gpu_count(), words.topology));
    }
    return network;
  }
  const bool levels = words.topology.find_first_of("0123456789") != std::string::npos;
  const std::uint64_t gpus = words.gpus == 0 && !levels ? 8 : words.gpus;
  return {.topology = plain(levels_of(words.topology, gpus, words.link)).build()};
}

network::Routing routing_of(const CollectiveWords& words, const config::Network& network) {
  if (words.routing.empty()) return network.routing;
  return known<network::Routing>("routing", words.routing);
}

std::vector<std::string_view> ops_of_groups() {
  std::vector<std::string_view> out;
  for (const program::CollectiveOp op : values_of<program::CollectiveOp>()) {
    if (!point_to_point(op)) out.push_back(text_of(op));
  }
  return out;
}

void fill(const CollectiveWords& words, CollectiveOptions& options) {
  options.request.op = known<program::CollectiveOp>("op", underscored(words.op));
  options.request.algorithm = known<program::CollectiveAlgorithm>("algorithm", words.algorithm);
  if (point_to_point(options.request.op)) {
    throw UsageError(fmt::format("--op: got '{}', wanted one of: {}", words.op,
                                 fmt::join(ops_of_groups(), ", ")));
  }
  options.request.bytes = words.bytes;
  options.tree_chunk = words.tree_chunk;
  options.layers = static_cast<std::uint32_t>(words.layers);
  options.links = static_cast<std::uint32_t>(words.links);
  if (words.store_and_forward) options.forwarding = network::Forwarding::kStoreAndForward;
  if (words.tree_chunk == Bytes{}) throw UsageError("--chunk: got 0 B, wanted at least 1 B");
}

void print_json(const CollectiveReport& report, const CollectiveWords& words, double wall) {
  nlohmann::ordered_json result = {{"wall_s", wall},
                                   {"peak_rss_bytes", peak_rss_bytes()},
                                   {"simulated_us", to_us(report.simulated)},
                                   {"events", report.events},
                                   {"sends", report.sends},
                                   {"digest", hex(report.digest)},
                                   {"op", underscored(words.op)},
                                   {"bytes", words.bytes.count()},
                                   {"gpus", report.gpus},
                                   {"topology", words.topology},
                                   {"algorithm", text_of(report.algorithm)},
                                   {"requested_algorithm", words.algorithm},
                                   {"method", report.method},
                                   {"error_bound_us", to_us(report.above)},
                                   {"layers", words.layers}};
  for (const AlgorithmEstimate& estimate : report.estimates) {
    result["estimates_us"][std::string(text_of(estimate.algorithm))] = to_us(estimate.time);
  }
  for (const CollectiveReport::LinkRow& link : report.links) {
    result["links"].push_back(
        {{"name", link.name}, {"bytes", link.bytes.count()}, {"utilization", link.utilization}});
  }
  fmt::print("{}\n", result.dump(2));
}

// "chosen: ring, estimated at 17.2 us; tree 20.1 us, nvls 23.0 us"
std::string choice_text(const std::vector<AlgorithmEstimate>& estimates) {
  std::string text;
  for (const AlgorithmEstimate& estimate : estimates) {
    const bool first = text.empty();
    text += fmt::format("{}{}{}{:.3f} us",
                        first                         ? "chosen: "
                        : text.find(';') == text.npos ? "; "
                                                      : ", ",
                        text_of(estimate.algorithm), first ? ", estimated at " : " ",
                        to_us(estimate.time));
  }
  return text;
}

void print_text(const CollectiveReport& report, const CollectiveWords& words, double wall) {
  fmt::print("{} of {} over {} GPUs ({}), {}: {:.3f} us, method: {}\n", underscored(words.op),
             to_text(words.bytes), report.gpus, words.topology, text_of(report.algorithm),
             to_us(report.simulated), report.method);
  if (report.estimates.size() > 1) fmt::print("{}\n", choice_text(report.estimates));
  fmt::print("{} events in {:.3f} s, {:.1f} MB\n", report.events, wall,
             static_cast<double>(peak_rss_bytes()) / 1e6);
  for (const CollectiveReport::LinkRow& link : report.links) {
    fmt::print("{}: {}, {:.1f} % used\n", link.name, to_text(link.bytes), link.utilization * 100);
  }
}

void declare(Options& options, CollectiveWords& words, CollectiveOptions& collective) {
  options.text("op", "NAME", words.op,
               fmt::format("one of {} among all ranks; default all_reduce",
                           fmt::join(ops_of_groups(), ", ")));
  options.value("bytes", "SIZE", "size of one rank's buffer (default 1 MiB)",
                quantity("bytes", bytes_of, words.bytes));
  options.count("gpus", words.gpus, "number of ranks (default 8, or that of the topology)", 2,
                1U << 20U);
  options.text(
      "topology", "SHAPE", words.topology,
      "ring (default), switch, full, levels such as 8x512 or switch8xring512, or FILE.toml "
      "with a table [network]");
  options.text("algorithm", "NAME", words.algorithm,
               "one of " + listed_texts<program::CollectiveAlgorithm>() +
                   "; default auto: the one estimated to be fastest among those that support the "
                   "operation and the network");
  options.flag("exact", collective.exact, "simulate every message as an event; no analytic method");
  options.value("bandwidth", "RATE",
                "rate of each link of a shape, per direction (default 50 GB/s)",
                quantity("bandwidth", parse_byte_rate, words.link.rate));
  options.duration("latency", words.link.latency,
                   "latency of each link of a shape (default '500 ns')");
  options.count("layers", words.layers, "number of consecutive collectives (default 1)", 1,
                1'000'000);
  options.duration("compute", collective.compute,
                   "compute time of each rank before each collective (default none)");
  options.value("chunk", "SIZE", "chunk size of tree algorithms (default 128 KiB)",
                quantity("chunk", bytes_of, words.tree_chunk));
  options.text("routing", "NAME", words.routing,
               "shortest, ecmp or rail-aware (default: the file's, else rail-aware)");
  options.flag("store-and-forward", words.store_and_forward,
               "switches forward a message only after receiving it completely");
  options.count("links", words.links, "number of busiest links to list (default none)", 0,
                1'000'000);
}

}  // namespace

int bench_collective(const std::vector<std::string>& arguments) {
  CommonOptions common;
  CollectiveWords words;
  CollectiveOptions collective;
  Options options(
      {"septet bench collective", "[options]",
       "Simulates one collective over all GPUs of a network, message by message. Unless --exact\n"
       "is given, an analytic method with the same result is used where there is one, and named.",
       "septet bench collective --bytes 1MiB --gpus 1024 --topology ring --algorithm ring --exact\n"
       "  septet bench collective --topology scenarios/shipped/networks/hgx-h200.toml --algorithm "
       "nvls"});
  declare(options, words, collective);
  options.common(common, {Common::kJson, Common::kQuiet});
  if (!options.parse(arguments)) return kExitOk;
  const auto begin = std::chrono::steady_clock::now();
  try {
    fill(words, collective);
    const config::Network network = network_of(words);
    collective.routing = routing_of(words, network);
    Progress progress("simulate", common.quiet);
    collective.progress = [&progress](double fraction) { progress.update(fraction); };
    const CollectiveReport report = run_collective(network.topology, collective);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    common.json ? print_json(report, words, wall.count()) : print_text(report, words, wall.count());
  } catch (const ConfigError& error) {
    if (!error.where().file.empty()) throw;
    throw UsageError(error.what(), "septet bench collective");  // of the command line's words
  } catch (const RangeError& error) {
    throw UsageError(error.what(), "septet bench collective");
  }
  return kExitOk;
}

}  // namespace septet::command
