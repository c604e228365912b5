// Output about a run.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "scenarios/analysis/run_summary.hpp"

namespace septet::command {

// Tables of text, at most `columns` wide.
std::string attribution_text(const analysis::Attribution& attribution, std::size_t columns);
std::string kernels_text(const analysis::RunSummary& summary, std::size_t most,
                         std::size_t columns);
// Works that waited for something that is not in the recording, by name; empty: none did.
std::string unrecorded_text(const analysis::RunSummary& summary, std::size_t most,
                            std::size_t columns);
// Link traffic, busiest first; bytes and utilization are those of one link.
std::string links_text(const analysis::RunSummary& summary, std::size_t most, std::size_t columns);
std::string path_text(const analysis::RunSummary& summary, std::size_t columns);

// A sentence about the work left unfinished by run.end; empty if none.
std::string unfinished_text(const system::Unfinished& unfinished);

// {"gpu_busy": {"time_us", "share"}, ...}; with collectives "compute", "communication",
// "waiting_for_ranks" instead, and the mean of the traced GPUs.
nlohmann::ordered_json attribution_json(const analysis::Attribution& attribution);
// [{"name", "count", "time_us", "share"}], longest first. Collectives have "waiting_us" as well,
// the part of their time in which they wait for ranks; order and share leave it out.
nlohmann::ordered_json kernels_json(const analysis::RunSummary& summary, std::size_t most);
// {"count", "time_us", "before": [{"name", "count", "time_us"}]}
nlohmann::ordered_json unrecorded_json(const analysis::RunSummary& summary, std::size_t most);
// [{"name", "links", "bytes", "mean_utilization", "peak_utilization"}], busiest first; `links`: how
// many carry the same, each of them `bytes`
nlohmann::ordered_json links_json(const analysis::RunSummary& summary, std::size_t most);
// {"kernel": {"time_us", "share"}, ...} by kind of link
nlohmann::ordered_json path_json(const analysis::RunSummary& summary);
// {"kind", "share", "kernel", "kernel_share"}; the kernel is null where kernels are not the limit
nlohmann::ordered_json bottleneck_json(const analysis::RunSummary& summary);

// {"launches", "of_launches", "calls"}
nlohmann::ordered_json unfinished_json(const system::Unfinished& unfinished);

std::string hex(std::uint64_t digest);

}  // namespace septet::command
