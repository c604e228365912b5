#include "tools/septet/bench_commands.hpp"

#include <array>

namespace septet {
namespace {

// To add a benchmark: write it in tools/septet/bench/, its bench_NAME function here beside, and a
// line here.
constexpr std::array kBenchmarks = {
    Command{"collective", "a collective over a network, message by message", bench_collective},
    Command{"phold", "events a second of the whole engine (the PHOLD load)", bench_phold},
    Command{"cluster", "events a second of the engine for GPUs in long kernels", bench_cluster},
    Command{"hold", "events a second of the event queues alone", bench_hold},
    Command{"kernels", "what kernels that the kernel model times cost", bench_kernels},
    Command{"kineto", "bytes of profiler recordings a second", bench_kineto},
    Command{"launches", "kernel launches a second through host and GPU", bench_launches},
    Command{"rows", "trace rows a second into a result file", bench_rows},
};

}  // namespace

std::span<const Command> bench_commands() { return kBenchmarks; }

}  // namespace septet
