#include "tools/septet/sweep/shard_choice.hpp"

#include <fmt/format.h>

#include "tools/septet/options.hpp"

namespace septet::command {
namespace {

constexpr std::uint64_t kMostShards = 1'000'000;

std::optional<std::uint64_t> number(const Environment& environment, const char* name) {
  const char* text = environment(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return read_count(name, text, 0, 1ULL << 40U);
}

// A place among so many; a single one is none.
struct Place {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
};

Place place_of(const Environment& environment, const char* index, const char* count) {
  const auto at = number(environment, index);
  const auto all = number(environment, count);
  return at && all && *all > 1 ? Place{*at, *all} : Place{};
}

// Ids of a Slurm array may begin anywhere and leave some out.
Place task_of_array(const Environment& environment) {
  const auto id = number(environment, "SLURM_ARRAY_TASK_ID");
  const auto count = number(environment, "SLURM_ARRAY_TASK_COUNT");
  if (!id || !count || *count < 2) return {};
  const std::uint64_t first = number(environment, "SLURM_ARRAY_TASK_MIN").value_or(0);
  const std::uint64_t step =
      std::max<std::uint64_t>(1, number(environment, "SLURM_ARRAY_TASK_STEP").value_or(1));
  return {(*id - std::min(first, *id)) / step, *count};
}

}  // namespace

sweep::Shard read_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw UsageError(fmt::format("--shard: got '{}', wanted INDEX/COUNT, such as 0/8", text));
  }
  const std::uint64_t count = read_count("shard", text.substr(slash + 1), 1, kMostShards);
  const std::uint64_t index = read_count("shard", text.substr(0, slash), 0, count - 1);
  return {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(count)};
}

std::optional<sweep::Shard> shard_of_environment(const Environment& environment) {
  const Place task = task_of_array(environment);
  Place process = place_of(environment, "SLURM_PROCID", "SLURM_NTASKS");
  if (process.count == 1) {
    process = place_of(environment, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE");
  }
  const std::uint64_t count = task.count * process.count;
  if (count == 1) return std::nullopt;
  const std::uint64_t index = task.index * process.count + process.index;
  if (index >= count || count > kMostShards) {
    throw UsageError(fmt::format("the batch system says shard {} of {}", index, count));
  }
  return sweep::Shard{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(count)};
}

}  // namespace septet::command
