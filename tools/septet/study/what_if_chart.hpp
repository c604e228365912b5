// A run and its what-ifs as horizontal bars in an SVG file: one bar each, its length the time, its
// colours where the time goes. Widths of text are known without fonts: names are set in a
// monospaced one and shortened to the chart's width; the whole name is in the tooltip.
#pragma once

#include <string>

#include "scenarios/study/study.hpp"

namespace septet::command {

// Of a category in charts: "#2ca678", "kernels run".
const char* colour_of(analysis::TimeCategory category);
const char* label_of(analysis::TimeCategory category);

// `as_it_is`: the baseline's name; `title`: what was run.
std::string what_if_chart(const study::StudyResult& result, const std::string& as_it_is,
                          const std::string& title);

}  // namespace septet::command
