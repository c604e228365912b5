// The scopes of a host thread: the operators and annotations of a recording as stretches of its
// calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/program/program.hpp"

namespace septet::whatif {

struct HostScope {
  std::uint32_t string = kNone;  // its name
  std::size_t begin = 0;         // the call that begins it
  std::size_t end = 0;           // the call that ends it
  std::size_t parent = SIZE_MAX;
};

// By begin. One that is not closed ends with the thread.
std::vector<HostScope> scopes_of(const program::HostThread& thread);

// Those that `wanted` accepts and that lie in no other such scope.
std::vector<HostScope> outermost(const std::vector<HostScope>& scopes,
                                 const std::function<bool(std::uint32_t string)>& wanted);

// Marks what goes with a scope that is removed as a whole: its calls, but for hand-offs to other
// threads and the marks of steps. Shortens the host work just before it, the time that a framework
// takes between operators, by up to 10 us.
void remove_scope(program::HostThread& thread, const HostScope& scope, std::vector<bool>& removed);

// Takes launches out, by call. The operators all of whose launches go, go with them; of the others
// the launches alone.
void remove_operators(program::HostThread& thread, const std::vector<bool>& launches);

// Drops the calls that are marked.
void drop_calls(program::HostThread& thread, const std::vector<bool>& removed);

}  // namespace septet::whatif
