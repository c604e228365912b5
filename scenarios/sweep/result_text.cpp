#include "scenarios/sweep/result_text.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

namespace septet::sweep {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const OutputValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const double number = std::get<double>(value);
  return std::isnan(number) ? Json(nullptr) : Json(number);
}

OutputValue value_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

}  // namespace

std::string result_text(const std::string& point, const PointResult& result) {
  Json values = Json::array();
  for (const OutputValue& value : result.values) values.push_back(json_of(value));
  return Json::array({point, text_of(result.status), std::move(values), result.message})
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

NamedResult read_result(const std::string& text) {
  const Json line = Json::parse(text);
  PointResult out;
  out.status = from_text<Status>(line.at(1).get<std::string>()).value();
  for (const Json& value : line.at(2)) out.values.push_back(value_of(value));
  out.message = line.at(3).get<std::string>();
  return {line.at(0).get<std::string>(), std::move(out)};
}

}  // namespace septet::sweep
