#include "scenarios/network/network_reader.hpp"

#include <algorithm>
#include <utility>

#include "models/network/topology/shape_text.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/network/network_text.hpp"
#include "scenarios/network/node_profile.hpp"

namespace septet::config {
namespace {

using Directories = std::vector<std::filesystem::path>;

// The shape, after checking its keys.
const NetworkShape& shape_of(const NetworkText& text) {
  std::vector<std::string> names;
  for (const NetworkShape& shape : network_shapes()) names.push_back(shape.name);
  const auto found = std::ranges::find(network_shapes(), text.shape.text, &NetworkShape::name);
  if (found == network_shapes().end()) {
    text.place.fail("shape", "\"" + text.shape.text + "\"",
                    "one of: " + listed(names) + did_you_mean(text.shape.text, names));
  }
  std::vector<std::string> keys = {"shape", "routing", "link"};
  keys.insert(keys.end(), found->needs.begin(), found->needs.end());
  keys.insert(keys.end(), found->takes.begin(), found->takes.end());
  for (const ConfigEntry& entry : *text.place.table->table()) {
    if (std::ranges::find(keys, entry.key) != keys.end()) continue;
    text.place.fail(entry.key, "a key that the shape '" + found->name + "' doesn't take",
                    "one of: " + listed(keys));
  }
  for (const std::string& key : found->needs) {
    if (!text.place.has(key)) {
      text.place.fail(key, "no key '" + key + "'", "it with the shape '" + found->name + "'");
    }
  }
  return *found;
}

network::TopologyBuilder plain_of(const NetworkText& text) {
  const network::LinkSpec link{.rate = *text.rate, .latency = *text.latency};
  const std::string levels = text.levels.value_or(text.shape.text);
  return plain(levels_of(levels, text.gpus.value_or(0), link));
}

network::TopologyBuilder fat_tree_of(const NetworkText& text, const Directories& directories) {
  network::FatTreeSpec spec;
  spec.node = find_node_profile(*text.node, joined(text.place.path, "node"), directories);
  spec.nodes = text.nodes.value_or(1);
  spec.nodes_per_pod = text.nodes_per_pod.value_or(spec.nodes_per_pod);
  spec.spines = text.spines.value_or(0);
  spec.oversubscription = text.oversubscription.value_or(1);
  spec.switch_latency = text.switch_latency.value_or(Duration{});
  return fat_tree(spec);
}

network::TopologyBuilder dragonfly_of(const NetworkText& text) {
  const network::LinkSpec link{.rate = *text.rate, .latency = *text.latency};
  return network::dragonfly({.groups = *text.groups,
                             .routers = *text.routers,
                             .gpus_per_router = *text.gpus_per_router,
                             .global_links = *text.global_links,
                             .terminal = link,
                             .local = link,
                             .global = link});
}

template <class Enum>
Enum known(const Place& place, const char* key, const std::string& text) {
  if (const std::optional<Enum> value = from_text<Enum>(text)) return *value;
  place.fail(key, "\"" + text + "\"", "one of: " + listed_texts<Enum>());
}

// Which of a custom network's links each one is: all have rate and latency.
void add_link(const NetworkLinkText& link, network::TopologyBuilder& builder) {
  for (const char* key : {"rate", "latency"}) {
    if (!link.place.has(key))
      link.place.fail(key, std::string("no key '") + key + "'", "it in a custom network's link");
  }
  if (link.rate_factor) link.place.fail("rate_factor", "a factor", "a rate: the link is new");
  const std::string kind = link.kind ? link.kind->text : "plain";
  builder.connect(builder.named(link.from.text, link.from.where),
                  builder.named(link.to.text, link.to.where),
                  known<network::CableKind>(link.place, "kind", kind),
                  {.rate = *link.rate, .latency = *link.latency});
}

network::TopologyBuilder custom_of(const NetworkText& text) {
  network::TopologyBuilder builder;
  for (const NetworkVertexText& vertex : text.vertices) {
    builder.add(known<network::VertexKind>(vertex.place, "kind", vertex.kind.text),
                vertex.name.text, vertex.node.value_or(network::kNoNode));
  }
  for (const NetworkLinkText& link : text.links) add_link(link, builder);
  if (text.gpus_forward.value_or(false)) builder.forward_through_gpus();
  return builder;
}

network::TopologyBuilder builder_of(const NetworkText& text, const Directories& directories) {
  const std::string& shape = shape_of(text).name;
  if (shape == "custom") return custom_of(text);
  if (shape == "dragonfly") return dragonfly_of(text);
  if (shape == "fat-tree" || shape == "node") return fat_tree_of(text, directories);
  return plain_of(text);
}

// Of a custom network only failures are left to be made.
void change_links(const NetworkText& text, network::TopologyBuilder& builder) {
  const bool custom = text.shape.text == "custom";
  for (const NetworkLinkText& link : text.links) {
    if (custom && !link.failed) continue;
    if (!custom && link.kind) link.place.fail("kind", "a kind", "no kind: the link exists");
    network::LinkChange change{.from = link.from.text,
                               .to = link.to.text,
                               .failed = link.failed,
                               .where = link.place.where()};
    if (!custom) {
      change.rate = link.rate;
      change.rate_factor = link.rate_factor;
      change.latency = link.latency;
    }
    builder.change(change);
  }
}

}  // namespace

Network read_network(const ConfigValue& table, const std::string& path,
                     const Directories& data_directories) {
  NetworkText text;
  read_fields({table, path}, network_fields(), Sources::kAllowed, text);
  network::Routing routing = network::Routing::kRailAware;
  if (text.routing) routing = known<network::Routing>(text.place, "routing", text.routing->text);
  try {
    network::TopologyBuilder builder = builder_of(text, data_directories);
    change_links(text, builder);
    return {.topology = builder.build(table.where), .routing = routing};
  } catch (const ConfigError& error) {
    if (!error.where().file.empty()) throw;
    throw ConfigError(table.where, path + ": " + error.what());  // of a shape, which knows no file
  }
}

Network load_network(const std::filesystem::path& file, const Directories& data_directories) {
  const ConfigValue tree = read_toml_file(file);
  const ConfigValue* network = tree.find("network");
  if (network == nullptr) {
    throw ConfigError::value(tree.where, "network", "nothing", "a table [network]");
  }
  return read_network(*network, "network", data_directories);
}

}  // namespace septet::config
