// Strings, kernels and graphs of an imported Program, each listed once.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "models/program/program.hpp"
#include "models/workload/recorded/import/command_plan.hpp"
#include "models/workload/recorded/import/recording_index.hpp"

namespace septet::recorded {

class ProgramObjects {
 public:
  ProgramObjects(const RecordedTrace& trace, const RecordingIndex& index,
                 const CommandPlans& commands, program::Program& program);

  std::uint32_t string_of(const RecordedEvent& event);
  std::uint32_t string_of(const std::string& text);

  // The kernel of a command: kernels are the same when name and launch shape are.
  std::uint32_t kernel_of(const GpuCommand& command);

  // Kind, kernel or bytes, and work of command `number` as a call or as a node of a graph.
  program::Call call_of(std::uint32_t number);
  program::GraphNode node_of(std::uint32_t number);

  // Appends the graph of a graph launch; `identity` grows with it (Import::graph_identity).
  std::uint32_t add_graph(std::uint32_t call, std::vector<std::uint32_t>& identity);

 private:
  // What makes two launches launches of the same graph: edges, then what each node is.
  using GraphKey = std::vector<std::uint64_t>;

  program::LaunchShape shape_of(const GpuCommand& command) const;
  Duration work_of(std::uint32_t number) const;

  const RecordedTrace& trace_;
  const RecordingIndex& index_;
  const CommandPlans& commands_;
  program::Program& program_;
  std::unordered_map<std::uint32_t, std::uint32_t> strings_;  // the recording's -> Program's
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> kernels_;  // by recorded name
  std::map<GraphKey, std::uint32_t> graphs_;
};

}  // namespace septet::recorded
