// The table [replay] of a sweep over recordings, as it is written.
#pragma once

#include <string>

#include "scenarios/config/fields/field.hpp"

namespace septet::sweep {

struct ReplayText {
  config::Place place;
  config::Names recording;
  std::string gpu;
  std::string like;
  std::string target_gpu;
};

const config::Fields<ReplayText>& replay_fields();

}  // namespace septet::sweep
