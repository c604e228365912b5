#include "models/workload/recorded/recording/recording_builder.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <boost/container_hash/hash.hpp>

#include "models/workload/recorded/recording/utf8.hpp"

namespace septet::recorded {
namespace {

constexpr std::size_t kMostNames =
    256;  // distinct keys of `unused`, so that noise can't fill memory

template <class... Values>
std::size_t hash(const Values&... values) {
  std::size_t seed = 0;
  (boost::hash_combine(seed, values), ...);
  return seed;
}

std::size_t hash_of(const program::LaunchShape& shape) {
  return hash(shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x, shape.block.y,
              shape.registers_per_thread, shape.dynamic_shared.count());
}

// What distinguishes activities of one kind in practice; equality compares everything.
std::size_t hash_of(const KernelActivity& kernel) {
  return hash(hash_of(kernel.shape), kernel.gpu.graph_node, kernel.collective.name,
              kernel.collective.elements);
}
std::size_t hash_of(const CopyActivity& copy) {
  return hash(copy.bytes.count(), copy.gpu.graph_node, copy.pinned);
}
std::size_t hash_of(const MemsetActivity& memset) {
  return hash(memset.bytes.count(), memset.gpu.graph_node);
}
std::size_t hash_of(const SyncActivity& sync) { return hash(sync.record_correlation, sync.stream); }
std::size_t hash_of(const LaunchActivity& launch) { return hash_of(launch.shape); }

}  // namespace

std::size_t RecordingBuilder::Hash::operator()(std::uint32_t index) const {
  return std::visit([](const auto& activity) { return hash_of(activity); }, (*activities)[index]);
}

std::uint32_t RecordingBuilder::activity(const RecordedActivity& activity) {
  const auto index = static_cast<std::uint32_t>(trace.activities.size());
  trace.activities.push_back(activity);
  const auto [known, added] = known_.insert(index);
  if (!added) trace.activities.pop_back();
  return *known;
}

void RecordingBuilder::anomaly(std::string_view what, std::uint64_t times) {
  if (times > 0) trace.anomalies[std::string(what)] += times;
}

void RecordingBuilder::unused(std::string_view what, std::string_view which) {
  scratch_.assign(what).append(1, ' ').append(which.substr(0, 80));
  auto found = trace.unused.find(scratch_);
  if (found == trace.unused.end()) {
    make_valid_utf8(scratch_);
    if (trace.unused.size() >= kMostNames) scratch_ = "of other kinds";
    found = trace.unused.try_emplace(scratch_, 0).first;
  }
  ++found->second;
}

RecordedTrace RecordingBuilder::finish() {
  known_.clear();
  const auto earlier = [](const RecordedEvent& a, const RecordedEvent& b) {
    return a.start < b.start;
  };
  if (!std::is_sorted(trace.events.begin(), trace.events.end(), earlier)) {
    std::stable_sort(trace.events.begin(), trace.events.end(), earlier);
  }
  list_devices();
  trace.threads = threads.take();
  trace.strings = strings_.take();
  repair_names();
  return std::move(trace);
}

void RecordingBuilder::list_devices() {
  std::set<std::uint16_t> missing;
  for (const RecordedEvent& event : trace.events) {
    const bool on_gpu = is_gpu_work(event.kind) || event.kind == RecordedKind::kSync;
    if (on_gpu && event.device != kNoDevice) missing.insert(event.device);
  }
  for (const RecordedDevice& device : trace.devices) missing.erase(device.id);
  for (const std::uint16_t id : missing) trace.devices.push_back({.id = id, .name = {}});
  anomaly("devices without properties", missing.size());
}

void RecordingBuilder::repair_names() {
  std::uint64_t repaired = 0;
  for (std::string& text : trace.strings) repaired += make_valid_utf8(text) ? 1 : 0;
  for (RecordedThread& thread : trace.threads) repaired += make_valid_utf8(thread.name) ? 1 : 0;
  for (RecordedDevice& device : trace.devices) repaired += make_valid_utf8(device.name) ? 1 : 0;
  anomaly("names that are not valid UTF-8", repaired);
}

}  // namespace septet::recorded
