#include "core/trace/hdf5_reader.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "core/base/error.hpp"
#include "core/trace/file_seal.hpp"
#include "core/trace/hdf5_compound.hpp"
#include "core/trace/hdf5_handle.hpp"
#include "core/trace/hdf5_text.hpp"
#include "core/trace/hdf5_trial.hpp"

namespace septet::trace {
namespace {

namespace fs = std::filesystem;

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

herr_t add_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  return add_name(0, name, nullptr, names);
}

// Members of a group in the order in which they were made.
std::vector<std::string> members_of(hid_t group) {
  std::vector<std::string> names;
  check(H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, &add_name, &names),
        "list a group");
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "nothing" : out;
}

void require_member(hid_t group, const std::string& where, const std::string& name) {
  if (has_link(group, name)) return;
  throw TraceFileError(where + " has no " + name + "; it has " + listed(members_of(group)));
}

std::string text_of(const AttributeValue& value, const std::string& name) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) throw TraceFileError("attribute " + name + " is not text");
  return *text;
}

std::string text_attribute(hid_t object, const std::string& name) {
  if (!has_attribute(object, name)) return {};
  return text_of(read_attribute(object, name), name);
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> out;
  for (std::string word; stream >> word;) out.push_back(word);
  return out;
}

ColumnType column_type(hid_t dataset, const std::string& name) {
  const Hdf5Handle type = owned(H5Dget_type(dataset), H5Tclose, "get a type");
  const H5T_class_t kind = H5Tget_class(type.get());
  const std::size_t size = H5Tget_size(type.get());
  if (kind == H5T_FLOAT && size == 8) return ColumnType::kFloat64;
  if (kind == H5T_FLOAT && size == 4) return ColumnType::kFloat32;
  if (kind == H5T_INTEGER && size == 8) return ColumnType::kInt64;
  if (kind == H5T_INTEGER && size == 4) return ColumnType::kInt32;
  if (kind == H5T_INTEGER && size == 1) return ColumnType::kUint8;
  throw TraceFileError("column " + name + " has a type that no trace has");
}

ColumnSpec column_spec(hid_t group, const std::string& name) {
  const Hdf5Handle dataset = open_dataset(group, name);
  ColumnSpec spec{name, column_type(dataset.get(), name), text_attribute(dataset.get(), "units"),
                  text_attribute(dataset.get(), "long_name")};
  const std::string place = text_attribute(dataset.get(), "dictionary");
  if (!place.empty()) spec.dictionary = fs::path(place).parent_path().filename().string();
  spec.flags = words(text_attribute(dataset.get(), "flag_meanings"));
  return spec;
}

std::size_t length_of(hid_t dataset) {
  const Hdf5Handle space = owned(H5Dget_space(dataset), H5Sclose, "get an extent");
  return static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get()));
}

template <class Value>
std::vector<Value> read_column(hid_t group, const std::string& table, const std::string& column,
                               H5T_class_t wanted, hid_t memory_type) {
  require_member(group, "table " + table, column);
  const Hdf5Handle dataset = open_dataset(group, column);
  const Hdf5Handle type = owned(H5Dget_type(dataset.get()), H5Tclose, "get a type");
  if (H5Tget_class(type.get()) != wanted) {
    throw TraceFileError("column " + table + "/" + column + " does not hold " +
                         (wanted == H5T_INTEGER ? "integers" : "floating-point numbers"));
  }
  const std::size_t length = length_of(dataset.get());
  check_extent(dataset.get(), table + "/" + column, length, H5Tget_size(type.get()));
  std::vector<Value> values(length);
  check(H5Dread(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "read " + table + "/" + column);
  return values;
}

void check_file(const fs::path& path) {
  if (!fs::exists(path)) throw TraceFileError("no such file");
  if (fs::is_directory(path)) throw TraceFileError("it is a directory");
}

Hdf5Handle opened(const fs::path& path, FileLocking locking) {
  Hdf5Handle file = owned(H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access(locking).get()),
                          H5Fclose, "open it as a trace file");
  if (!has_attribute(file.get(), "schema_version")) {
    throw TraceFileError("an HDF5 file, but not a Septet trace: no schema_version");
  }
  return file;
}

void check_version(hid_t file) {
  const AttributeValue value = read_attribute(file, "schema_version");
  const auto* version = std::get_if<std::int64_t>(&value);
  if (version != nullptr && *version == kTraceSchemaVersion) return;
  throw TraceFileError("schema_version: got " +
                       (version == nullptr ? "no integer" : std::to_string(*version)) +
                       ", wanted " + std::to_string(kTraceSchemaVersion));
}

}  // namespace

struct Hdf5Reader::Impl {
  fs::path path;
  Hdf5Handle file;
  bool sealed = false;

  // Runs `work`; an error names the file.
  template <class Work>
  auto guarded(Work work) const {
    prepare_hdf5();
    try {
      return work();
    } catch (const TraceFileError& error) {
      throw ConfigError({path.string()}, error.what());
    }
  }

  Hdf5Handle group(const std::string& name) const {
    require_member(file.get(), "the file", name);
    return open_group(file.get(), name);
  }
};

Hdf5Reader::Hdf5Reader(fs::path path, FileLocking locking, Trial trial)
    : impl_(std::make_unique<Impl>(Impl{std::move(path), {}})) {
  impl_->guarded([&] {
    check_file(impl_->path);
    impl_->sealed = check_seal(impl_->path);
    if (!impl_->sealed && trial == Trial::kUnsealed) try_reading(impl_->path, locking);
    impl_->file = opened(impl_->path, locking);
    check_version(impl_->file.get());
  });
}

Hdf5Reader::~Hdf5Reader() = default;

const fs::path& Hdf5Reader::path() const { return impl_->path; }

bool Hdf5Reader::sealed() const { return impl_->sealed; }

std::vector<std::string> Hdf5Reader::tables() const {
  return impl_->guarded([&] {
    std::vector<std::string> names;
    for (const std::string& name : members_of(impl_->file.get())) {
      H5O_info_t info;
      check(
          H5Oget_info_by_name2(impl_->file.get(), name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT),
          "look at " + name);
      const bool own = name != "dict" && name != "names" && name != "meta";
      if (own && info.type == H5O_TYPE_GROUP) names.push_back(name);
    }
    return names;
  });
}

TableSpec Hdf5Reader::table(const std::string& name) const {
  return impl_->guarded([&] {
    const Hdf5Handle group = impl_->group(name);
    std::vector<std::string> names = members_of(group.get());
    TableSpec spec{name, text_attribute(group.get(), "dimension"), {}};
    std::erase(names, spec.dimension);
    for (const std::string& column : names) {
      spec.columns.push_back(column_spec(group.get(), column));
    }
    return packed(std::move(spec));
  });
}

std::size_t Hdf5Reader::rows(const std::string& table) const {
  return impl_->guarded([&]() -> std::size_t {
    const Hdf5Handle group = impl_->group(table);
    const std::string dimension = text_attribute(group.get(), "dimension");
    if (dimension.empty() || !has_link(group.get(), dimension)) return 0;
    return length_of(open_dataset(group.get(), dimension).get());
  });
}

std::vector<std::int64_t> Hdf5Reader::integers(const std::string& table,
                                               const std::string& column) const {
  return impl_->guarded([&] {
    return read_column<std::int64_t>(impl_->group(table).get(), table, column, H5T_INTEGER,
                                     H5T_NATIVE_INT64);
  });
}

std::vector<double> Hdf5Reader::reals(const std::string& table, const std::string& column) const {
  return impl_->guarded([&] {
    return read_column<double>(impl_->group(table).get(), table, column, H5T_FLOAT,
                               H5T_NATIVE_DOUBLE);
  });
}

std::vector<std::string> Hdf5Reader::dictionary(const std::string& name) const {
  return impl_->guarded([&] {
    const Hdf5Handle dictionaries = impl_->group("dict");
    require_member(dictionaries.get(), "/dict", name);
    const Hdf5Handle group = open_group(dictionaries.get(), name);
    return read_texts(open_dataset(group.get(), "name").get());
  });
}

std::optional<std::size_t> Hdf5Reader::dictionary_size(const std::string& name) const {
  return impl_->guarded([&]() -> std::optional<std::size_t> {
    const Hdf5Handle dictionaries = impl_->group("dict");
    if (!has_link(dictionaries.get(), name)) return std::nullopt;
    const Hdf5Handle group = open_group(dictionaries.get(), name);
    if (!has_link(group.get(), "name")) return std::nullopt;
    return length_of(open_dataset(group.get(), "name").get());
  });
}

AttributeValue Hdf5Reader::attribute(const std::string& name) const {
  return impl_->guarded([&] {
    if (!has_attribute(impl_->file.get(), name)) throw TraceFileError("no attribute " + name);
    return read_attribute(impl_->file.get(), name);
  });
}

std::vector<std::string> Hdf5Reader::attribute_names() const {
  return impl_->guarded([&] {
    std::vector<std::string> names;
    check(
        H5Aiterate2(impl_->file.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, &add_attribute, &names),
        "list attributes");
    return names;
  });
}

std::vector<std::string> Hdf5Reader::members(const std::string& group) const {
  return impl_->guarded(
      [&] { return members_of(group.empty() ? impl_->file.get() : impl_->group(group).get()); });
}

std::string Hdf5Reader::status() const {
  return impl_->guarded([&] { return text_of(attribute("status"), "status"); });
}

std::string Hdf5Reader::meta(const std::string& name) const {
  return impl_->guarded([&] {
    const Hdf5Handle group = impl_->group("meta");
    require_member(group.get(), "/meta", name);
    return read_text(open_dataset(group.get(), name).get());
  });
}

std::vector<SummaryRow> Hdf5Reader::summary() const { return read_small_table<SummaryRow>(*this); }

std::vector<CompoundColumn> Hdf5Reader::compound(const std::string& name) const {
  return impl_->guarded([&] {
    require_member(impl_->file.get(), "the file", name);
    return read_compound_dataset(impl_->file.get(), name);
  });
}

}  // namespace septet::trace
