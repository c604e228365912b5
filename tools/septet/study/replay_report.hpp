// The report of `septet replay`: that of the study, and how well the replay meets the recording.
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "scenarios/replay/start_error.hpp"
#include "scenarios/study/recording_study.hpp"

namespace septet::command {

// {"recording", "baseline": {"measured_us", "simulated_us", "error_pct", "start_error_us":
// {"median", "max"}, "steps"}, "attribution", what study_json has, "latencies", "anomalies",
// "warnings"}
nlohmann::ordered_json replay_json(const study::RecordingStudy& recording,
                                   const study::StudyResult& result,
                                   const replay::StartError& start_error, std::size_t top);

// `as_it_is`: the baseline's name in the table; the `top` kernels; at most `columns` wide.
std::string replay_text(const study::RecordingStudy& recording, const study::StudyResult& result,
                        const replay::StartError& start_error, const std::string& as_it_is,
                        std::size_t top, std::size_t columns);

}  // namespace septet::command
