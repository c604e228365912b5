#include "scenarios/system/trace_file.hpp"

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/graph/graph_shapes.hpp"

namespace septet {
namespace {

void write_graphs(const Program& program, Hdf5Writer& writer) {
  GraphShapes shapes = graph_shapes(program);
  std::vector<std::int64_t> graphs(shapes.shape_of_graph.size());
  std::iota(graphs.begin(), graphs.end(), std::int64_t{0});
  writer.write_compound(
      "graphs", "graphs of the program, and the shape of each",
      {{"graph", "1", std::move(graphs)}, {"shape", "1", std::move(shapes.shape_of_graph)}});
  writer.write_compound("graph_edges", "which node follows which in a shape",
                        {{"shape", "1", std::move(shapes.shape)},
                         {"from", "1", std::move(shapes.from)},
                         {"to", "1", std::move(shapes.to)}});
}

// "8-15: h100-sxm, 16-23: a100-sxm-80gb"
std::string text_of(const std::vector<OtherGpus>& others) {
  std::string out;
  for (const OtherGpus& other : others) {
    out += fmt::format("{}{}-{}: {}", out.empty() ? "" : ", ", other.first,
                       other.first + other.count - 1, other.gpu.name);
  }
  return out;
}

}  // namespace

void describe_run(const Program& program, const SystemSpec& system, Hdf5Writer& writer) {
  const SystemTrace trace = describe_trace(program, system);
  writer.set_dictionary("kernel", trace.kernel_names.texts());
  writer.set_dictionary("call", trace.calls);
  writer.set_dictionary("thread", trace.threads);
  writer.set_dictionary("communicator", trace.communicators);
  writer.set_dictionary("shortcut", trace.shortcuts.texts());
  writer.set_attribute("gpu", system.gpu.name);
  if (!system.others.empty()) writer.set_attribute("other_gpus", text_of(system.others));
  writer.set_attribute("connections", std::int64_t{connection_count(system)});
  writer.set_attribute("peer_latency", system.peer_latency.count());
  write_graphs(program, writer);
}

}  // namespace septet
