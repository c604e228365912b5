// A kernel or operator described in a TOML file (see KERNELS.md for both), and the hardware.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/host/host_spec.hpp"
#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/program/scenario_text.hpp"
#include "scenarios/explain/explain.hpp"
#include "scenarios/explain/kernel_description.hpp"
#include "scenarios/explain/operator_help.hpp"

namespace septet::explain {

// Not one block of the kernel fits on an SM.
class BlockDoesNotFit : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

struct ExplainQuestion {
  gpu::GpuSpec gpu;
  host::HostSpec host;
  KernelDescription kernel;
  std::optional<config::WrittenOperator> op;        // instead of a kernel
  std::shared_ptr<const config::ConfigValue> text;  // in which `op` has its place
};

// `gpu`: a profile by name or alias; empty: the file's [hardware], else h200-sxm. `settings`: the
// "key=value" of each --set. Throws ConfigError, and BlockDoesNotFit.
ExplainQuestion read_kernel_file(const std::string& file, const std::string& gpu,
                                 const std::vector<std::string>& settings,
                                 const config::ProfileLibrary& library);
// The same of a configuration that has been read; `file` is its root.
ExplainQuestion read_kernel(const config::ConfigValue& file, const std::string& gpu,
                            const std::vector<std::string>& settings,
                            const config::ProfileLibrary& library);

// The kernel of one table with its segments, on `gpu`. Throws as above.
KernelDescription describe_kernel(const config::KernelText& kernel,
                                  const std::vector<config::SegmentText>& segments,
                                  const gpu::GpuSpec& gpu);

// An operator on the command line: `flags` are "m=4096" and the like, each from its flag --m.
ExplainQuestion read_operator(const std::vector<std::string>& flags, const std::string& gpu,
                              const std::vector<std::string>& settings,
                              const config::ProfileLibrary& library);

Explanation explain(const ExplainQuestion& question);

// The field reference of such files, as Markdown: what is not in that of scenario files.
std::string kernel_file_reference();

}  // namespace septet::explain
