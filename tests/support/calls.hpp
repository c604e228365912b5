// Calls made and looked into by their kinds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "core/base/error.hpp"
#include "models/program/program.hpp"

namespace septet::test {

// A call of a kind that names `index`.
inline program::Call call_of(program::CallKind kind, std::uint32_t index = kNone) {
  program::Call call;
  const auto make = [&]<std::size_t... kKinds>(std::index_sequence<kKinds...>) {
    ((kKinds == static_cast<std::size_t>(kind) ? void(call.what.emplace<kKinds>()) : void()), ...);
  };
  make(std::make_index_sequence<kEnumSize<program::CallKind>>());
  if (std::uint32_t* named = index_in(call)) *named = index;
  return call;
}

// The duration that a call or a node says: recorded, of host work or of an item.
template <class Thing>
auto& time_in(Thing& thing) {
  auto* time = recorded_in(thing);
  if (auto* host = program::get_if<program::HostWork>(thing)) time = &host->duration;
  if constexpr (requires { thing.stream; }) {
    if (auto* push = program::get_if<program::PushItem>(thing)) time = &push->duration;
  }
  SEPTET_ASSERT(time != nullptr);
  return *time;
}

}  // namespace septet::test
