#include "core/trace/hdf5_compound.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/error.hpp"
#include "core/trace/hdf5_text.hpp"

namespace septet::trace {
namespace {

using Texts = std::vector<std::string>;
using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

std::size_t length_of(const CompoundColumn& column) {
  return std::visit([](const auto& values) { return values.size(); }, column.values);
}

// The offset of a field in the rows, and its type. Fields follow one another without gaps.
struct Field {
  Hdf5Handle type;
  std::size_t offset;
  std::size_t size;
};

std::size_t text_capacity(const Texts& texts) {
  std::size_t longest = 1;  // HDF5 has no text of capacity 0
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  return longest;
}

Hdf5Handle field_type(const CompoundColumn& column) {
  if (const auto* texts = std::get_if<Texts>(&column.values)) {
    return fixed_text_type(text_capacity(*texts));
  }
  const bool integer = std::holds_alternative<Integers>(column.values);
  return owned(H5Tcopy(integer ? H5T_STD_I64LE : H5T_IEEE_F64LE), H5Tclose, "describe a number");
}

std::vector<Field> fields_of(const std::vector<CompoundColumn>& columns) {
  std::vector<Field> fields;
  std::size_t offset = 0;
  for (const CompoundColumn& column : columns) {
    Hdf5Handle type = field_type(column);
    const std::size_t size = H5Tget_size(type.get());
    fields.push_back({std::move(type), offset, size});
    offset += size;
  }
  return fields;
}

Hdf5Handle row_type(const std::vector<CompoundColumn>& columns, const std::vector<Field>& fields) {
  const std::size_t size = fields.back().offset + fields.back().size;
  Hdf5Handle type = owned(H5Tcreate(H5T_COMPOUND, size), H5Tclose, "describe a row");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    check(H5Tinsert(type.get(), columns[i].name.c_str(), fields[i].offset, fields[i].type.get()),
          "add field " + columns[i].name);
  }
  return type;
}

// Texts are padded to the longest one, so larger tables are compressed.
Hdf5Handle layout_of(hsize_t rows, std::size_t row_size) {
  constexpr std::size_t kSmall = 4096;
  constexpr std::size_t kChunkBytes = 1024 * 1024;
  Hdf5Handle list = dataset_creation();
  if (rows * row_size <= kSmall) return list;
  const hsize_t chunk = std::clamp<hsize_t>(kChunkBytes / row_size, 1, rows);
  check(H5Pset_chunk(list.get(), 1, &chunk), "set the chunk size");
  check(H5Pset_deflate(list.get(), 1), "set deflate");
  return list;
}

void put(std::vector<std::byte>& rows, std::size_t row_size, const Field& field,
         const CompoundColumn& column) {
  for (std::size_t row = 0; row < length_of(column); ++row) {
    std::byte* const place = rows.data() + row * row_size + field.offset;
    if (const auto* texts = std::get_if<Texts>(&column.values)) {
      std::memcpy(place, (*texts)[row].data(), (*texts)[row].size());
    } else if (const auto* integers = std::get_if<Integers>(&column.values)) {
      std::memcpy(place, &(*integers)[row], sizeof(std::int64_t));
    } else {
      std::memcpy(place, &std::get<Reals>(column.values)[row], sizeof(double));
    }
  }
}

CompoundValues empty_values(H5T_class_t kind, const std::string& name) {
  if (kind == H5T_STRING) return Texts();
  if (kind == H5T_INTEGER) return Integers();
  if (kind == H5T_FLOAT) return Reals();
  throw TraceFileError("field " + name + " is neither text nor a number");
}

std::string stored_text(const std::byte* place, std::size_t capacity) {
  const auto* characters = reinterpret_cast<const char*>(place);
  return {characters, strnlen(characters, capacity)};
}

void take(const std::byte* place, std::size_t size, CompoundValues& values) {
  if (auto* texts = std::get_if<Texts>(&values)) {
    texts->push_back(stored_text(place, size));
  } else if (auto* integers = std::get_if<Integers>(&values)) {
    std::memcpy(&integers->emplace_back(), place, sizeof(std::int64_t));
  } else {
    std::memcpy(&std::get<Reals>(values).emplace_back(), place, sizeof(double));
  }
}

std::string field_name(hid_t type, unsigned index) {
  char* name = H5Tget_member_name(type, index);
  if (name == nullptr) throw TraceFileError("cannot read the name of a field");
  std::string copy(name);
  check(H5free_memory(name), "release the name of a field");
  return copy;
}

CompoundColumn read_field(hid_t dataset, hid_t type, unsigned index,
                          const std::vector<std::byte>& rows) {
  const std::size_t row_size = H5Tget_size(type);
  const Hdf5Handle member = owned(H5Tget_member_type(type, index), H5Tclose, "get a field's type");
  const std::size_t offset = H5Tget_member_offset(type, index);
  const std::size_t size = H5Tget_size(member.get());
  CompoundColumn column;
  column.name = field_name(type, index);
  column.values = empty_values(H5Tget_class(member.get()), column.name);
  const bool text = std::holds_alternative<Texts>(column.values);
  if (!text && size != 8) throw TraceFileError("field " + column.name + " is not of 8 bytes");
  const std::string units = "units_" + column.name;
  if (has_attribute(dataset, units)) {
    const AttributeValue value = read_attribute(dataset, units);
    if (const auto* said = std::get_if<std::string>(&value)) column.units = *said;
  }
  for (std::size_t at = offset; at < rows.size(); at += row_size) {
    take(rows.data() + at, size, column.values);
  }
  return column;
}

}  // namespace

void write_compound_dataset(hid_t parent, const std::string& name, const std::string& long_name,
                            const std::vector<CompoundColumn>& columns) {
  SEPTET_ASSERT(!columns.empty());
  const std::vector<Field> fields = fields_of(columns);
  const Hdf5Handle type = row_type(columns, fields);
  const std::size_t row_size = H5Tget_size(type.get());
  const hsize_t length = length_of(columns.front());
  std::vector<std::byte> rows(length * row_size);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    SEPTET_ASSERT(length_of(columns[i]) == length);
    put(rows, row_size, fields[i], columns[i]);
  }
  const Hdf5Handle space = owned(H5Screate_simple(1, &length, nullptr), H5Sclose, "describe rows");
  const Hdf5Handle dataset =
      owned(H5Dcreate2(parent, name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                       layout_of(length, row_size).get(), H5P_DEFAULT),
            H5Dclose, "create dataset " + name);
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()),
        "write dataset " + name);
  write_attribute(dataset.get(), "long_name", long_name);
  for (const CompoundColumn& column : columns) {
    if (!column.units.empty()) {
      write_attribute(dataset.get(), "units_" + column.name, column.units);
    }
  }
}

std::vector<CompoundColumn> read_compound_dataset(hid_t parent, const std::string& name) {
  const Hdf5Handle dataset = open_dataset(parent, name);
  const Hdf5Handle type = owned(H5Dget_type(dataset.get()), H5Tclose, "get a type");
  if (H5Tget_class(type.get()) != H5T_COMPOUND) {
    throw TraceFileError("dataset " + name + " is not a compound table");
  }
  const Hdf5Handle space = owned(H5Dget_space(dataset.get()), H5Sclose, "get an extent");
  const auto length = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get()));
  check_extent(dataset.get(), name, length, H5Tget_size(type.get()));
  std::vector<std::byte> rows(length * H5Tget_size(type.get()));
  check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()),
        "read dataset " + name);
  std::vector<CompoundColumn> columns;
  const auto fields = static_cast<unsigned>(H5Tget_nmembers(type.get()));
  for (unsigned i = 0; i < fields; ++i) {
    columns.push_back(read_field(dataset.get(), type.get(), i, rows));
  }
  return columns;
}

}  // namespace septet::trace
