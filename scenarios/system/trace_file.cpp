#include "scenarios/system/trace_file.hpp"

#include <cstdint>
#include <numeric>
#include <string>
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

void write_links(const TracedLinks& traced, Hdf5Writer& writer) {
  std::vector<std::string> names;
  std::vector<std::int64_t> link;
  std::vector<std::string> from;
  std::vector<std::string> to;
  std::vector<double> rate;
  for (const TracedLink& one : traced.links) {
    for (const LinkEnds& ends : one.ends) {
      link.push_back(static_cast<std::int64_t>(names.size()));
      from.push_back(ends.from);
      to.push_back(ends.to);
      rate.push_back(one.rate.count());
    }
    names.push_back(one.name);
  }
  writer.set_dictionary("link", std::move(names));
  writer.write_compound("link_ends", "what each link joins, and what it can carry",
                        {{"link", "1", std::move(link)},
                         {"from", "", std::move(from)},
                         {"to", "", std::move(to)},
                         {"rate", "B/s", std::move(rate)}});
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

void describe_run(const System& system, Hdf5Writer& writer) {
  const SystemTrace& trace = system.trace();
  const SystemSpec& spec = system.spec();
  writer.set_dictionary("kernel", trace.kernel_names.texts());
  writer.set_dictionary("call", trace.calls);
  writer.set_dictionary("thread", trace.threads);
  writer.set_dictionary("communicator", trace.communicators);
  writer.set_dictionary("timing_method", trace.timing_methods.texts());
  writer.set_attribute("gpu", spec.gpu.name);
  if (!spec.others.empty()) writer.set_attribute("other_gpus", text_of(spec.others));
  writer.set_attribute("connections", std::int64_t{connection_count(spec)});
  writer.set_attribute("peer_latency", spec.peer_latency.count());
  write_graphs(system.program(), writer);
  if (!trace.traced_links.links.empty()) write_links(trace.traced_links, writer);
}

}  // namespace septet
