#include "core/trace/hdf5_table.hpp"

#include <numeric>
#include <utility>

#include <hdf5_hl.h>

#include "core/base/error.hpp"
#include "core/trace/hdf5_text.hpp"

namespace septet::trace {
namespace {

hid_t stored_type(ColumnType type) {
  switch (type) {
    case ColumnType::kInt64:
      return H5T_STD_I64LE;
    case ColumnType::kInt32:
      return H5T_STD_I32LE;
    case ColumnType::kUint8:
      return H5T_STD_U8LE;
    case ColumnType::kFloat64:
      return H5T_IEEE_F64LE;
    case ColumnType::kFloat32:
      break;
  }
  return H5T_IEEE_F32LE;
}

Hdf5Handle growing_space() {
  const hsize_t none = 0;
  const hsize_t limit = H5S_UNLIMITED;
  return owned(H5Screate_simple(1, &none, &limit), H5Sclose, "describe a column");
}

Hdf5Handle compressed(GrowingDataset::Layout layout) {
  Hdf5Handle list = dataset_creation();
  const hsize_t chunk = layout.chunk_rows;
  check(H5Pset_chunk(list.get(), 1, &chunk), "set the chunk size");
  check(H5Pset_shuffle(list.get()), "set the shuffle filter");
  check(H5Pset_deflate(list.get(), static_cast<unsigned>(layout.gzip_level)), "set deflate");
  return list;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

ColumnSpec index_column(const TableSpec& spec) {
  return {spec.dimension, ColumnType::kInt64, "1", "row of " + spec.name};
}

}  // namespace

GrowingDataset::GrowingDataset(hid_t group, const std::string& name, ColumnType type, Layout layout)
    : dataset_(owned(H5Dcreate2(group, name.c_str(), stored_type(type), growing_space().get(),
                                H5P_DEFAULT, compressed(layout).get(), H5P_DEFAULT),
                     H5Dclose, "create dataset " + name)),
      name_(name),
      type_(type),
      chunk_rows_(layout.chunk_rows) {}

void GrowingDataset::append(std::span<const std::byte> values, ChunkCodec& codec) {
  const std::size_t rows = values.size() / size_of(type_);
  const hsize_t extent = rows_ + rows;
  check(H5Dset_extent(dataset_.get(), &extent), "extend " + name_);
  if (rows == chunk_rows_ && rows_ % chunk_rows_ == 0) {
    write_whole_chunk(search_.pack(codec, values, size_of(type_)));
  } else {
    write_part(values, rows);
  }
  rows_ = extent;
}

void GrowingDataset::write_whole_chunk(std::span<const std::byte> packed) {
  constexpr std::uint32_t kAllFilters = 0;  // a set bit would say that a filter was left out
  check(H5Dwrite_chunk(dataset_.get(), H5P_DEFAULT, kAllFilters, &rows_, packed.size(),
                       packed.data()),
        "write " + name_);
}

void GrowingDataset::write_part(std::span<const std::byte> values, std::size_t rows) {
  const hsize_t count = rows;
  if (count == 0) return;
  const Hdf5Handle target = owned(H5Dget_space(dataset_.get()), H5Sclose, "get an extent");
  check(H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, &rows_, nullptr, &count, nullptr),
        "select rows");
  const Hdf5Handle source = owned(H5Screate_simple(1, &count, nullptr), H5Sclose, "select rows");
  check(H5Dwrite(dataset_.get(), stored_type(type_), source.get(), target.get(), H5P_DEFAULT,
                 values.data()),
        "write " + name_);
}

Hdf5Table::Hdf5Table(hid_t file, TableSpec spec, int gzip_level)
    : group_(create_group(file, spec.name)), spec_(std::move(spec)), gzip_level_(gzip_level) {
  write_attribute(group_.get(), "dimension", spec_.dimension);
}

void Hdf5Table::append(std::span<const std::byte> rows, std::size_t chunk_rows, ChunkCodec& codec) {
  if (datasets_.empty()) create_datasets(chunk_rows);
  append_index(rows.size() / spec_.row_size, codec);
  for (std::size_t c = 0; c < spec_.columns.size(); ++c) {
    const ColumnSpec& column = spec_.columns[c];
    const ColumnView view{rows, spec_.row_size, column.offset};
    datasets_[c + 1].append(codec.gather(view, column.type), codec);
  }
}

void Hdf5Table::create_datasets(std::size_t chunk_rows) {
  const GrowingDataset::Layout layout{chunk_rows, gzip_level_};
  const ColumnSpec index = index_column(spec_);
  datasets_.emplace_back(group_.get(), index.name, index.type, layout);
  describe(datasets_.front(), index);
  const hid_t scale = datasets_.front().id();
  check(H5DSset_scale(scale, spec_.dimension.c_str()), "make " + index.name + " a dimension");
  for (const ColumnSpec& column : spec_.columns) {
    datasets_.emplace_back(group_.get(), column.name, column.type, layout);
    describe(datasets_.back(), column);
    check(H5DSattach_scale(datasets_.back().id(), scale, 0), "attach the dimension");
  }
}

void Hdf5Table::describe(const GrowingDataset& dataset, const ColumnSpec& column) {
  write_attribute(dataset.id(), "units", column.units);
  write_attribute(dataset.id(), "long_name", column.long_name);
  if (!column.dictionary.empty()) {
    write_attribute(dataset.id(), "dictionary", "/dict/" + column.dictionary + "/name");
  }
  if (!column.flags.empty()) {
    std::vector<std::uint8_t> values(column.flags.size());
    std::iota(values.begin(), values.end(), std::uint8_t{0});
    write_flag_values(dataset.id(), values);
    write_attribute(dataset.id(), "flag_meanings", joined(column.flags));
  }
}

void Hdf5Table::append_index(std::size_t rows, ChunkCodec& codec) {
  index_.resize(rows);
  std::iota(index_.begin(), index_.end(), rows_);
  datasets_.front().append(std::as_bytes(std::span(index_)), codec);
  rows_ += static_cast<std::int64_t>(rows);
}

}  // namespace septet::trace
