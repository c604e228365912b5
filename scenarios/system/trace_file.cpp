#include "scenarios/system/trace_file.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/graph/graph_shapes.hpp"
#include "models/records/link_records.hpp"

namespace septet::system {
namespace {

std::vector<records::LinkEndsRecord> link_ends(const network::TracedLinks& traced) {
  std::vector<records::LinkEndsRecord> rows;
  for (std::size_t l = 0; l < traced.links.size(); ++l) {
    const network::TracedLink& one = traced.links[l];
    for (const network::LinkEnds& ends : one.ends) {
      rows.push_back({static_cast<std::int64_t>(l), ends.from, ends.to, one.rate.count()});
    }
  }
  return rows;
}

// "8-15: h100-sxm, 16-23: a100-sxm-80gb"
std::string text_of(const std::vector<host::OtherGpus>& others) {
  std::string out;
  for (const host::OtherGpus& other : others) {
    out += fmt::format("{}{}-{}: {}", out.empty() ? "" : ", ", other.first,
                       other.first + other.count - 1, other.gpu.name);
  }
  return out;
}

}  // namespace

std::map<std::string, std::vector<std::string>> dictionaries_of(const SystemTrace& trace) {
  std::vector<std::string> links;
  for (const network::TracedLink& one : trace.traced_links.links) links.push_back(one.name);
  return {{"call", trace.calls},
          {"communicator", trace.communicators},
          {"kernel", trace.kernel_names.texts()},
          {"link", std::move(links)},
          {"thread", trace.threads},
          {"timing_method", trace.timing_methods.texts()}};
}

void describe_run(const System& system, trace::Hdf5Writer& writer) {
  const SystemTrace& trace = system.trace();
  const SystemSpec& spec = system.spec();
  for (auto& [name, texts] : dictionaries_of(trace)) writer.set_dictionary(name, texts);
  writer.set_attribute("gpu", spec.gpu.name);
  writer.set_attribute("host", spec.host.name);
  if (!spec.others.empty()) writer.set_attribute("other_gpus", text_of(spec.others));
  writer.set_attribute("connections", std::int64_t{connection_count(spec)});
  writer.set_attribute("peer_latency", spec.peer_latency.count());
  const graph::GraphShapes shapes = graph::graph_shapes(system.program());
  trace::write_small_table<records::GraphRecord>(writer, shapes.graphs);
  trace::write_small_table<records::GraphEdgeRecord>(writer, shapes.edges);
  const std::vector<records::LinkEndsRecord> links = link_ends(trace.traced_links);
  if (!links.empty()) trace::write_small_table<records::LinkEndsRecord>(writer, links);
}

}  // namespace septet::system
