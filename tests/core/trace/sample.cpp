#include "tests/core/trace/sample.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace septet::sample {

const trace::TableSpec& record_table_of(std::type_identity<KernelRow>) {
  using Record = KernelRow;
  static const trace::TableSpec kTable = trace::record_table<Record>(
      "kernels", "kernel_run", "one row a kernel",
      {trace::column<Record>(&Record::start, "start", "start of the kernel"),
       trace::column<Record>(&Record::kernel, "kernel", "kernel").code_of("kernel"),
       trace::column<Record>(&Record::limiter, "limiter", "what limits it"),
       trace::column<Record>(&Record::activity, "activity", "active SMs"),
       trace::column<Record>(&Record::power, "power", "mean power").in("W")});
  return kTable;
}

const trace::TableSpec& record_table_of(std::type_identity<LinkRow>) {
  using Record = LinkRow;
  static const trace::TableSpec kTable =
      trace::record_table<Record>("links", "link_sample", "one row a link",
                                  {trace::column<Record>(&Record::bytes, "bytes", "bytes sent")});
  return kTable;
}

trace::TraceSchema schema() {
  trace::TraceSchema schema;
  schema.add(trace::table_of<KernelRow>());
  schema.add(trace::table_of<LinkRow>());
  return schema;
}

void write_kernels(trace::RowSink& sink, std::int64_t first, std::int64_t last) {
  for (std::int64_t i = first; i < last; ++i) {
    KernelRow row;
    row.start = Instant(1000 * i);
    row.kernel = static_cast<std::int32_t>(i % 3);
    row.limiter = static_cast<Limiter>(i % 4);
    row.activity = static_cast<double>(i) / 7;
    row.power = static_cast<float>(i) / 2;
    sink.consume(kKernels, trace::row_of(row));
  }
}

void write_file(const std::filesystem::path& path, bool finish) {
  trace::Hdf5Options options;
  options.tool_version = "0.0-test";
  trace::Hdf5Writer writer(path, schema(), options);
  writer.set_attribute("seed", std::uint64_t{18'446'744'073'709'551'615U});
  writer.set_meta("scenario_toml", "name = \"µ-bench\"\n");
  write_kernels(writer, 0, kKernelRows);
  for (const std::int64_t bytes : {4096, 8192}) {
    writer.consume(kLinks, trace::row_of(LinkRow{Bytes(bytes)}));
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
