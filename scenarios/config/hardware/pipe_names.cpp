#include "scenarios/config/hardware/pipe_names.hpp"

namespace septet {

const std::array<PipeName, kPipes>& pipe_names() {
  static constexpr std::array<PipeName, kPipes> kNames = {{
      {Pipe::kFma, "fma", "single-precision multiply-add"},
      {Pipe::kAlu, "alu", "comparisons, logic, single-precision minimum and the like"},
      {Pipe::kImad, "imad", "integer multiply-add, on the FMA pipe"},
      {Pipe::kInteger, "integer", "other integer work, at half rate"},
      {Pipe::kFp64, "fp64", "double precision"},
      {Pipe::kSpecial, "special", "transcendental functions"},
      {Pipe::kTensor, "tensor", "matrix instructions of a warp, 16 x 8 x 16"},
      {Pipe::kShuffle, "shuffle", "warp shuffles"},
      {Pipe::kReduce, "reduce", "warp-wide integer reductions"},
      {Pipe::kMemory, "load_store", "loads and stores, one wavefront each"},
      {Pipe::kBranch, "branch", "branches"},
      {Pipe::kOther, "other", "what only takes issue slots"},
  }};
  return kNames;
}

const char* key_of(Pipe pipe) {
  for (const PipeName& name : pipe_names()) {
    if (name.pipe == pipe) return name.key;
  }
  return "";
}

}  // namespace septet
