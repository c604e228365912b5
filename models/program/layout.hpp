// Which streams, events and processes of a Program belong to which device and process, computed
// once, so that each model keeps only the state that it needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/error.hpp"
#include "models/program/program.hpp"

namespace septet::program {

// A set of indices; the i-th smallest has slot i.
class IndexSet {
 public:
  IndexSet() = default;
  // Sorts `ids` and drops repetitions.
  explicit IndexSet(std::vector<std::uint32_t> ids);

  std::uint32_t size() const { return count_; }
  std::uint32_t operator[](std::uint32_t slot) const {
    return ids_.empty() ? first_ + slot : ids_[slot];
  }
  bool contains(std::uint32_t id) const { return place(id) < count_; }
  std::uint32_t slot(std::uint32_t id) const {
    const std::uint32_t found = place(id);
    SEPTET_ASSERT(found < count_);
    return found;
  }

 private:
  std::uint32_t place(std::uint32_t id) const {
    if (ids_.empty()) return id - first_;  // wraps around below the first
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
    if (found == ids_.end() || *found != id) return count_;
    return static_cast<std::uint32_t>(found - ids_.begin());
  }

  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> ids_;  // empty where the set is a range
};

// A value for each index of a set, which must outlive it.
template <class T>
class Subset {
 public:
  explicit Subset(const IndexSet& ids) : ids_(&ids), values_(ids.size()) {}

  T& operator[](std::uint32_t id) { return values_[ids_->slot(id)]; }
  const T& operator[](std::uint32_t id) const { return values_[ids_->slot(id)]; }
  const IndexSet& ids() const { return *ids_; }
  std::vector<T>& values() { return values_; }  // by slot
  const std::vector<T>& values() const { return values_; }

 private:
  const IndexSet* ids_;
  std::vector<T> values_;
};

// An event that one device records and a stream of another one waits for.
struct EventListener {
  std::uint32_t event = 0;
  std::uint32_t device = 0;  // that waits
  auto operator<=>(const EventListener&) const = default;
};

struct DeviceLayout {
  IndexSet streams;
  IndexSet processes;                    // that have streams here
  IndexSet awaited_events;               // that streams of this device wait for
  std::vector<EventListener> listeners;  // of events recorded here; sorted
};

struct ProcessLayout {
  std::vector<std::uint32_t> threads;
  IndexSet streams;
  IndexSet events;   // that its threads name
  IndexSet devices;  // of its streams
};

struct ProgramLayout {
  std::vector<DeviceLayout> devices;
  std::vector<ProcessLayout> processes;
};

// The program has been checked.
ProgramLayout lay_out(const Program& program);

}  // namespace septet::program
