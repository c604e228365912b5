#include "models/network/collective/chunks/chunk_simulation.hpp"

#include "models/network/collective/chunks/chunk_run.hpp"

namespace septet {

ChunkResult simulate_chunks(Router& router, const Recipe& recipe, const ChunkWork& work) {
  return ChunkRun(router, recipe, work).run();
}

}  // namespace septet
