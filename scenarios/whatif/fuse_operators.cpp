// What-if: operators that follow one another, or those inside an annotation, become one operator
// with one kernel.
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "scenarios/whatif/changes.hpp"
#include "scenarios/whatif/name_pattern.hpp"
#include "scenarios/whatif/scopes.hpp"

namespace septet::whatif::changes {
namespace {

using Group = std::vector<HostScope>;

// Matching scopes in a row, with none of another name between them at their level, within a step.
std::vector<Group> groups_of(const program::HostThread& thread, const NamePattern& pattern) {
  const std::vector<HostScope> scopes = scopes_of(thread);
  const std::vector<HostScope> chosen =
      outermost(scopes, [&](std::uint32_t s) { return pattern.text(s); });
  std::vector<Group> out;
  std::size_t next = 0;  // scope
  for (const HostScope& scope : chosen) {
    bool joins = !out.empty() && out.back().back().parent == scope.parent;
    for (; next < scopes.size() && scopes[next].begin < scope.begin; ++next) {
      const bool other = scopes[next].parent == scope.parent && !pattern.text(scopes[next].string);
      if (other) joins = false;
    }
    if (joins) {
      out.back().push_back(scope);
    } else {
      out.push_back({scope});
    }
  }
  return out;
}

// What a group is fused from: its scopes or, of a scope alone, the scopes in it.
Group parts_of(const program::HostThread& thread, const Group& group) {
  if (group.size() > 1) return group;
  Group out;
  for (const HostScope& scope : scopes_of(thread)) {
    const bool inside = group.front().begin < scope.begin && scope.end < group.front().end;
    const bool outer = out.empty() || out.back().end < scope.begin;
    if (inside && outer) out.push_back(scope);
  }
  return out;
}

std::size_t kernels_in(const program::HostThread& thread, std::size_t begin, std::size_t end) {
  std::size_t count = 0;
  for (std::size_t c = begin; c <= end; ++c) {
    count += program::is<program::LaunchKernel>(thread.calls[c]) ? 1 : 0;
  }
  return count;
}

class Fuser {
 public:
  explicit Fuser(double factor) : factor_(factor) {}

  void fuse(program::HostThread& thread, const Group& group) {
    const std::size_t begin = group.front().begin;
    const std::size_t end = group.back().end;
    if (kernels_in(thread, begin, end) < 2) return;
    program::LaunchKernel* first = nullptr;
    std::size_t kept = 0;
    for (std::size_t c = begin; c <= end; ++c) {
      program::Call& call = thread.calls[c];
      Duration* time = recorded_in(call);
      if (time == nullptr) continue;
      if (first == nullptr && program::is<program::LaunchKernel>(call)) {
        first = &program::as<program::LaunchKernel>(call);
        kept = c;
        sum_ = *time;
        continue;
      }
      if (*time != program::kModelled) sum_ += *time;
      launches_[c] = true;
    }
    if (first == nullptr) return;
    before += sum_;
    first->recorded = scale(sum_, factor_);
    after += first->recorded;
    ++groups;
    for (const HostScope& part : parts_of(thread, group)) {
      if (kept < part.begin || part.end < kept) remove_scope(thread, part, gone_);
    }
  }

  void begin(const program::HostThread& thread) {
    launches_.assign(thread.calls.size(), false);
    gone_.assign(thread.calls.size(), false);
  }

  void finish(program::HostThread& thread) {
    for (std::size_t c = 0; c < launches_.size(); ++c) {
      kernels += launches_[c] ? 1 : 0;
      if (gone_[c]) launches_[c] = false;
    }
    std::vector<program::Call> calls;
    std::vector<bool> launches;
    for (std::size_t c = 0; c < gone_.size(); ++c) {
      if (gone_[c]) continue;
      calls.push_back(thread.calls[c]);
      launches.push_back(launches_[c]);
    }
    thread.calls = std::move(calls);
    remove_operators(thread, launches);
  }

  std::uint64_t groups = 0;
  std::uint64_t kernels = 0;
  Duration before{}, after{};

 private:
  double factor_;
  Duration sum_{};
  std::vector<bool> launches_, gone_;  // by call: that go; in operators that go
};

}  // namespace

void fuse_operators(const std::string& value, WhatIfState& state) {
  static constexpr std::string_view kScale = ":scale=";
  const std::size_t at = value.rfind(kScale);
  const bool scales = at != std::string::npos;
  const double factor = scales ? read_factor("fuse-ops", value.substr(at + kScale.size())) : 1.0;
  const std::string regex = value.substr(0, at);
  const NamePattern pattern("fuse-ops", regex, state.program);
  Fuser fuser(factor);
  for (program::HostThread& thread : state.program.threads) {
    fuser.begin(thread);
    for (const Group& group : groups_of(thread, pattern)) fuser.fuse(thread, group);
    fuser.finish(thread);
  }
  if (fuser.kernels == 0) {
    throw ConfigError(
        {}, fmt::format("what-if fuse-ops: no two kernels are launched by operators that match "
                        "'{}' and follow one another, or inside one",
                        regex));
  }
  state.notes.push_back(fmt::format(
      "{} groups of operators become one each, with {} launches less: from {:.1f} us to {:.1f} us",
      fuser.groups, fuser.kernels, to_us(fuser.before), to_us(fuser.after)));
}

}  // namespace septet::whatif::changes
