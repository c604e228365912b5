// Damaged scenarios: whatever the damage, the answer is a ConfigError or a scenario that holds
// together, never a crash, another exception or a reader that doesn't end.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/random.hpp"
#include "tests/scenarios/config/testing.hpp"

namespace septet::config {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 20261129;

std::vector<std::string> shipped_texts() {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(SEPTET_SOURCE_DIRECTORY) / "scenarios" / "shipped";
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> out;
  for (const fs::path& file : files) {
    if (file.extension() != ".toml") continue;
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    out.push_back(text.str());
  }
  return out;
}

// True where the text could be read; the program then obeys its own rules.
bool survives(const std::string& text) {
  try {
    const Scenario scenario = scenario_of(text);
    check(scenario.program);
    return true;
  } catch (const ConfigError& error) {
    EXPECT_FALSE(error.where().file.empty()) << error.what();
    return false;
  }
}

TEST(Fuzz, SurvivesFlippedBytes) {
  int damaged = 0;
  for (const std::string& original : shipped_texts()) {
    ASSERT_TRUE(survives(original));
    for (std::uint32_t round = 0; round < 400; ++round) {
      RandomStream random({kSeed, round, 1});
      std::string text = original;
      for (std::uint64_t i = 0; i <= random.below(3); ++i) {
        text[random.below(text.size())] = static_cast<char>(random.below(256));
      }
      SCOPED_TRACE("seed " + std::to_string(kSeed) + ", round " + std::to_string(round));
      damaged += survives(text) ? 0 : 1;
    }
  }
  EXPECT_GT(damaged, 100);  // the flips do damage something
}

TEST(Fuzz, SurvivesTruncation) {
  for (const std::string& original : shipped_texts()) {
    for (std::size_t length = 0; length < original.size(); length += 7) {
      SCOPED_TRACE("length " + std::to_string(length));
      survives(original.substr(0, length));
    }
  }
}

// Pieces moved to where they don't belong reach further than single bytes.
TEST(Fuzz, SurvivesSwappedPieces) {
  for (const std::string& original : shipped_texts()) {
    for (std::uint32_t round = 0; round < 200; ++round) {
      RandomStream random({kSeed, round, 2});
      const std::size_t from = random.below(original.size());
      const std::size_t length = random.below(40);
      std::string text = original;
      text.insert(random.below(original.size()), original.substr(from, length));
      SCOPED_TRACE("seed " + std::to_string(kSeed) + ", round " + std::to_string(round));
      survives(text);
    }
  }
}

// `parts` times "a", with dots between them.
std::string dotted_key(int parts) {
  std::string out = "a";
  for (int i = 1; i < parts; ++i) out += ".a";
  return out;
}

TEST(Fuzz, SurvivesDeepNesting) {
  EXPECT_FALSE(survives("a = " + std::string(100'000, '[')));
  EXPECT_FALSE(survives("[" + dotted_key(100'000) + "]\n"));
  EXPECT_FALSE(survives("a = " + std::string(100, '[') + std::string(100, ']')));
  const std::string text =
      scenario_with("{ launch = \"k\" }",
                    "[[what_if]]\nname = \"w\"\nset = { \"" + dotted_key(100'000) + "\" = 1 }\n");
  const Configuration base = configuration_of(text);
  EXPECT_EQ(mistake([&] { variations_of(base); }),
            "test.toml:12:9: got a key of more than 32 parts, wanted at most 32");
}

// Not at the limit, but one beyond it: 32 parts, and 64 lists inside the table of the file.
TEST(Fuzz, MeetsTheLimitsOfDepthExactly) {
  const auto reading = [](const std::string& text) {
    return mistake([&] { read_toml(text, "test.toml"); });
  };
  EXPECT_EQ(reading(dotted_key(32) + " = 1"), "no mistake");
  EXPECT_EQ(reading(dotted_key(33) + " = 1"),
            "test.toml:1:64: got a key of more than 32 parts, wanted at most 32");
  EXPECT_EQ(reading("a = " + std::string(64, '[') + std::string(64, ']')), "no mistake");
  EXPECT_EQ(reading("a = " + std::string(64, '[') + "1" + std::string(64, ']')),
            "test.toml:1:69: got a value inside more than 64 others, wanted fewer");
}

}  // namespace
}  // namespace septet::config
