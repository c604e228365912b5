// A trace that the tests of this folder write: known values, every type of column.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>

#include "core/trace/hdf5_writer.hpp"
#include "core/trace/record.hpp"

namespace septet::sample {

constexpr trace::TableId kKernels = 0;
constexpr trace::TableId kLinks = 1;
constexpr std::int64_t kKernelRows = 70'000;  // one full chunk and a part of another

enum class Limiter : std::uint8_t { kIssue, kExecution, kMemory, kLaunch };

// "kernels", dimension kernel_run.
struct KernelRow {
  Instant start;
  std::int32_t kernel = 0;
  Limiter limiter = Limiter::kIssue;
  double activity = 0;
  float power = 0;
};

// "links", dimension link_sample.
struct LinkRow {
  Bytes bytes{};
};

trace::TraceSchema schema();

// Row i: start = 1000 i ps, kernel = i % 3, limiter = i % 4, activity = i / 7, power = i / 2.
void write_kernels(trace::RowSink& sink, std::int64_t first, std::int64_t last);

// A complete file: kKernelRows kernels, two links, dictionary, summary, bottlenecks, scenario.
void write_file(const std::filesystem::path& path, bool finish = true);

// A fresh directory that goes away with the object.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

std::string contents(const std::filesystem::path& path);
void write_contents(const std::filesystem::path& path, const std::string& bytes);

constexpr auto enum_table(std::type_identity<Limiter>) {
  return enum_texts<Limiter>("issue", "execution", "memory", "launch");
}
const trace::TableSpec& record_table_of(std::type_identity<KernelRow>);
const trace::TableSpec& record_table_of(std::type_identity<LinkRow>);

}  // namespace septet::sample
