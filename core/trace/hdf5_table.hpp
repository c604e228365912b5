// Writes one trace table: a group with one extensible dataset a column, all on one dimension scale
// that counts the rows (an index in pandas, a dimension in xarray).
#pragma once

#include <span>
#include <vector>

#include "core/trace/chunk_codec.hpp"
#include "core/trace/hdf5_handle.hpp"
#include "core/trace/table.hpp"

namespace septet::trace {

// A dataset that grows along its only dimension.
class GrowingDataset {
 public:
  struct Layout {
    std::size_t chunk_rows;
    int gzip_level;
  };
  GrowingDataset(hid_t group, const std::string& name, ColumnType type, Layout layout);

  hid_t id() const { return dataset_.get(); }
  void append(std::span<const std::byte> values, ChunkCodec& codec);

 private:
  void write_whole_chunk(std::span<const std::byte> packed);
  void write_part(std::span<const std::byte> values, std::size_t rows);

  Hdf5Handle dataset_;
  std::string name_;
  ColumnType type_;
  std::size_t chunk_rows_;
  SearchChoice search_;
  hsize_t rows_ = 0;
};

class Hdf5Table {
 public:
  Hdf5Table(hid_t file, TableSpec spec, int gzip_level);

  // Appends rows. Datasets come into being with the first ones: with chunks of `chunk_rows`.
  void append(std::span<const std::byte> rows, std::size_t chunk_rows, ChunkCodec& codec);

 private:
  void create_datasets(std::size_t chunk_rows);
  void describe(const GrowingDataset& dataset, const ColumnSpec& column);
  void append_index(std::size_t rows, ChunkCodec& codec);

  Hdf5Handle group_;
  TableSpec spec_;
  int gzip_level_;
  std::vector<GrowingDataset> datasets_;  // the scale, then the columns; empty before the first row
  std::vector<std::int64_t> index_;
  std::int64_t rows_ = 0;
};

}  // namespace septet::trace
