#include "tools/septet/report/result_reader.hpp"

#include "core/base/error.hpp"
#include "core/files/input.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

Json read_json(const fs::path& file) {
  try {
    return Json::parse(files::read_text(file));
  } catch (const Json::parse_error& error) {
    throw ConfigError({file.string()}, std::string("not JSON: ") + error.what());
  }
}

ResultKind kind_of(const Json& summary, const fs::path& file) {
  if (summary.is_object()) {
    if (summary.contains("feasible")) return ResultKind::kCapacity;
    if (summary.contains("limiter")) return ResultKind::kExplain;
    if (summary.contains("recording")) return ResultKind::kReplay;
    const auto inner = summary.find("summary");
    if (inner != summary.end()) {
      return inner->contains("requests") ? ResultKind::kServing : ResultKind::kRun;
    }
  }
  throw ConfigError::value({file.string()}, "the file", "none of the results that reports know",
                           "the --output-dir of septet run, replay or capacity, or what --json "
                           "printed, also of explain");
}

Json provenance_of(const fs::path& folder, const Json& summary) {
  if (fs::exists(folder / "provenance.json")) return read_json(folder / "provenance.json");
  return summary.contains("provenance") ? summary["provenance"] : Json(nullptr);
}

}  // namespace

Result read_result(const fs::path& path) {
  const bool folder = fs::is_directory(path);
  const bool sweep = folder && fs::exists(path / "sweep.json");
  const fs::path file = sweep ? path / "sweep.json" : folder ? path / "summary.json" : path;
  Result out;
  out.summary = read_json(file);
  out.kind = sweep ? ResultKind::kSweep : kind_of(out.summary, file);
  const fs::path whole = fs::weakly_canonical(path);
  out.name = folder ? whole.filename().string() : whole.stem().string();
  if (folder) {
    out.folder = path;
    out.provenance = provenance_of(path, out.summary);
    if (fs::exists(path / "trace.h5")) out.trace = path / "trace.h5";
  } else if (out.summary.contains("provenance")) {
    out.provenance = out.summary["provenance"];
  }
  return out;
}

}  // namespace septet::command
