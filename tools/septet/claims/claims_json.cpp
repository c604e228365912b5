#include <nlohmann/json.hpp>

#include "tools/septet/claims/claims_output.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json situation_json(const claims::SituationResult& situation, const claims::Claim& claim) {
  const std::vector<std::string> gpus = claim.gpus();
  Json simulated = Json::object();
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    const std::optional<double>& value = situation.simulated[g];
    simulated[gpus[g]] = {{"value", optional_json(value)},
                          {"matches", value ? Json(claim.figure.matched_by(*value)) : Json()}};
  }
  Json measured;
  if (situation.measured) {
    measured = {{"value", *situation.measured},
                {"matches", claim.figure.matched_by(*situation.measured)}};
  }
  return {{"name", situation.name},
          {"simulated", simulated},
          {"measured", measured},
          {"matched_on", situation.matched_on},
          {"missing", situation.missing}};
}

Json figure_json(const claims::Claim& claim) {
  if (claim.text.situations.empty()) return {};
  return {{"text", figure_text(claim.figure)},
          {"kind", claim.text.claim.kind.text},
          {"least", claim.figure.least},
          {"most", claim.figure.most},
          {"unit", claim.figure.unit}};
}

Json result_json(const claims::ClaimResult& result) {
  const claims::Claim& claim = result.claim;
  Json situations = Json::array();
  for (const claims::SituationResult& situation : result.situations) {
    situations.push_back(situation_json(situation, claim));
  }
  const bool fits = result.verdict == claim.written;
  return {{"name", claim.name},
          {"file", claim.file.string()},
          {"text", claim.text.claim.text},
          {"figure", figure_json(claim)},
          {"premises", claim.text.claim.premises},
          {"gpus", claim.text.claim.gpus},
          {"situations", situations},
          {"verdict", name_of(result.verdict)},
          {"holds_when", result.matched_situations()},
          {"reason", fits ? Json(claim.text.claim.reason) : Json()}};
}

}  // namespace

Json claims_json(const std::vector<claims::ClaimResult>& results) {
  Json claims = Json::array();
  Json verdicts = Json::object();
  for (const claims::ClaimResult& result : results) {
    claims.push_back(result_json(result));
    Json& count = verdicts[name_of(result.verdict)];
    count = (count.is_null() ? 0 : count.get<int>()) + 1;
  }
  return {{"claims", claims}, {"verdicts", verdicts}};
}

}  // namespace septet::command
