// The common end of the commands with a result: files in the result folder, and what is printed.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "tools/septet/options.hpp"
#include "tools/septet/results/result_folder.hpp"
#include "tools/septet/study/provenance.hpp"

namespace septet::command {

// The report at so many columns.
using ReportText = std::function<std::string(std::size_t columns)>;

struct ResultEnd {
  const CommonOptions& common;
  const RunOrigin& origin;
  std::string digest;
  RunCircumstances circumstances;
};

// Writes summary.txt, summary.json and provenance.json and publishes the folder, if there is one;
// prints the text, or with --json `json` and its provenance. What varies from run to run ("wall_s")
// is in no file but provenance.json.
void end_result(const ResultEnd& end, ResultFolder* folder, const ReportText& text,
                nlohmann::ordered_json json);

}  // namespace septet::command
