// The names of one kind of thing in a scenario.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/config/fields/field.hpp"

namespace septet::config {

// A name stands for one index or, as the name of a group, for several.
class NameTable {
 public:
  explicit NameTable(std::string kind) : kind_(std::move(kind)) {}  // "a kernel"

  // Throws if the name is already taken.
  void add(const Name& name, const std::string& path, std::vector<std::uint32_t> indices);

  // Throws, listing near misses, where there is no such name.
  const std::vector<std::uint32_t>& find(const Name& name, const std::string& path) const;

  bool has(const std::string& name) const { return entries_.count(name) > 0; }

 private:
  struct Entry {
    Location where;
    std::vector<std::uint32_t> indices;
  };

  std::string kind_;
  std::map<std::string, Entry> entries_;
  std::vector<std::string> order_;
};

}  // namespace septet::config
