#include "scenarios/validate/errors/validation_errors.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/statistics.hpp"
#include "core/files/input.hpp"

namespace septet::validation {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kFewest = 5;

// Billions of parameters, from "llama-3.1-8b" or "Qwen3-14B": the largest number before a "b".
std::optional<double> size_of(const std::string& model) {
  std::optional<double> out;
  for (std::size_t at = 0; at < model.size(); ++at) {
    const bool begins = std::isdigit(static_cast<unsigned char>(model[at])) != 0 &&
                        (at == 0 || std::isalnum(static_cast<unsigned char>(model[at - 1])) == 0);
    if (!begins) continue;
    std::size_t length = 0;
    const double value = std::stod(model.substr(at), &length);
    const std::size_t end = at + length;
    const bool billions = end < model.size() && (model[end] == 'b' || model[end] == 'B');
    if (billions) out = std::max(out.value_or(0), value);
    at = end - 1;
  }
  return out;
}

bool similar_size(const std::string& a, const std::string& b) {
  const std::optional<double> one = size_of(a);
  const std::optional<double> other = size_of(b);
  return one && other && std::abs(std::log2(*one / *other)) <= 1;
}

// "vllm" of "vllm-v1-async" and of "vllm 0.15.1".
std::string family_of(const std::string& engine) {
  const std::string letters = engine.substr(0, engine.find_first_of("- 0123456789"));
  return letters == "trt" || letters == "tensorrt" ? "tensorrt" : letters;
}

struct Likeness {
  const char* text;
  bool gpu;
  bool engine;
  bool size;
};
// From near to far.
constexpr std::array kLikenesses = {
    Likeness{"same GPU, same family of engines, models of similar size", true, true, true},
    Likeness{"same GPU, models of similar size", true, false, true},
    Likeness{"same family of engines, models of similar size", false, true, true},
    Likeness{"same GPU", true, false, false},
    Likeness{"any GPU, engine and model", false, false, false},
};

bool is_like(const ServingError& row, const ServingSetup& setup, const Likeness& likeness) {
  return (!likeness.gpu || row.gpu == setup.gpu) &&
         (!likeness.engine || family_of(row.engine) == family_of(setup.engine)) &&
         (!likeness.size || similar_size(row.model, setup.model));
}

Neighbours summary_of(const std::string& metric, const Likeness& likeness,
                      const std::vector<double>& errors) {
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::abs(error));
  std::vector<double> sorted = errors;
  std::ranges::sort(sizes);
  std::ranges::sort(sorted);
  return {metric,        likeness.text,         errors.size(),
          median(sizes), percentile(sizes, 90), median(sorted)};
}

bool is_metric(const std::string& metric, const std::string& wanted) {
  return metric == wanted || metric.starts_with(wanted + "_");
}

void add_line(const Json& line, ValidationErrors& out) {
  if (line.contains("metric")) {
    out.serving.push_back({line.at("model"), line.at("gpu"), line.at("gpus"), line.at("engine"),
                           line.at("metric"), line.at("error_pct")});
    return;
  }
  out.groups.push_back({line.at("group"), line.at("rows"), line.at("unanswered"),
                        line.at("median_abs_pct"), line.at("p90_abs_pct")});
}

}  // namespace

ValidationErrors read_validation_errors(const std::vector<std::filesystem::path>& data) {
  ValidationErrors out;
  for (const std::filesystem::path& folder : data) {
    const std::filesystem::path file = folder / "fit" / "validation_errors.jsonl";
    if (!std::filesystem::exists(file)) continue;
    std::istringstream lines(files::read_text(file));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      try {
        add_line(Json::parse(line), out);
      } catch (const Json::exception& error) {
        throw ConfigError({file.string(), number}, error.what());
      }
    }
    break;
  }
  return out;
}

std::vector<Neighbours> nearest_rows(const std::vector<ServingError>& rows,
                                     const ServingSetup& setup) {
  std::vector<Neighbours> out;
  for (const char* metric :
       {"ttft", "tpot", "itl", "e2e", "output_tokens_per_s", "requests_per_s"}) {
    for (const Likeness& likeness : kLikenesses) {
      std::vector<double> errors;
      for (const ServingError& row : rows) {
        if (is_metric(row.metric, metric) && is_like(row, setup, likeness)) {
          errors.push_back(row.error_pct);
        }
      }
      if (errors.size() < kFewest) continue;
      out.push_back(summary_of(metric, likeness, errors));
      break;
    }
  }
  return out;
}

std::optional<Neighbours> step_error(const std::vector<ServingError>& rows,
                                     const ServingSetup& setup) {
  const std::vector<Neighbours> all = nearest_rows(rows, setup);
  for (const char* metric : {"tpot", "output_tokens_per_s"}) {
    const auto found = std::ranges::find(all, metric, &Neighbours::metric);
    if (found != all.end()) return *found;
  }
  return std::nullopt;
}

}  // namespace septet::validation
