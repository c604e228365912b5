// `septet explain`: where the time of a kernel or operator goes, by stage, and what would make it
// faster.
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/config/kernels/operator_text.hpp"
#include "scenarios/explain/explain_request.hpp"
#include "scenarios/explain/operator_help.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/explain/explain_output.hpp"
#include "tools/septet/explain/explain_plots.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/study/provenance.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

constexpr const char* kCommand = "septet explain";

struct Request {
  CommonOptions common;
  std::vector<std::string> files;  // at most one
  explain::ExplainRequest what;
  std::string plots;
};

CommandHelp help() {
  return {
      kCommand,
      "KERNEL.toml [options]\n"
      "       septet explain REPORT.csv [--id N | --kernel NAME] [options]\n"
      "       septet explain --op NAME --m N ... [options]",
      "Shows a kernel's time in each of the seven stages, from the launch call to the last\n"
      "memory access; what limits it; the metrics that a profiler would show; and which changes\n"
      "would make it faster, each of them simulated. The kernel is described in a file\n"
      "(scenarios/KERNELS.md), taken from an Nsight Compute report in CSV (raw page or long form;\n"
      "without --id and --kernel: a table of all rows), or an operator of a model:\n\n" +
          explain::operator_list(),
      "septet explain scenarios/shipped/kernels/vector-add.toml\n"
      "  septet explain scenarios/shipped/kernels/register-heavy-fma.toml --set "
      "kernel.registers=64\n"
      "  septet explain data/measurements/h200/kernels/gpt2-1-128.csv --id 3\n"
      "  septet explain --op gemm --m 4096 --n 4096 --k 4096 --dtype bf16 --gpu h100-sxm\n"
      "  septet explain --op attention_decode --batch 16 --heads 32 --kv-heads 8 --kv 4096 --dim "
      "128"};
}

void add_operator_flags(Options& options, Request& request) {
  for (const config::FieldText& field : operator_keys(config::OperatorForm::kQuestion)) {
    const bool flag = field.type == "true or false";
    options.value(explain::flag_of(field.key),
                  flag                ? "true|false"
                  : field.key == "op" ? "NAME"
                                      : "VALUE",
                  field.description, [&request, key = field.key](const std::string& text) {
                    request.what.op.push_back(fmt::format("{}={}", key, text));
                  });
  }
}

bool read_options(const std::vector<std::string>& arguments, Request& request) {
  Options options(help());
  options.positionals("FILE", request.files, 0);
  options.text("gpu", "NAME|FILE.toml", request.what.gpu,
               "profile of the GPU (default: the file's or report's, else h200-sxm)");
  options.value("id", "N", "report: the row with this ID",
                [&request](const std::string& text) { request.what.rows.id = text; });
  options.value("kernel", "NAME", "report: rows whose kernel name contains this",
                [&request](const std::string& text) { request.what.rows.kernel = text; });
  options.text("plots", "FOLDER", request.plots,
               "write roofline.svg and stages.svg to this folder");
  add_operator_flags(options, request);
  options.common(request.common, {Common::kJson, Common::kSet});
  return options.parse(arguments);
}

// What goes together: one file or an operator, and a report's options with a report.
void check(const Request& request) {
  const bool op = !request.what.op.empty();
  if (request.files.size() + (op ? 1 : 0) != 1) {
    throw UsageError("wanted one file, or --op NAME with a shape", kCommand);
  }
  const bool rows = request.what.rows.id || request.what.rows.kernel;
  if (rows && (op || !explain::names_report(request.files.front()))) {
    throw UsageError("--id and --kernel are only for reports (REPORT.csv)", kCommand);
  }
  if (op &&
      !std::ranges::any_of(request.what.op, [](const auto& w) { return w.starts_with("op="); })) {
    throw UsageError("--op is missing", kCommand);
  }
}

// The files that were named, and the profile, where it is one of the library or a file.
RunOrigin origin_of(const Request& request, const std::string& gpu,
                    const config::ProfileLibrary& library) {
  RunOrigin origin;
  const std::string role =
      request.files.empty() || !explain::names_report(request.files.front()) ? "kernel" : "report";
  origin.inputs = input_records({request.files.begin(), request.files.end()}, role);
  origin.gpu = gpu;
  origin.settings = request.common.settings;
  if (const auto profile = profile_of(request.what, gpu, library)) {
    origin.host = profile->default_host;
    origin.inputs.push_back(input_record(profile->file, "GPU profile"));
  }
  return origin;
}

void print(const Request& request, const std::vector<explain::Explanation>& all,
           const nlohmann::ordered_json& provenance) {
  const bool table = all.size() > 1;
  if (request.common.json) {
    nlohmann::ordered_json json = table ? rows_json(all) : explain_json(all.front());
    json["provenance"] = provenance;
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return;
  }
  const Terminal terminal = describe_terminal(stdout);
  fmt::print("{}", table ? rows_text(all, terminal.columns)
                         : explain_text(all.front(), terminal.columns, terminal.color));
}

std::vector<std::string> warnings_of(const std::vector<explain::Explanation>& all) {
  std::vector<std::string> out;
  for (const explain::Explanation& one : all) {
    out.insert(out.end(), one.warnings.begin(), one.warnings.end());
  }
  return out;
}

}  // namespace

int command_explain(const std::vector<std::string>& arguments) {
  Request request;
  if (!read_options(arguments, request)) return kExitOk;
  const CommandClock clock("explain", arguments, request.common.threads);
  check(request);
  const config::ProfileLibrary library(config::data_directories());
  if (!request.files.empty()) request.what.file = request.files.front();
  request.what.settings = request.common.settings;
  const explain::Explained explained = explain_request(request.what, library);
  const std::vector<explain::Explanation>& all = explained.kernels;
  for (const std::string& note : explained.notes) fmt::print(stderr, "septet: note: {}\n", note);
  print_warnings(warnings_of(all));
  if (!request.plots.empty()) write_plots(request.plots, all);
  print(request, all,
        provenance_json(origin_of(request, all.front().gpu, library), "", clock.so_far()));
  return kExitOk;
}

}  // namespace septet::command
