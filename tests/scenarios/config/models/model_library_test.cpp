// The shipped models: all are read, and have as many parameters as their makers say.
#include "scenarios/config/models/model_library.hpp"

#include <gtest/gtest.h>

namespace septet::testing {
namespace {

const config::ModelLibrary& library() {
  static const config::ModelLibrary models({std::string(SEPTET_SOURCE_DIRECTORY) + "/data"});
  return models;
}

struct Stated {
  const char* model;
  double total;   // 10^9
  double active;  // of a token; 0: not stated
};

// Model cards of the repositories; GPT-3: table 2.1 of its paper. Names round: 4 %.
constexpr Stated kStated[] = {
    {"llama-2-7b", 6.74, 0},        {"llama-2-13b", 13.0, 0},
    {"llama-2-70b", 69.0, 0},       {"llama-3.1-8b", 8.03, 0},
    {"llama-3.1-70b", 70.6, 0},     {"llama-3.1-405b", 405.8, 0},
    {"llama-3.2-1b", 1.24, 0},      {"llama-3.2-3b", 3.21, 0},
    {"codellama-34b", 33.7, 0},     {"llama-4-scout", 109, 17},
    {"llama-4-maverick", 400, 17},  {"qwen2.5-0.5b", 0.49, 0},
    {"qwen2.5-7b", 7.61, 0},        {"qwen2.5-14b", 14.7, 0},
    {"qwen2.5-32b", 32.5, 0},       {"qwen2.5-72b", 72.7, 0},
    {"qwen3-8b", 8.2, 0},           {"qwen3-14b", 14.8, 0},
    {"qwen3-32b", 32.8, 0},         {"qwen3-30b-a3b", 30.5, 3.3},
    {"qwen3-235b-a22b", 235, 22},   {"qwen3-coder-480b-a35b", 480, 35},
    {"mistral-7b", 7.24, 0},        {"mistral-nemo", 12.2, 0},
    {"mistral-small-24b", 23.6, 0}, {"mistral-large-123b", 123, 0},
    {"mixtral-8x7b", 46.7, 12.9},   {"mixtral-8x22b", 141, 39},
    {"deepseek-v3", 671, 37},       {"kimi-k2", 1026, 32},
    {"gpt-oss-20b", 20.9, 3.6},     {"gpt-oss-120b", 116.8, 5.1},
    {"glm-4.5", 355, 32},           {"glm-4.5-air", 106, 12},
    {"glm-4.6", 355, 32},           {"falcon-7b", 7.2, 0},
    {"falcon-40b", 41.8, 0},        {"falcon-180b", 180, 0},
    {"gpt-j-6b", 6.05, 0},          {"gpt-2", 0.124, 0},
    {"gpt-2-xl", 1.56, 0},          {"gpt-3-6.7b", 6.7, 0},
    {"gpt-3-175b", 175, 0},
};

TEST(ModelLibrary, ModelsHaveTheParametersThatTheirMakersState) {
  for (const Stated& stated : kStated) {
    const transformer::Model model = library().find(stated.model, {}, "model");
    EXPECT_NEAR(total_parameters(model) / 1e9 / stated.total, 1, 0.04) << stated.model;
    if (stated.active == 0) continue;
    EXPECT_NEAR(active_parameters(model) / 1e9 / stated.active, 1, 0.12) << stated.model;
  }
}

TEST(ModelLibrary, FindsModelsByTheNameOfTheirRepositoryInAnyCase) {
  EXPECT_EQ(library().find("META-LLAMA/llama-3.1-8b-instruct", {}, "model").name, "llama-3.1-8b");
}

TEST(ModelLibrary, NamesTheNearestOfAnUnknownOne) {
  try {
    library().find("llama-3.1-9b", {"here.toml", 3, 0, -1}, "model");
    FAIL() << "found";
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("here.toml:3: model: got \"llama-3.1-9b\""), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean 'llama-3.1-8b'"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace septet::testing
