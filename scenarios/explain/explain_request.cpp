#include "scenarios/explain/explain_request.hpp"

#include <fmt/format.h>

#include "scenarios/config/configuration.hpp"
#include "scenarios/explain/kernel_file.hpp"

namespace septet::explain {
namespace {

constexpr const char* kDefaultGpu = "h200-sxm";

// The profile for the report's device: the request's, else the device's name, else the default one.
config::Hardware hardware_for(const ExplainRequest& request, const nsight::ProfiledKernel& row,
                              const config::ProfileLibrary& library, Explained& out) {
  std::string name = request.gpu;
  if (name.empty()) name = row.device;
  if (name.empty()) {
    name = kDefaultGpu;
    out.notes.push_back(
        fmt::format("the report names no device, assuming {}; use --gpu to change", name));
  }
  return read_hardware(name, "", request.settings, library,
                       request.gpu.empty() ? "the report's device" : "--gpu");
}

Explained explain_report(const ExplainRequest& request, const config::ProfileLibrary& library) {
  const auto rows = chosen_rows(nsight::read_nsight_report(request.file), request.rows);
  Explained out;
  const config::Hardware hardware = hardware_for(request, rows.front(), library, out);
  std::vector<ConfigError> refused;  // on another GPU a kernel may not fit; counters may be missing
  for (const nsight::ProfiledKernel& row : rows) {
    try {
      out.kernels.push_back(explain_row(hardware.gpu, hardware.host, row));
    } catch (const ConfigError& error) {
      refused.push_back(error);
    } catch (const RangeError& error) {
      refused.emplace_back(row.where, error.what());
    }
  }
  if (out.kernels.empty()) throw refused.front();
  for (const ConfigError& error : refused) {
    out.notes.push_back(fmt::format("{}; skipped", error.what()));
  }
  return out;
}

Explained explain_chosen(const ExplainRequest& request, const config::ProfileLibrary& library) {
  const auto& [file, kernel, op, gpu, rows, settings] = request;
  if (kernel) return {{explain(read_kernel(*kernel, gpu, settings, library))}, {}};
  if (!op.empty()) return {{explain(read_operator(op, gpu, settings, library))}, {}};
  if (names_report(file)) return explain_report(request, library);
  return {{explain(read_kernel_file(file, gpu, settings, library))}, {}};
}

}  // namespace

std::optional<config::Profile> profile_of(const ExplainRequest& request, const std::string& gpu,
                                          const config::ProfileLibrary& library) {
  if (!request.gpu.empty()) {
    return library.find(config::ProfileKind::kGpu, request.gpu, Location{"--gpu"}, "hardware.gpu");
  }
  for (const config::Profile& profile : library.all()) {
    if (profile.kind == config::ProfileKind::kGpu && profile.name == gpu) return profile;
  }
  return std::nullopt;
}

Explained explain_request(const ExplainRequest& request, const config::ProfileLibrary& library) {
  Explained out = explain_chosen(request, library);
  Explanation& first = out.kernels.front();
  if (const auto profile = profile_of(request, first.gpu, library)) {
    const std::vector<std::string> guesses = profile_warnings(*profile);
    first.warnings.insert(first.warnings.begin(), guesses.begin(), guesses.end());
  }
  return out;
}

}  // namespace septet::explain
