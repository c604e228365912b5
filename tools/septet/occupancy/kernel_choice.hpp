// Selects kernels in a compiler's report by part of their name and by architecture.
#pragma once

#include <string>
#include <vector>

#include "models/gpu/occupancy/ptxas_report.hpp"

namespace septet::command {

// Reads the file and keeps the kernels whose name or symbol contains `name` and whose architecture
// is `architecture`; an empty text keeps all. Throws ConfigError when the file can't be read or
// when nothing is left, listing what there was.
std::vector<gpu::PtxasFunction> choose_kernels(const std::string& file, const std::string& name,
                                               const std::string& architecture);

}  // namespace septet::command
