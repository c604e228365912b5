#include "scenarios/validate/what_if_cases.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>

#include "models/workload/recorded/import/importer.hpp"
#include "models/workload/recorded/recorded_reader.hpp"
#include "scenarios/analysis/attribution.hpp"
#include "scenarios/replay/recorded_system.hpp"
#include "scenarios/study/profiler_library.hpp"
#include "scenarios/system/run_program.hpp"
#include "scenarios/whatif/call_times.hpp"
#include "scenarios/whatif/what_if.hpp"

namespace septet::validation {
namespace {

struct NamedChange {
  std::string_view change;
  std::string_view what_if;  // "{branches}": the number of the program's branches
};

// What each change is as a what-if. Scales are those of the data that the kernels move:
//   AdamW     in a loop a parameter and its state are moved 20 times (mul 2, lerp 3, mul 2, addcmul
//             3, sqrt 2, div 2, add 2, addcdiv 4), in multi-tensor kernels 18 times, fused 7 times
//             (four tensors read, three written)
//   GELU      nine elementwise kernels move 22 tensors, the fused one 2
//   attention at 64 values a head the scores move eight times what queries, keys, values and
//             outputs do; what is left is the two products
//   bf16      the optimizer's state halves
// Preprocessing also frees what it made, between operators: pauses.
constexpr std::array kChanges = {
    NamedChange{"optimizer-foreach-to-fused", "fuse-ops=^Optimizer.step:scale=0.39"},
    NamedChange{"optimizer-loop-to-fused", "fuse-ops=^Optimizer.step:scale=0.35"},
    NamedChange{"no-loss-read-back", "op=^aten::item$:remove"},
    NamedChange{"no-read-back", "op=^aten::item$:remove"},
    NamedChange{"training-as-graph", "cuda-graphs"},
    NamedChange{"inference-as-graph", "cuda-graphs"},
    NamedChange{"optimize-once-a-batch", "op=^Optimizer[.]:every=4"},
    NamedChange{"no-collection", "pauses=20 ms"},
    NamedChange{"no-barriers", "remove-sync=DeviceSynchronize"},
    NamedChange{"amp-to-bf16",
                "op=^(aten::to|autograd::engine::evaluate_function: ToCopyBackward0)$:remove + "
                "kernel=multi_tensor_apply:scale=0.5"},
    NamedChange{"fuse-activation", "fuse-ops=^aten::(mul|add|pow|tanh|rsub)$:scale=0.09"},
    NamedChange{
        "fuse-attention",
        "fuse-ops=^aten::(matmul|mul|softmax|transpose|permute|select|reshape)$:scale=0.14"},
    NamedChange{"early-copies", "copies=Memcpy HtoD:early"},
    NamedChange{"pinned-copies", "copies=Memcpy HtoD:pinned"},
    NamedChange{"no-preprocessing", "op=^aten::(to|mean|std|sub|div)$:remove + pauses=300 us"},
    NamedChange{"streams-for-branches", "branches={branches}"},
};

constexpr const char* kUnprofiled = "unprofiled";

// The number behind "branches" in the name of a program.
std::string branches_of(const std::string& program) {
  const std::size_t at = program.rfind("branches");
  std::string digits;
  for (std::size_t c = at + 8; at != std::string::npos && c < program.size(); ++c) {
    if (std::isdigit(static_cast<unsigned char>(program[c])) == 0) break;
    digits += program[c];
  }
  if (digits.empty()) throw ModelError("the program's name says no number of branches");
  return digits;
}

std::string what_if_of(const MeasuredRow& row) {
  const std::string change = row.text("change");
  const auto known = std::find_if(kChanges.begin(), kChanges.end(),
                                  [&](const NamedChange& named) { return named.change == change; });
  if (known == kChanges.end()) throw ModelError("no what-if for the change " + change);
  std::string out(known->what_if);
  const std::size_t hole = out.find("{branches}");
  if (hole != std::string::npos) out.replace(hole, 10, branches_of(row.text("program")));
  return out;
}

// The time of a step when one follows the other: from the first work that the second step
// submits to that of the last, so that a slow beginning and the end don't count.
Duration step_time(const program::Program& program, const analysis::RunRows& rows) {
  const std::vector<Instant> markers = whatif::marker_times(program, rows);
  std::vector<Instant> starts;
  for (std::size_t m = 0; m < markers.size(); ++m) {
    const Instant next = m + 1 < markers.size() ? markers[m + 1] : Instant::max();
    Instant first = Instant::max();
    for (const analysis::GpuWork& work : rows.works) {
      if (work.issued >= markers[m] && work.issued < next) first = std::min(first, work.start);
    }
    if (first < Instant::max()) starts.push_back(first);
  }
  if (starts.size() < 2) return rows.span();
  if (starts.size() < 3) return rows.last - starts[1];
  return (starts.back() - starts[1]) / static_cast<std::int64_t>(starts.size() - 2);
}

Prediction predict_step(const MeasuredRow& row, const system::SystemSpec& system) {
  const bool before = row.metric == "step_wall_before";
  if (!before && row.metric != "step_wall_after") {
    return unsupported("no metric " + row.metric + " for this case");
  }
  const std::filesystem::path file =
      std::filesystem::path(row.file).parent_path() / row.text("trace");
  const recorded::RecordedTrace trace = recorded::read_recorded(file.string());
  recorded::Import recording = recorded::import_recording(trace);
  whatif::WhatIfState state{std::move(recording.program),
                            replay::recorded_system(system, recording.latencies),
                            system,
                            {},
                            {},
                            study::profiler_costs(trace)};
  // Patterns must see the operators before the profiler's costs are taken out.
  const std::string change = before ? "" : what_if_of(row) + " + ";
  apply_what_if(change + kUnprofiled, state);
  const system::ProgramRun run = system::run_program(state.program, state.system, {});
  const analysis::RunRows rows = analysis::collect_rows(run);
  const analysis::Attribution time = analysis::attribute(rows);
  const auto most = std::max_element(time.time.begin(), time.time.end());
  return {to_us(step_time(state.program, rows)),
          std::string(text_of(static_cast<analysis::TimeCategory>(most - time.time.begin())))};
}

}  // namespace

std::vector<CaseKind> what_if_cases() { return {{"what_if", "", predict_step}}; }

}  // namespace septet::validation
