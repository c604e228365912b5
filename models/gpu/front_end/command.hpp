// A command between its arrival at the front end and its completion.
#pragma once

#include "core/base/quantity.hpp"
#include "models/program/program.hpp"
#include "models/program/protocol.hpp"
#include "models/records/wait_cause.hpp"

namespace septet::gpu {

struct Command {
  const program::Call* call = nullptr;
  program::CommandName name;
  Instant issued;
  Instant arrived;
  Instant ready;    // it could start then
  Duration held{};  // and starts this much later
  std::uint32_t stream = 0;
  std::uint16_t generation = 0;  // of the event that it records or waits for
  records::WaitCause cause = records::WaitCause::kSubmission;
};

// The wait cause of a command that was held.
inline records::WaitCause cause_of(const program::Hold& hold) {
  return hold.reason == program::HoldReason::kSmResources ? records::WaitCause::kSmResources
                                                          : records::WaitCause::kUnrecorded;
}

}  // namespace septet::gpu
