#include "core/trace/hdf5_writer.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <system_error>
#include <utility>

#include <hdf5_hl.h>

#include "core/base/error.hpp"
#include "core/files/staged_path.hpp"
#include "core/trace/file_seal.hpp"
#include "core/trace/hdf5_compound.hpp"
#include "core/trace/hdf5_handle.hpp"
#include "core/trace/hdf5_table.hpp"
#include "core/trace/hdf5_text.hpp"
#include "core/trace/task_queue.hpp"

namespace septet::trace {
namespace {

namespace fs = std::filesystem;

// Common reasons, checked before HDF5 reports them in its own words.
void check_place(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::exists(folder, error)) {
    throw TraceFileError(path.string() + ": cannot write: no directory " + folder.string());
  }
  if (!fs::is_directory(folder, error)) {
    throw TraceFileError(path.string() + ": cannot write: " + folder.string() +
                         " is not a directory");
  }
  if (fs::is_directory(path, error)) {
    throw TraceFileError(path.string() + ": cannot write: it is a directory");
  }
}

Hdf5Handle write_codes(hid_t group, std::size_t count) {
  std::vector<std::int32_t> codes(count);
  std::iota(codes.begin(), codes.end(), 0);
  const hsize_t length = count;
  const Hdf5Handle space = owned(H5Screate_simple(1, &length, nullptr), H5Sclose, "describe codes");
  Hdf5Handle dataset = owned(H5Dcreate2(group, "code", H5T_STD_I32LE, space.get(), H5P_DEFAULT,
                                        dataset_creation().get(), H5P_DEFAULT),
                             H5Dclose, "create dataset code");
  check(H5Dwrite(dataset.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, codes.data()),
        "write codes");
  check(H5DSset_scale(dataset.get(), "code"), "make code a dimension");
  return dataset;
}

// For pandas.read_hdf and PyTables, which cannot read text of variable length.
void write_names(hid_t names, const std::string& name, const std::vector<std::string>& texts) {
  std::vector<std::int64_t> codes(texts.size());
  std::iota(codes.begin(), codes.end(), 0);
  write_compound_dataset(names, name, "code and name of a " + name,
                         {{"code", "1", std::move(codes)}, {"name", "", texts}});
}

// A dictionary is a small table of its own, so that xarray opens it too.
void write_dictionary(hid_t dictionaries, const std::string& name,
                      const std::vector<std::string>& texts) {
  const Hdf5Handle group = create_group(dictionaries, name);
  const Hdf5Handle scale = write_codes(group.get(), texts.size());
  write_attribute(scale.get(), "units", "1");
  write_attribute(scale.get(), "long_name", "code of a " + name);
  const Hdf5Handle dataset = write_texts(group.get(), "name", texts);
  write_attribute(dataset.get(), "long_name", "name of a " + name);
  check(H5DSattach_scale(dataset.get(), scale.get(), 0), "attach the dimension");
}

// Rows of one table not yet passed to the writer thread.
struct Block {
  std::vector<std::byte> bytes;
  std::size_t row_size = 0;
  std::size_t handed_over = 0;  // rows, ever

  // Blocks end where chunks end, also after a flush.
  std::size_t capacity() const { return (kChunkRows - handed_over % kChunkRows) * row_size; }
  std::size_t rows() const { return bytes.size() / row_size; }
};

}  // namespace

struct Hdf5Writer::Impl {
  Impl(fs::path target, const TraceSchema& trace_schema, Hdf5Options chosen);

  void create();
  void post(std::function<void()> task);
  void hand_over(TableId table, std::size_t chunk_rows);
  void append(TableId table, const std::vector<std::byte>& rows, std::size_t chunk_rows);
  std::vector<std::byte> take_spare();
  void flush_file() { check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL), "flush"); }
  void set_status(const std::string& status) { write_attribute(file.get(), "status", status); }
  void close();

  fs::path path;
  fs::path part;
  TraceSchema schema;
  Hdf5Options options;
  Hdf5Handle file;
  Hdf5Handle dictionaries;
  Hdf5Handle names;
  Hdf5Handle meta;
  std::vector<Hdf5Table> tables;
  ChunkCodec codec;
  std::size_t appended_blocks = 0;
  std::vector<Block> blocks;
  std::mutex spare_mutex;
  std::vector<std::vector<std::byte>> spare;
  bool finished = false;
  TaskQueue queue;  // last: its thread uses all of the above
};

Hdf5Writer::Impl::Impl(fs::path target, const TraceSchema& trace_schema, Hdf5Options chosen)
    : path(std::move(target)),
      part(path.string() + ".part"),
      schema(trace_schema),
      options(std::move(chosen)),
      codec(options.gzip_level),
      queue(options.queue_blocks) {
  SEPTET_ASSERT(options.flush_blocks > 0);
  for (const TableSpec& table : schema.tables()) blocks.push_back({{}, table.row_size, 0});
  check_place(path);
  prepare_hdf5();
  try {
    create();
  } catch (const TraceFileError& error) {
    throw TraceFileError(part.string() + ": " + error.what());
  }
  post([] { prepare_hdf5(); });
}

void Hdf5Writer::Impl::create() {
  file = owned(H5Fcreate(part.c_str(), H5F_ACC_TRUNC, file_creation().get(),
                         file_access(options.locking).get()),
               H5Fclose, "create the file");
  write_attribute(file.get(), "Conventions", "CF-1.10");
  write_attribute(file.get(), "schema_version", kTraceSchemaVersion);
  write_attribute(file.get(), "tool_version", options.tool_version);
  set_status("running");
  meta = create_group(file.get(), "meta");
  dictionaries = create_group(file.get(), "dict");
  names = create_group(file.get(), "names");
  for (const TableSpec& table : schema.tables()) {
    tables.emplace_back(file.get(), table, options.gzip_level);
  }
  flush_file();
}

void Hdf5Writer::Impl::post(std::function<void()> task) {
  SEPTET_ASSERT(!finished);
  queue.push([this, work = std::move(task)] {
    try {
      work();
    } catch (const TraceFileError& error) {
      throw TraceFileError(part.string() + ": " + error.what());
    }
  });
}

void Hdf5Writer::Impl::hand_over(TableId table, std::size_t chunk_rows) {
  Block& block = blocks[table];
  block.handed_over += block.rows();
  // std::function wants a copyable task, so the rows are shared rather than moved into it.
  const auto rows = std::make_shared<std::vector<std::byte>>(std::move(block.bytes));
  block.bytes = take_spare();
  post([this, table, rows, chunk_rows] {
    append(table, *rows, chunk_rows);
    rows->clear();
    const std::lock_guard lock(spare_mutex);
    spare.push_back(std::move(*rows));
  });
}

// Memory of a block that was written: fresh memory costs a page fault for every 4 KiB.
std::vector<std::byte> Hdf5Writer::Impl::take_spare() {
  const std::lock_guard lock(spare_mutex);
  if (spare.empty()) return {};
  std::vector<std::byte> memory = std::move(spare.back());
  spare.pop_back();
  return memory;
}

// Flushes by number of blocks, not by the clock, so that the file is the same every time.
void Hdf5Writer::Impl::append(TableId table, const std::vector<std::byte>& rows,
                              std::size_t chunk_rows) {
  tables[table].append(rows, chunk_rows, codec);
  if (++appended_blocks % options.flush_blocks == 0) flush_file();
}

void Hdf5Writer::Impl::close() {
  tables.clear();
  meta.close("close /meta");
  dictionaries.close("close /dict");
  names.close("close /names");
  file.close("close the file");
}

Hdf5Writer::Hdf5Writer(fs::path path, const TraceSchema& schema, Hdf5Options options)
    : impl_(std::make_unique<Impl>(std::move(path), schema, std::move(options))) {}

Hdf5Writer::~Hdf5Writer() {
  if (impl_->finished) return;
  // The run has failed already, or is failing now; a second error would hide the first.
  try {
    impl_->queue.push([this] {
      impl_->set_status("failed");
      impl_->close();
    });
    impl_->queue.finish();
  } catch (const std::exception&) {
  }
}

void Hdf5Writer::consume(TableId table, std::span<const std::byte> row) {
  SEPTET_ASSERT(table < impl_->blocks.size());
  Block& block = impl_->blocks[table];
  SEPTET_ASSERT(row.size() == block.row_size);
  block.bytes.insert(block.bytes.end(), row.begin(), row.end());
  if (block.bytes.size() >= block.capacity()) impl_->hand_over(table, kChunkRows);
}

void Hdf5Writer::flush() {
  for (std::size_t table = 0; table < impl_->blocks.size(); ++table) {
    if (impl_->blocks[table].bytes.empty()) continue;
    impl_->hand_over(static_cast<TableId>(table), kChunkRows);
  }
  impl_->post([impl = impl_.get()] { impl->flush_file(); });
}

void Hdf5Writer::set_attribute(const std::string& name, AttributeValue value) {
  impl_->post([impl = impl_.get(), name, value = std::move(value)] {
    write_attribute(impl->file.get(), name, value);
  });
}

void Hdf5Writer::set_dictionary(const std::string& name, std::vector<std::string> texts) {
  impl_->post([impl = impl_.get(), name, texts = std::move(texts)] {
    write_dictionary(impl->dictionaries.get(), name, texts);
    write_names(impl->names.get(), name, texts);
  });
}

void Hdf5Writer::set_meta(const std::string& name, std::string text) {
  impl_->post([impl = impl_.get(), name, text = std::move(text)] {
    write_text(impl->meta.get(), name, text);
  });
}

void Hdf5Writer::write_summary(const std::vector<SummaryRow>& rows) {
  write_small_table<SummaryRow>(*this, rows);
}

void Hdf5Writer::write_compound(const std::string& name, const std::string& long_name,
                                std::vector<CompoundColumn> columns) {
  impl_->post([impl = impl_.get(), name, long_name, columns = std::move(columns)] {
    write_compound_dataset(impl->file.get(), name, long_name, columns);
  });
}

void Hdf5Writer::finish(Outcome outcome) {
  // A table that never filled a chunk gets one of its own size: HDF5 stores whole chunks.
  for (std::size_t table = 0; table < impl_->blocks.size(); ++table) {
    const std::size_t rows = impl_->blocks[table].rows();
    impl_->hand_over(static_cast<TableId>(table), std::clamp<std::size_t>(rows, 1, kChunkRows - 1));
  }
  impl_->post([impl = impl_.get(), outcome] {
    impl->set_status(outcome == Outcome::kComplete ? "complete" : "interrupted");
    impl->close();
    seal_file(impl->part);
    files::sync_file(impl->part);
  });
  impl_->finished = true;
  impl_->queue.finish();
  std::error_code error;
  fs::rename(impl_->part, impl_->path, error);
  if (error) {
    throw TraceFileError(impl_->part.string() + ": cannot rename to " + impl_->path.string() +
                         ": " + error.message());
  }
  files::sync_folder(fs::absolute(impl_->path).parent_path());
}

}  // namespace septet::trace
