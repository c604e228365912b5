// Results of a sweep don't depend on how they were made.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/files/input.hpp"
#include "tests/scenarios/sweep/sample_sweep.hpp"

namespace septet::sweep {
namespace {

namespace fs = std::filesystem;

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

TEST_F(SweepFolder, ResultsDoNotDependOnThreadsOrShards) {
  const Case grid(kGrid);
  Journal whole(folder_ / "whole", "id");
  EXPECT_TRUE(run_points(*grid.experiment, grid.points, whole, {.threads = 1}));
  Results joined;
  for (std::uint32_t i = 0; i < 4; ++i) {  // two shards of one point, on both threads
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
  EXPECT_EQ(std::get<double>(all.at("first").values[0]), 1.5);
  EXPECT_TRUE(std::isnan(std::get<double>(all.at("first").values[1])));
  EXPECT_EQ(all.at("second").message, "no \"reason\",\nnone");
}

TEST_F(SweepFolder, OfTwoJournalsAResultWinsOverAFailureWhateverTheirOrder) {
  const Results failed = {{"point", {Status::kFailed, {}, "a reason"}}};
  const Results done = {{"point", {Status::kDone, {1.0}, ""}}};
  for (const auto& [first, second] : {std::pair(failed, done), std::pair(done, failed)}) {
    Results all;
    merge_into(all, first);
    merge_into(all, second);
    EXPECT_EQ(all, done);
  }
}

TEST_F(SweepFolder, PointsInProcessesOfTheirOwnHaveTheSameResults) {
  const Case grid(kGrid);
  Journal threads(folder_ / "threads", "id");
  EXPECT_TRUE(run_points(*grid.experiment, grid.points, threads, {.threads = 2}));
  Journal processes(folder_ / "processes", "id");
  RunOptions limited{.threads = 2};
  limited.limits = {std::chrono::minutes(1), parse_bytes("4 GB")};
  EXPECT_TRUE(run_points(*grid.experiment, grid.points, processes, limited));
  EXPECT_EQ(threads.results(), processes.results());
}

TEST_F(SweepFolder, APointBeyondItsTimeIsNoResultAndTriedAgain) {
  const Case grid(kGrid);
  Journal journal(folder_ / "journal", "id");
  int asked = 0;
  RunOptions limited{.retries = 2, .stop = [&] { return ++asked > 1000; }};
  limited.limits.time = std::chrono::nanoseconds(1);
  EXPECT_TRUE(run_points(*grid.experiment, grid.points, journal, limited));
  for (const Point& point : grid.points.all) {
    EXPECT_EQ(journal.results().at(point.name).status, Status::kTimedOut);
  }
  EXPECT_TRUE(run_points(*grid.experiment, grid.points, journal, {}));
  for (const Point& point : grid.points.all) {
    EXPECT_EQ(journal.results().at(point.name).status, Status::kDone);
  }
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
