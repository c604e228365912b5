// A regular expression (RE2, so in linear time; matched anywhere in the name) over the commands of
// a program.
//
// Kernels are matched by name, copies and memsets by their names in traces ("Memcpy HtoD").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/program/program.hpp"

namespace septet::whatif {

class NamePattern {
 public:
  // `what_if` appears in errors. Throws ConfigError where `regex` is empty or not a regular
  // expression. The program must not gain kernels while the pattern is used.
  NamePattern(const std::string& what_if, const std::string& regex,
              const program::Program& program);

  bool kernel(std::uint32_t kernel) const { return kernels_[kernel]; }
  // A text of the program, such as the name of an operator.
  bool text(std::uint32_t string) const { return string != kNone && strings_[string]; }
  bool launch(const program::Call& call) const;  // a kernel launch whose kernel matches
  bool launch(const program::GraphNode& node) const;
  bool work(const program::Call& call) const;  // the same, or a copy or memset that matches
  bool work(const program::GraphNode& node) const;

  // Throws ConfigError saying that nothing matches, with the kernels whose names are near.
  [[noreturn]] void nothing_matches(const program::Program& program) const;

 private:
  template <class Thing>
  bool memory(const Thing& thing) const;

  std::string what_if_, regex_;
  std::vector<bool> kernels_, strings_;
  bool copies_ = false;  // without a name of their own
  bool memsets_ = false;
};

// Names of kernels with a word like one of `regex`, else the first kernels; shortened, at most
// five.
std::vector<std::string> near_kernels(const std::string& regex, const program::Program& program);

}  // namespace septet::whatif
