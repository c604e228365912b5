#include "models/program/call.hpp"

#include <algorithm>

namespace septet::program {
namespace {

template <class Index, class What>
Index* index_of(What& what) {
  if constexpr (requires { what.queue; }) return &what.queue;
  if constexpr (
      requires { what.kernel; } && !requires { what.queue; })
    return &what.kernel;
  if constexpr (requires { what.graph; }) return &what.graph;
  if constexpr (requires { what.event; }) return &what.event;
  if constexpr (requires { what.device; }) return &what.device;
  if constexpr (requires { what.signal; }) return &what.signal;
  if constexpr (requires { what.string; }) return &what.string;
  if constexpr (requires { what.collective; }) return &what.collective;
  return nullptr;
}

}  // namespace

std::uint32_t* index_in(Call& call) {
  return std::visit([](auto& what) { return index_of<std::uint32_t>(what); }, call.what);
}

const std::uint32_t* index_in(const Call& call) {
  return std::visit([](const auto& what) { return index_of<const std::uint32_t>(what); },
                    call.what);
}

std::uint32_t event_in(const Call& call) {
  if (const auto* record = get_if<RecordEvent>(call)) return record->event;
  if (const auto* wait = get_if<WaitEvent>(call)) return wait->event;
  const auto* synchronize = get_if<SynchronizeEvent>(call);
  return synchronize == nullptr ? kNone : synchronize->event;
}

std::uint32_t graph_in(const Call& call) {
  if (const auto* launch = get_if<LaunchGraph>(call)) return launch->graph;
  if (const auto* upload = get_if<UploadGraph>(call)) return upload->graph;
  const auto* instantiate = get_if<InstantiateGraph>(call);
  return instantiate == nullptr ? kNone : instantiate->graph;
}

std::string name_of(CallKind kind) {
  std::string name(text_of(kind));
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

CallManner manner_of(const Call& call) {
  if (is_programmatic(call)) return CallManner::kProgrammatic;
  const auto* copy = get_if<Copy>(call);
  if (copy == nullptr) return CallManner::kPlain;
  if (copy->pinned) return copy->blocking ? CallManner::kBlocking : CallManner::kPlain;
  return copy->blocking ? CallManner::kPageableBlocking : CallManner::kPageable;
}

}  // namespace septet::program
