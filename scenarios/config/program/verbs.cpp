// Actions of a step or node, and the keys that go with each.
#include <algorithm>

#include "scenarios/config/program/scenario_fields.hpp"
#include "scenarios/config/toml/near_miss.hpp"

namespace septet::config {

const std::vector<Verb>& step_verbs() {
  static const std::vector<Verb> verbs = {
      {"launch", {"stream", "times", "duration", "cost", "label", "programmatic"}},
      {"launch_graph", {"stream", "times", "cost", "label"}},
      {"upload_graph", {"stream", "cost", "label"}},
      {"instantiate_graph", {"cost", "label"}},
      {"copy", {"direction", "stream", "times", "pinned", "blocking", "duration", "cost", "label"}},
      {"memset", {"stream", "times", "duration", "cost", "label"}},
      {"record", {"stream", "cost", "label"}},
      {"wait", {"stream", "cost", "label"}},
      {"synchronize_event", {"cost", "label"}},
      {"synchronize_stream", {"cost", "label"}},
      {"synchronize_device", {"cost", "label"}},
      {"collective",
       {"communicator", "bytes", "stream", "times", "peer", "data_type", "algorithm", "protocol",
        "channels", "duration", "cost", "label"}},
      {"host_work", {"label", "times"}},
      {"api", {"cost", "times"}},
      {"post", {}},
      {"await", {"posts"}},
      {"push", {"items", "item_time", "times"}},
      {"await_items", {"items"}},
      {"marker", {}},
      {"repeat", {"steps"}},
  };
  return verbs;
}

const std::vector<Verb>& node_verbs() {
  static const std::vector<Verb> verbs = {
      {"kernel", {"name", "after", "label", "duration", "programmatic"}},
      {"copy", {"name", "after", "label", "duration", "direction"}},
      {"memset", {"name", "after", "label", "duration"}},
      {"graph", {"name", "after", "label"}},
      {"host", {"name", "after", "label"}},
      {"empty", {"name", "after", "label"}},
  };
  return verbs;
}

const Verb& verb_of(const Place& place, const std::vector<Verb>& verbs) {
  std::vector<std::string> keys;
  const Verb* found = nullptr;
  for (const Verb& verb : verbs) {
    keys.push_back(verb.key);
    if (!place.has(verb.key)) continue;
    if (found != nullptr) {
      place.fail(verb.key, "a second action besides '" + found->key + "'",
                 "a separate step for each");
    }
    found = &verb;
  }
  if (found == nullptr) place.fail("", "no action", "one of: " + listed(keys));
  for (const ConfigEntry& entry : *place.table->table()) {
    const auto& takes = found->takes;
    const bool known =
        entry.key == found->key || std::find(takes.begin(), takes.end(), entry.key) != takes.end();
    if (!known) {
      throw ConfigError::value(entry.key_where, joined(place.path, entry.key),
                               "a key that '" + found->key + "' doesn't take",
                               takes.empty() ? "no other key" : "one of: " + listed(takes));
    }
  }
  return *found;
}

}  // namespace septet::config
