// `septet occupancy`: how many blocks of a kernel an SM holds, what limits them, and how a grid of
// them fills the GPU.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/septet/commands.hpp"
#include "tools/septet/occupancy/occupancy_output.hpp"
#include "tools/septet/occupancy/occupancy_request.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {

int command_occupancy(const std::vector<std::string>& arguments) {
  OccupancyRequest request;
  if (!read_occupancy_request(arguments, request)) return kExitOk;
  const OccupancyAnswer answer = answer_request(request);
  if (request.common.json) {
    using Json = nlohmann::ordered_json;
    // Names from a compiler's report need not be valid UTF-8.
    fmt::print(
        "{}\n",
        answer_json(request.question, answer).dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    fmt::print("{}", answer_text(request.question, answer, describe_terminal(stdout).columns));
  }
  return kExitOk;
}

}  // namespace septet::command
