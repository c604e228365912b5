// `septet explain`: where a kernel's time goes, by stage, and what would make it faster.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "scenarios/explain/kernel_file.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/explain/explain_output.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/terminal.hpp"

namespace septet {
namespace {

struct Request {
  CommonOptions common;
  std::string file;
  std::string gpu;
};

bool read_options(const std::vector<std::string>& arguments, Request& request) {
  Options options(
      {"septet explain", "KERNEL.toml [options]",
       "Says how long a kernel takes in each of the seven stages, from the launch call to the "
       "last\n"
       "memory access; what limits it; the metrics that a profiler would show; and which changes\n"
       "would make it faster, each of them simulated. scenarios/KERNELS.md says how a kernel is\n"
       "described.",
       "septet explain scenarios/shipped/kernels/vector-add.toml\n"
       "  septet explain scenarios/shipped/kernels/register-heavy-fma.toml --set "
       "kernel.registers=64"});
  options.positional("KERNEL.toml", request.file);
  options.text("gpu", "NAME|FILE.toml", request.gpu,
               "profile of the GPU (default: the file's, else h200-sxm)");
  options.common(request.common, {Common::kJson, Common::kSet});
  return options.parse(arguments);
}

}  // namespace

int command_explain(const std::vector<std::string>& arguments) {
  Request request;
  if (!read_options(arguments, request)) return kExitOk;
  const ProfileLibrary library(data_directories());
  const ExplainQuestion question =
      read_kernel_file(request.file, request.gpu, request.common.settings, library);
  const Explanation explanation = explain(question.gpu, question.host, question.kernel);
  for (const std::string& warning : explanation.warnings) {
    fmt::print(stderr, "septet: warning: {}\n", warning);
  }
  if (request.common.json) {
    using Json = nlohmann::ordered_json;
    fmt::print("{}\n",
               explain_json(explanation).dump(2, ' ', false, Json::error_handler_t::replace));
    return kExitOk;
  }
  const Terminal terminal = describe_terminal(stdout);
  fmt::print("{}", explain_text(explanation, terminal.columns, terminal.color));
  return kExitOk;
}

}  // namespace septet
