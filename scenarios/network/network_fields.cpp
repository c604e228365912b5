#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/config/reference.hpp"
#include "scenarios/network/network_text.hpp"

namespace septet::config {
namespace {

constexpr std::uint32_t kMany = 1U << 20U;
const auto kRates = between(ByteRate(1e6), ByteRate(1e15));
const auto kLatencies = between(Duration(0), Duration(kPicosecondsPerSecond));

template <class Spec, class Member>
Field<Spec> count(std::string key, Member Spec::*member, std::string description) {
  return ranged(std::move(key), member, std::move(description), between(1U, kMany));
}

// Rate and latency of a LinkSpec inside the node, as two rows.
Field<network::NodeSpec> node_rate(std::string key, network::LinkSpec network::NodeSpec::*link,
                                   std::string description) {
  const auto read = [link](const Reading& reading, Sources sources, network::NodeSpec& spec) {
    (spec.*link).rate = read_ranged<ByteRate>(reading, sources, kRates);
  };
  return required(Field<network::NodeSpec>{
      {std::move(key), Convert<ByteRate>::kType, kRates.text(), std::move(description)}, read});
}

Field<network::NodeSpec> node_latency(std::string key, network::LinkSpec network::NodeSpec::*link,
                                      std::string description) {
  const auto read = [link](const Reading& reading, Sources sources, network::NodeSpec& spec) {
    (spec.*link).latency = read_ranged<Duration>(reading, sources, kLatencies);
  };
  return required(Field<network::NodeSpec>{
      {std::move(key), Convert<Duration>::kType, kLatencies.text(), std::move(description)}, read});
}

}  // namespace

const Fields<network::NodeSpec>& node_profile_fields() {
  using S = network::NodeSpec;
  static const Fields<S> rows = {
      required(count("gpus", &S::gpus, "GPUs connected by one plane of NVSwitches")),
      required(count("gpus_per_cpu", &S::gpus_per_cpu, "GPUs per CPU, each with a NIC")),
      node_rate("nvlink", &S::nvlink, "all NVLinks of a GPU, per direction"),
      node_latency("nvlink_latency", &S::nvlink, "of that link"),
      node_rate("pcie", &S::pcie,
                "GPU or NIC to its PCIe switch, and the switch to the CPU, per direction"),
      node_latency("pcie_latency", &S::pcie, "of each of these links"),
      node_rate("cpu", &S::cpu, "CPU to CPU, per direction"),
      node_latency("cpu_latency", &S::cpu, "of that link"),
      node_rate("nic", &S::nic, "NIC to the network, per direction"),
      node_latency("nic_latency", &S::nic, "NIC to leaf switch, including processing in both"),
  };
  return rows;
}

const Fields<NetworkVertexText>& network_vertex_fields() {
  using S = NetworkVertexText;
  static const Fields<S> rows = {
      required(field("name", &S::name, "name of the vertex")),
      required(field("kind", &S::kind,
                     "gpu, nvswitch, pcie-switch, cpu, nic, leaf, spine, router or switch")),
      ranged("node", &S::node, "index of its server; default: none", between(0U, kMany)),
  };
  return rows;
}

const Fields<NetworkLinkText>& network_link_fields() {
  using S = NetworkLinkText;
  static const Fields<S> rows = {
      required(field("from", &S::from, "one end")),
      required(field("to", &S::to, "the other end; the entry covers both directions")),
      field("kind", &S::kind, "of a new link: nvlink, pcie, cpu, network or plain; default plain"),
      ranged("rate", &S::rate, "each way", kRates),
      ranged("rate_factor", &S::rate_factor, "of an existing link: factor on its rate",
             between(1e-6, 1e6)),
      ranged("latency", &S::latency, "each way", kLatencies),
      field("failed", &S::failed, "true: no route uses it"),
  };
  return rows;
}

const Fields<NetworkText>& network_fields() {
  using S = NetworkText;
  static const Fields<S> rows = {
      required(field("shape", &S::shape, "topology; see the table below")),
      field("routing", &S::routing, "shortest, ecmp or rail-aware; default rail-aware"),
      count("gpus", &S::gpus, "number of GPUs of a simple shape"),
      field("levels", &S::levels,
            "sizes and shapes of the levels, innermost first: \"8x512\", \"switch8xring4\""),
      ranged("rate", &S::rate, "rate of every link, per direction", kRates),
      ranged("latency", &S::latency, "latency of every link", kLatencies),
      field("node", &S::node, "name of a profile in data/nodes"),
      count("nodes", &S::nodes, "servers, or NVLink domains"),
      count("nodes_per_pod", &S::nodes_per_pod,
            "nodes per pod, each with one link to the leaf of each rail; default 32"),
      count("spines", &S::spines, "spine switches; default: one per uplink of a leaf"),
      ranged("oversubscription", &S::oversubscription,
             "downlink over uplink bandwidth of a leaf; default 1", between(0.01, 1000.0)),
      ranged("switch_latency", &S::switch_latency, "latency between leaf and spine", kLatencies),
      count("groups", &S::groups, "groups of a dragonfly"),
      count("routers", &S::routers, "routers of each group"),
      count("gpus_per_router", &S::gpus_per_router, "GPUs at each router"),
      count("global_links", &S::global_links, "links of each router to other groups"),
      field("gpus_forward", &S::gpus_forward, "true: GPUs forward traffic of others"),
      list("vertex", &S::vertices, network_vertex_fields,
           "GPUs, switches, ... of a custom network"),
      list("link", &S::links, network_link_fields,
           "links of a custom network; degraded or failed links of the others"),
  };
  return rows;
}

const std::vector<NetworkShape>& network_shapes() {
  static const std::vector<NetworkShape> shapes = {
      {"ring", {"gpus", "rate", "latency"}, {}},
      {"switch", {"gpus", "rate", "latency"}, {}},
      {"full", {"gpus", "rate", "latency"}, {}},
      {"levels", {"levels", "rate", "latency"}, {"gpus"}},
      {"node", {"node"}, {}},
      {"fat-tree",
       {"node", "nodes", "switch_latency"},
       {"nodes_per_pod", "spines", "oversubscription"}},
      {"dragonfly",
       {"groups", "routers", "gpus_per_router", "global_links", "rate", "latency"},
       {}},
      {"custom", {"vertex", "link"}, {"gpus_forward"}},
  };
  return shapes;
}

std::string network_field_reference() {
  std::string shapes = "### Shapes\n\n| shape | needs | takes |\n|---|---|---|\n";
  for (const NetworkShape& shape : network_shapes()) {
    shapes += fmt::format("| `{}` | {} | {} |\n", shape.name, fmt::join(shape.needs, ", "),
                          fmt::join(shape.takes, ", "));
  }
  return field_table("[network]", network_fields()) + shapes + "\n" +
         field_table("[[network.vertex]]", network_vertex_fields()) +
         field_table("[[network.link]]", network_link_fields()) +
         field_table("A file in data/nodes", node_profile_fields());
}

}  // namespace septet::config
