// Reads what the compiler says of each kernel's resources: `ptxas -v`, `nvcc -Xptxas -v` or
// `nvcc --resource-usage`, as CUDA 11 to 13 spell it, and `nvlink -v`. Lines of other programs in
// between (a build log) are passed over. With relocatable device code ptxas leaves out the shared
// memory and only the linker's report has it: read that one then.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/program/kernel.hpp"

namespace septet::gpu {

struct PtxasFunction {
  std::string symbol;        // as in the object file
  std::string name;          // demangled; the symbol where it isn't a C++ one
  std::string architecture;  // "sm_90"; empty where the report names none
  bool entry = false;        // a kernel; else a device function, of which only the stack is known
  std::uint32_t registers = 0;
  std::uint32_t barriers = 0;
  Bytes static_shared{};
  Bytes constants{};  // of all constant banks
  Bytes local{};      // CUDA 11's "lmem"
  Bytes stack_frame{};
  Bytes cumulative_stack{};
  Bytes spill_stores{};
  Bytes spill_loads{};
  std::int64_t line = 0;  // where the report starts to speak of it
};

// Functions in the order of the report, one for each architecture. `file` is for messages. Throws
// ConfigError with the line when a number can't be read, when resources belong to no function, when
// the report ends before a kernel's registers, or when it contains no kernel.
std::vector<PtxasFunction> read_ptxas_report(const std::string& text, const std::string& file);

// The shape of a launch of this kernel.
program::LaunchShape shape_of(const PtxasFunction& kernel, program::Dim3 grid, program::Dim3 block,
                              Bytes dynamic_shared);

// "void scale<float, 256>(float*, float)" for "_Z5scale..."; the symbol itself if it isn't mangled.
std::string demangled(const std::string& symbol);

}  // namespace septet::gpu
