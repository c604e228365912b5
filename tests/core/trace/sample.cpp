#include "tests/core/trace/sample.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace septet::sample {

TraceSchema schema() {
  TraceSchema schema;
  schema.add({"kernels",
              "kernel_run",
              {{"start", ColumnType::kInt64, "ps", "start of the kernel"},
               {"kernel", ColumnType::kInt32, "1", "kernel", "kernel"},
               {"limiter",
                ColumnType::kUint8,
                "1",
                "what limits it",
                "",
                {"issue", "execution", "memory", "launch"}},
               {"activity", ColumnType::kFloat64, "1", "active SMs"},
               {"power", ColumnType::kFloat32, "W", "mean power"}}});
  schema.add({"links", "link_sample", {{"bytes", ColumnType::kInt64, "B", "bytes sent"}}});
  return schema;
}

void write_kernels(RowSink& sink, std::int64_t first, std::int64_t last) {
  for (std::int64_t i = first; i < last; ++i) {
    const auto real = static_cast<double>(i);
    const Cell cells[] = {Duration(1000 * i), i % 3, i % 4, real / 7, real / 2};
    sink.consume(kKernels, cells);
  }
}

void write_file(const std::filesystem::path& path, bool finish) {
  Hdf5Options options;
  options.tool_version = "0.0-test";
  Hdf5Writer writer(path, schema(), options);
  writer.set_attribute("seed", std::uint64_t{18'446'744'073'709'551'615U});
  writer.set_meta("scenario_toml", "name = \"µ-bench\"\n");
  write_kernels(writer, 0, kKernelRows);
  for (const std::int64_t bytes : {4096, 8192}) {
    const Cell cell = bytes;
    writer.consume(kLinks, {&cell, 1});
  }
  writer.set_dictionary("kernel", {"gemm", "softmax", "größe"});
  writer.write_summary({{"kernels", 70'000, "1"}, {"step", 2.5, "us"}});
  writer.write_compound("bottlenecks", "where the time goes",
                        {{"stage", "", std::vector<std::string>{"memory", "issue"}},
                         {"kernels", "1", std::vector<std::int64_t>{7, 3}},
                         {"time", "us", std::vector<double>{1.5, 0.25}}});
  writer.set_attribute("digest", "0123456789abcdef");
  if (finish) writer.finish();
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "septet-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_contents(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace septet::sample
