// Claims as text, and the GPUs that they are tried on.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "scenarios/claims/claim_result.hpp"
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/config/toml/toml_reader.hpp"

namespace septet::claims {

inline const std::filesystem::path kClaimsSource = SEPTET_SOURCE_DIRECTORY;

// A claim of a speedup of 2 with a tolerance of 0.1; `more`: kernels and situations, from line 9
// on.
inline std::string claim_text(const std::string& more, const std::string& gpus = "\"h200-sxm\"") {
  return "[claim]\ntext = \"t\"\nkind = \"speedup\"\nfigure = 2\ntolerance = 0.1\ngpus = [" + gpus +
         "]\nverdict = \"holds\"\nreason = \"r\"\n" + more;
}

inline Claim claim_of(const std::string& text) {
  return read_claim(config::read_toml(text, "c.toml"), "c.toml");
}

inline std::string claim_mistake(const std::string& text) {
  try {
    claim_of(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no mistake";
}

inline ClaimGpu claim_gpu(const std::string& name) {
  static const config::ProfileLibrary library({kClaimsSource / "data"});
  const config::Configuration configuration = hardware_configuration(name, "", {}, library, "test");
  const config::Hardware hardware = read_hardware(configuration);
  ClaimGpu out{name, configuration.resolved, {}};
  out.system.gpu = hardware.gpu;
  out.system.host = hardware.host;
  return out;
}

inline ClaimResult evaluated(const std::string& text, const std::filesystem::path& data) {
  const Claim claim = claim_of(text);
  std::vector<ClaimGpu> gpus;
  for (const std::string& name : claim.gpus()) gpus.push_back(claim_gpu(name));
  std::vector<const ClaimGpu*> pointers;
  for (const ClaimGpu& gpu : gpus) pointers.push_back(&gpu);
  Measurements measurements({data});
  return evaluate(claim, pointers, measurements);
}

inline ClaimResult evaluated(const std::string& text) {
  return evaluated(text, kClaimsSource / "data");
}

}  // namespace septet::claims
