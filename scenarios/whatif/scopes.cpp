#include "scenarios/whatif/scopes.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/whatif/call_removal.hpp"
#include "scenarios/whatif/submission.hpp"

namespace septet::whatif {
namespace {

// Python and the framework between two operators; more is the program's own work.
constexpr Duration kMostBetweenOperators{10 * kPicosecondsPerMicrosecond};

bool stays(const program::Call& call) {
  return program::is<program::Post>(call) || program::is<program::Await>(call) ||
         program::is<program::Marker>(call);
}

// Whether a scope submits something, and nothing that stays.
bool goes_whole(const program::HostThread& thread, const HostScope& scope,
                const std::vector<bool>& launches) {
  bool any = false;
  for (std::size_t c = scope.begin; c <= scope.end; ++c) {
    if (!submits(thread.calls[c].kind())) continue;
    if (!launches[c]) return false;
    any = true;
  }
  return any;
}

}  // namespace

std::vector<HostScope> scopes_of(const program::HostThread& thread) {
  std::vector<HostScope> out;
  std::vector<std::size_t> open;
  for (std::size_t c = 0; c < thread.calls.size(); ++c) {
    const auto* scope = program::get_if<program::Scope>(thread.calls[c]);
    if (scope == nullptr) continue;
    if (scope->string != kNone) {
      out.push_back(
          {scope->string, c, thread.calls.size() - 1, open.empty() ? SIZE_MAX : open.back()});
      open.push_back(out.size() - 1);
    } else if (!open.empty()) {
      out[open.back()].end = c;
      open.pop_back();
    }
  }
  return out;
}

std::vector<HostScope> outermost(const std::vector<HostScope>& scopes,
                                 const std::function<bool(std::uint32_t)>& wanted) {
  std::vector<HostScope> out;
  for (const HostScope& scope : scopes) {
    const bool inside = !out.empty() && scope.begin < out.back().end;
    if (!inside && wanted(scope.string)) out.push_back(scope);
  }
  return out;
}

void remove_scope(program::HostThread& thread, const HostScope& scope, std::vector<bool>& removed) {
  for (std::size_t c = scope.begin; c <= scope.end; ++c) {
    if (!stays(thread.calls[c])) removed[c] = true;
  }
  if (scope.begin == 0) return;
  auto* before = program::get_if<program::HostWork>(thread.calls[scope.begin - 1]);
  if (before == nullptr || removed[scope.begin - 1]) return;
  before->duration -= std::min(before->duration, kMostBetweenOperators);
}

void drop_calls(program::HostThread& thread, const std::vector<bool>& removed) {
  std::vector<program::Call> calls;
  for (std::size_t c = 0; c < thread.calls.size(); ++c) {
    if (!removed[c]) calls.push_back(thread.calls[c]);
  }
  thread.calls = std::move(calls);
}

void remove_operators(program::HostThread& thread, const std::vector<bool>& launches) {
  const std::vector<HostScope> scopes = scopes_of(thread);
  std::vector<bool> gone(thread.calls.size(), false);
  std::vector<bool> rest = launches;
  for (const HostScope& scope : scopes) {
    if (gone[scope.begin] || !goes_whole(thread, scope, launches)) continue;
    remove_scope(thread, scope, gone);
    std::fill(rest.begin() + static_cast<std::ptrdiff_t>(scope.begin),
              rest.begin() + static_cast<std::ptrdiff_t>(scope.end), false);
  }
  remove_submissions(thread, rest, gone);
}

}  // namespace septet::whatif
