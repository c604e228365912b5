// What the categories of a Kineto trace stand for, in the spelling of every year since 2021.
#pragma once

#include <string_view>

#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet {

// kOther for categories that Septet has no use for, and for unknown ones.
RecordedKind kineto_kind(std::string_view category);

// Flows from forward to backward operators. The others repeat what correlations say.
bool is_kineto_flow(std::string_view category);

}  // namespace septet
