#include "tools/septet/hardware_system.hpp"

namespace septet {

SystemSpec system_of(const Hardware& hardware) {
  SystemSpec system;
  system.gpu = hardware.gpu;
  system.host = hardware.host;
  system.connections = hardware.connections;
  return system;
}

}  // namespace septet
