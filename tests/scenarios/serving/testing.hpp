// Serving scenarios as text.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/serving/serving_case.hpp"

namespace septet::serving {

inline const std::filesystem::path kSource = SEPTET_SOURCE_DIRECTORY;

inline const Libraries& shipped_libraries() {
  static const Libraries libraries({kSource / "data"});
  return libraries;
}

// What every test needs; `more` begins in line 10.
inline std::string scenario_text(const std::string& more = "") {
  return "[arrivals]\nrate = 5\nrequests = 20\ninput = { tokens = 100 }\noutput = { tokens = 10 }\n"
         "[hardware]\ngpu = \"h100-sxm\"\n"
         "[serving]\nmodel = \"llama-3.1-8b\"\nengine = \"vllm-v1\"\n" +
         more;
}

inline ServingConfiguration configuration_of(const std::string& text,
                                             const std::vector<std::string>& settings = {}) {
  return resolve_serving(config::read_toml(text, "s.toml"), settings, shipped_libraries());
}

inline ServingCase case_of_text(const std::string& text,
                                const std::vector<std::string>& settings = {}) {
  return case_of(configuration_of(text, settings), shipped_libraries());
}

inline std::string mistake_of(const std::string& text,
                              const std::vector<std::string>& settings = {}) {
  try {
    case_of_text(text, settings);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no mistake";
}

}  // namespace septet::serving
