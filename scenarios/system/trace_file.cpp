#include "scenarios/system/trace_file.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/graph/graph_shapes.hpp"
#include "models/records/link_records.hpp"

namespace septet {
namespace {

std::vector<LinkEndsRecord> link_ends(const TracedLinks& traced) {
  std::vector<LinkEndsRecord> rows;
  for (std::size_t l = 0; l < traced.links.size(); ++l) {
    const TracedLink& one = traced.links[l];
    for (const LinkEnds& ends : one.ends) {
      rows.push_back({static_cast<std::int64_t>(l), ends.from, ends.to, one.rate.count()});
    }
  }
  return rows;
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

std::map<std::string, std::vector<std::string>> dictionaries_of(const SystemTrace& trace) {
  std::vector<std::string> links;
  for (const TracedLink& one : trace.traced_links.links) links.push_back(one.name);
  return {{"call", trace.calls},
          {"communicator", trace.communicators},
          {"kernel", trace.kernel_names.texts()},
          {"link", std::move(links)},
          {"thread", trace.threads},
          {"timing_method", trace.timing_methods.texts()}};
}

void describe_run(const System& system, Hdf5Writer& writer) {
  const SystemTrace& trace = system.trace();
  const SystemSpec& spec = system.spec();
  for (auto& [name, texts] : dictionaries_of(trace)) writer.set_dictionary(name, texts);
  writer.set_attribute("gpu", spec.gpu.name);
  if (!spec.others.empty()) writer.set_attribute("other_gpus", text_of(spec.others));
  writer.set_attribute("connections", std::int64_t{connection_count(spec)});
  writer.set_attribute("peer_latency", spec.peer_latency.count());
  const GraphShapes shapes = graph_shapes(system.program());
  write_small_table<GraphRecord>(writer, shapes.graphs);
  write_small_table<GraphEdgeRecord>(writer, shapes.edges);
  const std::vector<LinkEndsRecord> links = link_ends(trace.traced_links);
  if (!links.empty()) write_small_table<LinkEndsRecord>(writer, links);
}

}  // namespace septet
