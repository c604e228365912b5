// What the tests of the configuration share: the shipped profiles, and scenarios as text.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "tests/support/profile_names.hpp"

namespace septet::config {

inline const ProfileLibrary& shipped_profiles() {
  static const ProfileLibrary library({std::string(SEPTET_SOURCE_DIRECTORY) + "/data"});
  return library;
}

inline std::vector<Scenario> variations_of(const Configuration& base) {
  return read_variations(base, read_scenario(base).what_ifs, shipped_profiles());
}

// A stream, a kernel and a thread whose steps are `steps`; line 10 holds the steps.
inline std::string scenario_with(const std::string& steps, const std::string& more = "") {
  return "[hardware]\ngpu = \"h200-sxm\"\n[[stream]]\nname = \"s\"\n[[kernel]]\n"
         "name = \"k\"\ngrid = 1\nblock = 32\nblock_time = \"1 us\"\n" +
         more + "[[thread]]\nname = \"t\"\nsteps = [" + steps + "]\n";
}

inline Configuration configuration_of(const std::string& text,
                                      const std::vector<std::string>& settings = {}) {
  return resolve(read_toml(text, "test.toml"), settings, shipped_profiles());
}

inline Scenario scenario_of(const std::string& text,
                            const std::vector<std::string>& settings = {}) {
  return read_scenario(configuration_of(text, settings));
}

// The message of the ConfigError that `action` throws.
template <class Action>
std::string mistake(Action action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no mistake";
}

inline std::string mistake_in(const std::string& text,
                              const std::vector<std::string>& settings = {}) {
  return mistake([&] { scenario_of(text, settings); });
}

}  // namespace septet::config
