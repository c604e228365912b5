// The system on which data/measurements/h200 was measured.
#pragma once

#include <string>

#include "scenarios/config/configuration.hpp"
#include "scenarios/system/system.hpp"

namespace septet::test {

inline const std::string& measurements_folder() {
  static const std::string kFolder = std::string(SEPTET_SOURCE_DIR) + "/data/measurements/h200/";
  return kFolder;
}

inline system::SystemSpec h200() {
  const config::ProfileLibrary library({std::string(SEPTET_SOURCE_DIR) + "/data"});
  const config::Hardware hardware = read_hardware("h200-sxm", "", {}, library, "the test");
  system::SystemSpec system;
  system.gpu = hardware.gpu;
  system.host = hardware.host;
  return system;
}

}  // namespace septet::test
