// Who waits for what when nothing more can happen. Hosts and GPUs report what is blocked in them;
// combined, this explains why a program cannot continue.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "models/program/program.hpp"

namespace septet::program {

enum class PartyKind : std::uint8_t { kThread, kStream, kQueue, kSignal, kCommunicator };

// By its index in the Program.
struct Party {
  PartyKind kind = PartyKind::kThread;
  std::uint32_t index = 0;
  auto operator<=>(const Party&) const = default;
};

struct Waiting {
  Party who;
  std::string what;        // "stream 's': kernel 'k' finds no room on the SMs"
  std::vector<Party> on;   // what could unblock it; empty: nothing can
  std::uint64_t call = 0;  // threads: the call in which it stands
};

// What a GPU knows of a queue.
struct QueueState {
  std::uint64_t held = 0;        // items that nobody has taken
  std::uint32_t server = kNone;  // stream in which its kernel runs or waits to run; kNone: none
};

// A collective that some ranks of a communicator have come to, and others not.
struct IncompleteCollective {
  std::uint32_t communicator = 0;
  std::uint64_t position = 0;  // among the calls of the group, or of the pair of ranks
  std::string operation;       // "all_reduce of 4096 B"
  std::vector<std::uint32_t> present, missing;  // ranks
};

// As messages name them: "stream 's'", or "stream 3" where it has no name.
std::string stream_text(const Program& program, std::uint32_t stream);
std::string queue_text(const Program& program, std::uint32_t queue);
std::string signal_text(const Program& program, std::uint32_t signal);
// "1 block", "2 blocks"
std::string counted(std::uint64_t number, const char* thing);
// "thread 'cpu' of process 0"
std::string thread_text(const Program& program, std::uint32_t thread);

}  // namespace septet::program
