// Interprets the names of recorded API calls and copies: CUDA runtime (cuda...), CUDA driver
// (cu...) and HIP (hip...) spellings, with their suffixes (_v2, _ptsz, _spt, Async, ExC, ...).
#pragma once

#include <optional>
#include <string_view>

#include "models/workload/recorded/recording/activity.hpp"
#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::recorded {

ApiKind api_kind(std::string_view name);

// Launches through the extended interface, the only one that can ask for programmatic dependent
// launch (cudaLaunchKernelExC, cuLaunchKernelEx).
bool may_be_programmatic(std::string_view name);

bool is_hip(std::string_view name);

// Says of each API call of a recording what it does, by its name.
void read_api_names(RecordedTrace& trace);

// Of "Memcpy HtoD (Pinned -> Device)"; arrays and peers count as device memory. Nothing when the
// name is of another form.
std::optional<program::CopyDirection> copy_direction(std::string_view name);
bool copies_pageable_memory(std::string_view name);

}  // namespace septet::recorded
