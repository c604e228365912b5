#include "tools/septet/sweep/shard_choice.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tools/septet/options.hpp"
#include "tools/septet/sweep/slurm_script.hpp"

namespace septet::command {
namespace {

std::string shard_in(const std::map<std::string, std::string>& variables) {
  const auto shard = shard_of_environment([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
  return shard ? std::to_string(shard->index) + "/" + std::to_string(shard->count) : "none";
}

TEST(ShardChoice, AWordNamesIndexAndCount) {
  EXPECT_EQ(read_shard("2/8").index, 2U);
  EXPECT_EQ(read_shard("2/8").count, 8U);
  for (const char* wrong : {"8/8", "2", "2/0", "-1/4", "a/b", "1/2/3"}) {
    EXPECT_THROW(read_shard(wrong), UsageError) << wrong;
  }
}

TEST(ShardChoice, ATaskOfAnArrayIsAShardWhereverItsIdsBegin) {
  EXPECT_EQ(shard_in({{"SLURM_ARRAY_TASK_ID", "3"}, {"SLURM_ARRAY_TASK_COUNT", "4"}}), "3/4");
  EXPECT_EQ(shard_in({{"SLURM_ARRAY_TASK_ID", "14"},
                      {"SLURM_ARRAY_TASK_COUNT", "3"},
                      {"SLURM_ARRAY_TASK_MIN", "10"},
                      {"SLURM_ARRAY_TASK_STEP", "2"}}),
            "2/3");
}

TEST(ShardChoice, ProcessesOfATaskShareItsPoints) {
  // Task 1 of 2, process 2 of 3: behind the three processes of task 0.
  EXPECT_EQ(shard_in({{"SLURM_ARRAY_TASK_ID", "1"},
                      {"SLURM_ARRAY_TASK_COUNT", "2"},
                      {"SLURM_PROCID", "2"},
                      {"SLURM_NTASKS", "3"}}),
            "5/6");
  EXPECT_EQ(shard_in({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}), "1/2");
}

TEST(ShardChoice, ASingleProcessIsNoShard) {
  EXPECT_EQ(shard_in({}), "none");
  EXPECT_EQ(shard_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}}), "none");
  EXPECT_THROW(shard_in({{"SLURM_PROCID", "x"}, {"SLURM_NTASKS", "2"}}), UsageError);
}

TEST(SlurmScript, AsksForTwiceTheEstimateAndAtLeastTenMinutes) {
  const auto script = [](double seconds) {
    return slurm_script({"septet-a", "septet sweep 'a.toml'", 4, 2, seconds});
  };
  EXPECT_NE(script(1).find("--time=00:10:00\n"), std::string::npos);
  EXPECT_NE(script(3600).find("--time=02:00:00\n"), std::string::npos);
  EXPECT_NE(script(1).find("--array=0-3\n"), std::string::npos);
  EXPECT_NE(script(1).find("\nseptet sweep 'a.toml' --threads"), std::string::npos);
}

}  // namespace
}  // namespace septet::command
