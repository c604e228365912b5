// Sweeps: what a description expands to, and that results don't depend on how they were made.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/files/input.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/sweep/result_table.hpp"
#include "scenarios/sweep/run_sweep.hpp"

namespace septet::sweep {
namespace {

namespace fs = std::filesystem;

const fs::path kData = fs::path(SEPTET_SOURCE_DIR) / "data";

const std::string kScenario = R"(
[hardware]
gpu = "h200-sxm"
[[stream]]
name = "main"
[[kernel]]
name = "work"
grid = 16
block = 256
block_time = "5 us"
[[thread]]
name = "cpu"
steps = [{ launch = "work", stream = "main", times = 5 }, { synchronize_stream = "main" }]
)";

// A scenario with a table [sweep], and all that belongs to it.
struct Case {
  explicit Case(const std::string& sweep)
      : file(config::read_toml(kScenario + sweep, "sweep.toml")), text(read_sweep(file)) {
    scenario = file;
    std::erase_if(*scenario.table(), [](const auto& entry) { return entry.key == "sweep"; });
    experiment = experiment_of(scenario, {kData});
    points = points_of(text, scenario, experiment->data_version());
  }

  ResultTable table(const Results& results) const {
    return table_of(points, results, experiment->outputs(), text.outputs, text.place.where());
  }

  config::ConfigValue file;
  SweepText text;
  config::ConfigValue scenario;
  std::unique_ptr<Experiment> experiment;
  Points points;
};

std::string mistake_of(const std::string& sweep) {
  try {
    const Case of(sweep);
    check_points(*of.experiment, of.points);
    of.table({});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

std::vector<std::string> texts_of(const Points& points, const std::string& key) {
  std::vector<std::string> out;
  for (const Point& point : points.all) {
    for (const auto& [name, value] : point.settings) {
      if (name == key) out.push_back(described(value));
    }
  }
  return out;
}

const std::string kGrid = R"(
[sweep]
outputs = ["simulated_us"]
[[sweep.axis]]
key = "kernel.work.block_time"
values = ["2 us", "4 us", "8 us"]
[[sweep.axis]]
key = "kernel.work.grid"
values = [1, 16]
)";

class SweepFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST(Points, AxesMultiplyWithTheLastOneFastest) {
  const Case grid(kGrid);
  EXPECT_EQ(grid.points.keys,
            (std::vector<std::string>{"kernel.work.block_time", "kernel.work.grid"}));
  EXPECT_EQ(texts_of(grid.points, "kernel.work.grid"),
            (std::vector<std::string>{"the integer 1", "the integer 16", "the integer 1",
                                      "the integer 16", "the integer 1", "the integer 16"}));
}

TEST(Points, KeysOfOneAxisVaryTogether) {
  const Case zip(R"(
[sweep]
[[sweep.axis]]
keys = ["kernel.work.grid", "kernel.work.block"]
values = [[1, 32], [2, 64]]
)");
  ASSERT_EQ(zip.points.all.size(), 2U);
  EXPECT_EQ(texts_of(zip.points, "kernel.work.block"),
            (std::vector<std::string>{"the integer 32", "the integer 64"}));
}

TEST(Points, SpacedValuesIncludeBothEnds) {
  const Case spaced(R"(
[sweep]
[[sweep.axis]]
key = "kernel.work.block_time"
from = 1
to = 100
count = 3
scale = "log"
unit = "us"
)");
  EXPECT_EQ(texts_of(spaced.points, "kernel.work.block_time"),
            (std::vector<std::string>{"\"1 us\"", "\"10 us\"", "\"100 us\""}));
}

TEST(Points, BlocksFollowEachOther) {
  const Case blocks(R"(
[sweep]
[[sweep.axis]]
key = "kernel.work.grid"
values = [1, 2, 3]
block = "grids"
[[sweep.axis]]
key = "kernel.work.block"
values = [32, 64]
block = "blocks"
)");
  EXPECT_EQ(blocks.points.all.size(), 3U + 2U);
}

TEST(Points, RepeatsHaveSeedsOfTheirOwn) {
  const Case repeated(
      "[sweep]\nrepeats = 3\n[[sweep.axis]]\nkey = \"kernel.work.grid\"\n"
      "values = [1, 2]\n");
  EXPECT_EQ(texts_of(repeated.points, "run.seed"),
            (std::vector<std::string>{"the integer 1", "the integer 2", "the integer 3",
                                      "the integer 1", "the integer 2", "the integer 3"}));
}

TEST(Points, WhereKeepsWhatItHoldsFor) {
  const Case some(kGrid.substr(0, 9) +
                  "where = \"kernel.work.block_time < '4.1 us' and not "
                  "kernel.work.grid == 1\"\n" +
                  kGrid.substr(9));
  EXPECT_EQ(texts_of(some.points, "kernel.work.block_time"),
            (std::vector<std::string>{"\"2 us\"", "\"4 us\""}));
}

TEST(Points, NamesAreOfTheContent) {
  const Case grid(kGrid);
  const Case swapped(R"(
[sweep]
[[sweep.axis]]
key = "kernel.work.grid"
values = [16]
[[sweep.axis]]
key = "kernel.work.block_time"
values = ["2 us"]
)");
  EXPECT_EQ(swapped.points.all[0].name, grid.points.all[1].name);
  EXPECT_NE(grid.points.all[0].name, grid.points.all[1].name);
}

TEST(Points, MistakesNameWhatIsWrong) {
  const auto axis = [](const std::string& text) { return "[sweep]\n[[sweep.axis]]\n" + text; };
  EXPECT_NE(mistake_of(axis("key = \"kernel.work.grid\"\nvalues = [4, 4]\n"))
                .find("two points that are the same scenario"),
            std::string::npos);
  EXPECT_NE(mistake_of(axis("key = \"kernel.work.grit\"\nvalues = [4, 5]\n")).find("grit"),
            std::string::npos);
  EXPECT_NE(mistake_of(axis("key = \"kernel.work.grid\"\n")).find("one of values, points"),
            std::string::npos);
  EXPECT_NE(mistake_of(axis("values = [4, 5]\n")).find("key, or keys"), std::string::npos);
  EXPECT_NE(mistake_of("[sweep]\nwhere = \"kernel.work.grid > 99\"\n" +
                       axis("key = \"kernel.work.grid\"\nvalues = [4]\n").substr(8))
                .find("got no point"),
            std::string::npos);
  EXPECT_NE(mistake_of("[sweep]\noutputs = [\"simulated\"]\n" +
                       axis("key = \"kernel.work.grid\"\nvalues = [4]\n").substr(8))
                .find("did you mean 'simulated_us'"),
            std::string::npos);
  EXPECT_NE(mistake_of(axis("keys = [\"kernel.work.grid\", \"kernel.work.block\"]\n"
                            "values = [[1, 2, 3]]\n"))
                .find("a list of 2 values"),
            std::string::npos);
}

TEST_F(SweepFolder, ResultsDoNotDependOnThreadsOrShards) {
  const Case grid(kGrid);
  Journal whole(folder_ / "whole", "id");
  EXPECT_TRUE(run_points(*grid.experiment, grid.points, whole, {.threads = 1}));
  Results joined;
  for (std::uint32_t i = 0; i < 4; ++i) {
    Journal shard(folder_ / std::to_string(i), "id");
    EXPECT_TRUE(run_points(*grid.experiment, grid.points, shard, {.threads = 2, .shard = {i, 4}}));
    for (const auto& [name, result] : shard.results()) {
      EXPECT_TRUE(joined.emplace(name, result).second) << "in two shards: " << name;
    }
  }
  EXPECT_EQ(csv_of(grid.table(whole.results())), csv_of(grid.table(joined)));
  EXPECT_EQ(whole.results().size(), 6U);
}

TEST_F(SweepFolder, GoesOnWhereItStopped) {
  const Case grid(kGrid);
  Journal whole(folder_ / "whole", "id");
  run_points(*grid.experiment, grid.points, whole, {});
  const std::string expected = csv_of(grid.table(whole.results()));
  for (int after = 0; after < 6; ++after) {
    const fs::path path = folder_ / ("stopped" + std::to_string(after));
    int asked = 0;
    {
      Journal journal(path, "id");
      EXPECT_FALSE(run_points(*grid.experiment, grid.points, journal,
                              {.stop = [&] { return asked++ >= after; }}));
      EXPECT_EQ(journal.results().size(), static_cast<std::size_t>(after));
    }
    Journal journal(path, "id");
    EXPECT_EQ(journal.results().size(), static_cast<std::size_t>(after));
    EXPECT_TRUE(run_points(*grid.experiment, grid.points, journal, {}));
    EXPECT_EQ(csv_of(grid.table(journal.results())), expected);
  }
}

TEST_F(SweepFolder, AJournalThatWasCutAnywhereLosesOnlyWhatIsBehindTheCut) {
  const fs::path path = folder_ / "journal";
  {
    Journal journal(path, "id");
    journal.add("first", {Status::kDone, {1.5, std::nan("")}, ""});
    journal.add("second", {Status::kFailed, {}, "no \"reason\",\nnone"});
  }
  const std::string text = files::read_text(path);
  const std::size_t head = text.find('\n') + 1;
  const std::size_t first = text.find('\n', head) + 1;
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const fs::path copy = folder_ / "copy";
    std::ofstream(copy, std::ios::binary) << text.substr(0, cut);
    const Results results = Journal(copy, "id").results();
    EXPECT_EQ(results.size(), cut == text.size() ? 2U : cut >= first ? 1U : 0U) << cut;
    fs::remove(copy);
  }
  const Results all = read_journal(path, "id");
  EXPECT_EQ(all.at("first").values[0], 1.5);
  EXPECT_TRUE(std::isnan(all.at("first").values[1]));
  EXPECT_EQ(all.at("second").message, "no \"reason\",\nnone");
}

TEST_F(SweepFolder, AJournalOfAnotherSweepIsRefused) {
  { const Journal journal(folder_ / "journal", "one"); }
  EXPECT_THROW(Journal(folder_ / "journal", "another"), ConfigError);
}

TEST_F(SweepFolder, PointsThatFailedAreToldAndRunAgain) {
  const Case some(R"(
[sweep]
outputs = ["simulated_us"]
[[sweep.axis]]
key = "kernel.work.registers"
values = [32, 64]
)");
  Journal journal(folder_ / "journal", "id");
  journal.add(some.points.all[1].name, {Status::kFailed, {}, "was interrupted"});
  EXPECT_EQ(csv_of(some.table(journal.results())),
            "point,status,kernel.work.registers,simulated_us,message\n" + some.points.all[1].name +
                ",failed,64,,was interrupted\n");
  run_points(*some.experiment, some.points, journal, {});
  EXPECT_EQ(journal.results().at(some.points.all[1].name).status, Status::kDone);
}

}  // namespace
}  // namespace septet::sweep
