// The report of a study, which `run` and `replay` share.
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "scenarios/study/study.hpp"

namespace septet::command {

// Where the time of the baseline goes, its `top` kernels and busiest links, its critical path, then
// the what-ifs with their notes. At most `columns` wide. `as_it_is`: the baseline's name in the
// table.
std::string study_text(const study::StudyResult& result, const std::string& as_it_is,
                       std::size_t top, std::size_t columns);

// The same under a line on the whole run.
std::string run_text(const std::string& name, const study::StudyResult& result,
                     const std::string& as_it_is, std::size_t top, std::size_t columns);

// {"simulated_us", "events", "digest", "wall_s", "summary": {"gpu_commands", "attribution",
// "kernels", "critical_path", "limited_by", "unfinished"}, "what_ifs": [{"name", "simulated_us",
// "speedup", "attribution", "critical_path", "limited_by", "unfinished", "notes"}]}; summary and
// what-ifs have "ranks" with collectives and "training" of training, the summary "links" of a
// network.
nlohmann::ordered_json study_json(const study::StudyResult& result, std::size_t top);

}  // namespace septet::command
