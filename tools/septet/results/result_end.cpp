#include "tools/septet/results/result_end.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kColumnsOfFile = 100;

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void end_result(const ResultEnd& end, ResultFolder* folder, const ReportText& text, Json json) {
  const Json provenance = provenance_json(end.origin, end.digest, end.circumstances);
  if (folder != nullptr) {
    Json same = json;
    same.erase("wall_s");
    same["provenance"] = origin_json(end.origin, end.digest);
    folder->add_file("summary.txt", text(kColumnsOfFile) + "\n" + origin_text(end.origin));
    folder->add_file("summary.json", dumped(same));
    folder->add_file("provenance.json", dumped(provenance));
    folder->publish();
  }
  json["provenance"] = provenance;
  fmt::print("{}", end.common.json ? dumped(json) : text(describe_terminal(stdout).columns));
}

}  // namespace septet::command
