// A kernel described in a TOML file (README.md shows one), and the hardware that it is asked about.
#pragma once

#include <string>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/host/host_spec.hpp"
#include "scenarios/config/profile.hpp"
#include "scenarios/config/scenario_text.hpp"
#include "scenarios/explain/kernel_description.hpp"

namespace septet {

struct ExplainQuestion {
  GpuSpec gpu;
  HostSpec host;
  KernelDescription kernel;
};

// `gpu`: a profile by name or alias; empty: the file's [hardware], else h200-sxm. `settings`: the
// "key=value" of each --set. Throws ConfigError, also where not one block fits an SM.
ExplainQuestion read_kernel_file(const std::string& file, const std::string& gpu,
                                 const std::vector<std::string>& settings,
                                 const ProfileLibrary& library);
// The same of a configuration that has been read; `file` is its root.
ExplainQuestion read_kernel(const ConfigValue& file, const std::string& gpu,
                            const std::vector<std::string>& settings,
                            const ProfileLibrary& library);

// The kernel of one table with its segments, on `gpu`. Throws as above.
KernelDescription describe_kernel(const KernelText& kernel,
                                  const std::vector<SegmentText>& segments, const GpuSpec& gpu);

// The field reference of such files, as Markdown: what is not in that of scenario files.
std::string kernel_file_reference();

}  // namespace septet
