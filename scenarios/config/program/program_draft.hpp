// A Program under construction, and the names by which its parts are known in the scenario. The
// parts are read in the order of the functions below, since later ones name earlier ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/program/builder.hpp"
#include "scenarios/config/program/name_table.hpp"
#include "scenarios/config/program/scenario_text.hpp"

namespace septet::config {

struct ProgramDraft {
  program::ProgramBuilder build;
  NameTable contexts{"a green context"};
  NameTable communicators{"a communicator"};
  NameTable streams{"a stream"};
  NameTable kernels{"a kernel"};
  NameTable graphs{"a graph"};
  NameTable queues{"a queue from which some kernel takes items"};
  std::vector<double> graph_nodes;                // by graph, with those of the graphs inside
  std::vector<std::optional<Duration>> recorded;  // by kernel: what a launch takes, if recorded
  std::uint64_t max_graph_nodes = RunSettings{}.max_graph_nodes;

  const program::Program& program() const { return build.program(); }
};

void read_contexts(const ScenarioText& scenario, ProgramDraft& draft);
void read_communicators(const ScenarioText& scenario, ProgramDraft& draft);
void read_streams(const ScenarioText& scenario, ProgramDraft& draft);
void read_kernels(const ScenarioText& scenario, ProgramDraft& draft);
void read_graphs(const ScenarioText& scenario, ProgramDraft& draft);
void read_threads(const ScenarioText& scenario, ProgramDraft& draft);

// By process: the share of the SMs that it may use, as far as the scenario says.
std::vector<double> sm_shares_of(const ScenarioText& scenario);

// Throws where a [[process]] describes one that has neither streams nor threads.
void check_processes(const ScenarioText& scenario, const program::Program& program);

// How a kernel is launched. Throws where a block breaks a limit of its own on this GPU.
program::LaunchShape shape_of(const KernelText& text, const gpu::SmSpec& sm);

// The nodes that `steps` would add to a graph under stream capture.
void capture_graph(const GraphText& text, ProgramDraft& draft, program::Graph& graph);

// The streams that a step or a list names; the only stream where the step names none.
std::vector<std::uint32_t> streams_of(const Place& place, const std::optional<Names>& names,
                                      const ProgramDraft& draft);

// The collective that a step calls, on streams of devices that are ranks of its communicator.
std::uint32_t collective_of(const StepText& step, const std::vector<std::uint32_t>& streams,
                            ProgramDraft& draft);

// What one launch of `kernel` takes as Call::work: its recorded duration, unless `own` says
// another, or kModelled. Throws where it needs a duration and has none, or takes none.
Duration launch_work(const Place& place, std::uint32_t kernel, const std::optional<Duration>& own,
                     const ProgramDraft& draft);

}  // namespace septet::config
