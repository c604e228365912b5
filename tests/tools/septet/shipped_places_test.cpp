// Where the files are that examples of the help name.
#include "tools/septet/shipped_places.hpp"

#include <fstream>

#include <gtest/gtest.h>

namespace septet::test {
namespace {

namespace fs = std::filesystem;

struct ShippedPlaces : testing::Test {
  ShippedPlaces() {
    fs::create_directories(share / "scenarios");
    fs::create_directories(share / "septet-places");
    std::ofstream(share / "scenarios" / "septet-places-test.toml");
  }
  ~ShippedPlaces() override { fs::remove_all(share); }

  fs::path share = fs::path(testing::TempDir()) / "septet-places-test";
};

TEST_F(ShippedPlaces, FilesOfTheInstallationStandThere) {
  EXPECT_EQ(command::with_places("septet run scenarios/septet-places-test.toml --json", {share}),
            "septet run " + (share / "scenarios/septet-places-test.toml").string() + " --json");
}

TEST_F(ShippedPlaces, DataLieAtTheTop) {
  EXPECT_EQ(command::with_places("septet validate data/septet-places", {"nowhere", share}),
            "septet validate " + (share / "septet-places").string());
}

TEST_F(ShippedPlaces, OtherWordsAndLinesStayAsTheyAre) {
  const std::string text = "septet run mine.toml\n  septet run scenarios/none.toml > data/out";
  EXPECT_EQ(command::with_places(text, {share}), text);
}

}  // namespace
}  // namespace septet::test
