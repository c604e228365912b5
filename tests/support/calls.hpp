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
inline Call call_of(CallKind kind, std::uint32_t index = kNone) {
  Call call;
  const auto make = [&]<std::size_t... kKinds>(std::index_sequence<kKinds...>) {
    ((kKinds == static_cast<std::size_t>(kind) ? void(call.what.emplace<kKinds>()) : void()), ...);
  };
  make(std::make_index_sequence<kEnumSize<CallKind>>());
  if (std::uint32_t* named = index_in(call)) *named = index;
  return call;
}

// The duration that a call or a node says: recorded, of host work or of an item.
template <class Thing>
auto& time_in(Thing& thing) {
  auto* time = recorded_in(thing);
  if (auto* host = get_if<HostWork>(thing)) time = &host->duration;
  if constexpr (requires { thing.stream; }) {
    if (auto* push = get_if<PushItem>(thing)) time = &push->duration;
  }
  SEPTET_ASSERT(time != nullptr);
  return *time;
}

}  // namespace septet::test
