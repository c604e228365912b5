#include <map>

#include "scenarios/validate/case_run.hpp"
#include "scenarios/validate/sharing_cases.hpp"

namespace septet::validation {
namespace {

struct CopyPath {
  program::CopyDirection direction;
  bool pinned;
};

const std::map<std::string, CopyPath>& copy_paths() {
  static const std::map<std::string, CopyPath> kPaths = {
      {"h2d_pinned_wall", {program::CopyDirection::kHostToDevice, true}},
      {"h2d_pageable_wall", {program::CopyDirection::kHostToDevice, false}},
      {"d2h_pinned_wall", {program::CopyDirection::kDeviceToHost, true}},
      {"d2h_pageable_wall", {program::CopyDirection::kDeviceToHost, false}},
      {"d2d_wall", {program::CopyDirection::kDeviceToDevice, true}}};
  return kPaths;
}

Prediction memcpy(const MeasuredRow& row, const system::SystemSpec& system) {
  const Bytes bytes(row.integer("bytes"));
  program::ProgramBuilder builder;
  const std::uint32_t stream = builder.stream();
  builder.thread();
  if (row.metric == "memset_wall") {
    builder.memset(stream, bytes);
  } else {
    const auto path = copy_paths().find(row.metric);
    if (path == copy_paths().end()) return unsupported("no metric " + row.metric);
    builder.copy(stream, path->second.direction, bytes, path->second.pinned);
  }
  builder.synchronize_device();
  return predict_wall(builder.take(), system);
}

Prediction overlap_kernel(const MeasuredRow& row, const system::SystemSpec& system) {
  program::ProgramBuilder builder;
  const std::uint32_t kernel = builder.kernel(row_kernel(row, row.number("spin_us")));
  const std::uint32_t first = builder.stream();
  const std::uint32_t second = builder.stream();
  builder.thread();
  builder.copy(first, program::CopyDirection::kHostToDevice, Bytes(row.integer("bytes")));
  builder.launch(kernel, second);
  builder.synchronize_device();
  return predict_wall(builder.take(), system);
}

// Half of the buffer to the device and half from it at once.
Prediction overlap_both_ways(const MeasuredRow& row, const system::SystemSpec& system) {
  const Bytes half(row.integer("bytes") / 2);
  program::ProgramBuilder builder;
  const std::uint32_t first = builder.stream();
  const std::uint32_t second = builder.stream();
  builder.thread();
  builder.copy(first, program::CopyDirection::kHostToDevice, half);
  builder.copy(second, program::CopyDirection::kDeviceToHost, half);
  builder.synchronize_device();
  return predict_wall(builder.take(), system);
}

}  // namespace

std::vector<CaseKind> copy_cases() {
  return {{"copy", "memcpy", memcpy},
          {"copy", "overlap_h2d_spin", overlap_kernel},
          {"copy", "overlap_h2d_d2h", overlap_both_ways}};
}

}  // namespace septet::validation
