#include "tools/septet/bench_commands.hpp"

#include <array>

namespace septet::command {
namespace {

// To add a benchmark: write it in tools/septet/bench/, its bench_NAME function in a file here, and
// a line here.
constexpr std::array kBenchmarks = {
    Subcommand{"collective", "a collective over a network, message by message", bench_collective},
    Subcommand{"phold", "events per second of the whole engine (PHOLD benchmark)", bench_phold},
    Subcommand{"cluster", "events per second of the engine for GPUs that run long kernels",
               bench_cluster},
    Subcommand{"hold", "events per second of the event queues alone", bench_hold},
    Subcommand{"kernels", "cost of kernels timed by the kernel model", bench_kernels},
    Subcommand{"kineto", "bytes of profiler recordings read per second", bench_kineto},
    Subcommand{"launches", "kernel launches per second through host and GPU models",
               bench_launches},
    Subcommand{"rows", "trace rows per second written to a result file", bench_rows},
};

}  // namespace

std::span<const Subcommand> bench_commands() { return kBenchmarks; }

}  // namespace septet::command
