// An occupancy report as text and as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/septet/occupancy/occupancy_request.hpp"

namespace septet::command {

// `columns`: the terminal's width.
std::string occupancy_text(const OccupancyReport& report, std::size_t columns);
std::string kernels_text(const OccupancyQuestion& question, const std::vector<KernelLine>& lines,
                         std::size_t columns);

// Sizes in bytes; occupancy from 0 to 1; null where a resource sets no limit or nothing was asked.
nlohmann::ordered_json occupancy_json(const OccupancyReport& report);
nlohmann::ordered_json kernels_json(const OccupancyQuestion& question,
                                    const std::vector<KernelLine>& lines);

// Of either kind of answer.
std::string answer_text(const OccupancyQuestion& question, const OccupancyAnswer& answer,
                        std::size_t columns);
nlohmann::ordered_json answer_json(const OccupancyQuestion& question,
                                   const OccupancyAnswer& answer);

}  // namespace septet::command
