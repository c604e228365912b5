// The results that a report is about: folders of --output-dir, of sweeps too, or files of
// --json.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "core/base/enum_texts.hpp"

namespace septet::command {

enum class ResultKind : std::uint8_t { kCapacity, kServing, kReplay, kRun, kExplain, kSweep };
constexpr auto enum_table(std::type_identity<ResultKind>) {
  return enum_texts<ResultKind>("capacity search", "serving run", "replay", "run", "kernel",
                                "sweep");
}

struct Result {
  std::string name;  // of the folder or file
  ResultKind kind = ResultKind::kRun;
  nlohmann::ordered_json summary;
  nlohmann::ordered_json provenance;             // null where there is none
  std::filesystem::path folder{};                // empty where it is a file
  std::optional<std::filesystem::path> trace{};  // trace.h5
};

// Throws ConfigError where nothing is there that a report can be made of.
Result read_result(const std::filesystem::path& path);

}  // namespace septet::command
