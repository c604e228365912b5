#include "tools/septet/hardware_system.hpp"

namespace septet {

SystemSpec system_of(const Hardware& hardware) {
  SystemSpec system;
  system.gpu = hardware.gpu;
  system.host = hardware.host;
  system.connections = hardware.connections;
  system.mps = hardware.mps;
  system.sm_shares = hardware.sm_shares;
  system.network = hardware.network;
  system.traced_gpus = hardware.traced_gpus;
  return system;
}

RunOptions options_of(const RunSettings& run, unsigned threads) {
  RunOptions options;
  options.threads = threads;
  options.seed = run.seed;
  if (run.end) options.end = Instant() + *run.end;
  return options;
}

}  // namespace septet
