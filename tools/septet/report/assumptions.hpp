// What a result rests on: every value of its configuration with source and origin, read from the
// resolved configuration that lies in its trace.
#pragma once

#include <string>
#include <vector>

namespace septet::command {

struct Assumption {
  std::string key;     // "engine.max_num_seqs"
  std::string value;   // as TOML
  std::string text;    // of a text, without its quotes
  std::string source;  // of a number of a profile; empty where it has none
  std::string origin;  // "chat-8b.toml:8", "--set"
};

std::vector<Assumption> assumptions_of(const std::string& scenario_toml);

// A text of the configuration; empty where it isn't there.
std::string text_value(const std::vector<Assumption>& all, const std::string& key);

}  // namespace septet::command
