// The meaning of the categories of a Kineto trace, in all spellings since 2021.
#pragma once

#include <optional>
#include <string_view>

#include "models/workload/recorded/recording/activity.hpp"

namespace septet::recorded {

// Nothing for categories that Septet has no use for, and for unknown ones.
std::optional<RecordedKind> kineto_kind(std::string_view category);

}  // namespace septet::recorded
