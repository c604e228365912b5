// The values of a result as a list of keys: "summary.kernels[gemm].time_us".
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

namespace septet::command {

using ResultValue = std::variant<double, std::string>;
using ResultValues = std::vector<std::pair<std::string, ResultValue>>;

// In the order of the document. Entries of a list are named by their "name" where each has one and
// none twice, else by their place, from 0. Null is no value; true and false are texts.
ResultValues values_of(const nlohmann::ordered_json& json);

// `path`: a result folder, of which summary.json is read, or a file that --json printed. Throws
// ConfigError where it can't be read or is no JSON object.
ResultValues read_values(const std::string& path);

}  // namespace septet::command
