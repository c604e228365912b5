// Output about the GPUs of a run with collectives, and about training.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "models/workload/training/training_rate.hpp"
#include "scenarios/analysis/rank_times.hpp"

namespace septet::command {

// A table of at most `columns`, and which GPU is a straggler.
std::string ranks_text(const analysis::RankTimes& ranks, std::size_t columns);
// Others wait for some GPU for a total of a thousandth of the run or more.
bool has_straggler(const analysis::RankTimes& ranks);
// Which one, in one line.
std::string straggler_text(const analysis::RankTimes& ranks);

// {"gpus", "span_us", "compute": {"min_us", "median_us", "max_us", "gpu", "share"}, ...,
// "waiting_in_sends_and_receives", "straggler"}; shares are of the time of all GPUs. "straggler" is
// null where there is none.
nlohmann::ordered_json ranks_json(const analysis::RankTimes& ranks);

// One line.
std::string training_text(const training::TrainingRate& rate);
nlohmann::ordered_json training_json(const training::TrainingRate& rate);

}  // namespace septet::command
