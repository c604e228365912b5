#include "tools/septet/bench_commands.hpp"

#include <array>

namespace septet::command {
namespace {

// To add a benchmark: write it in tools/septet/bench/, its bench_NAME function here beside, and a
// line here.
constexpr std::array kBenchmarks = {
    Subcommand{"collective", "a collective over a network, message by message", bench_collective},
    Subcommand{"phold", "events a second of the whole engine (the PHOLD load)", bench_phold},
    Subcommand{"cluster", "events a second of the engine for GPUs in long kernels", bench_cluster},
    Subcommand{"hold", "events a second of the event queues alone", bench_hold},
    Subcommand{"kernels", "what kernels that the kernel model times cost", bench_kernels},
    Subcommand{"kineto", "bytes of profiler recordings a second", bench_kineto},
    Subcommand{"launches", "kernel launches a second through host and GPU", bench_launches},
    Subcommand{"rows", "trace rows a second into a result file", bench_rows},
};

}  // namespace

std::span<const Subcommand> bench_commands() { return kBenchmarks; }

}  // namespace septet::command
