#include "core/trace/hdf5_text.hpp"

#include <type_traits>
#include <utility>

namespace septet::trace {
namespace {

Hdf5Handle scalar_space() {
  return owned(H5Screate(H5S_SCALAR), H5Sclose, "describe a single value");
}

Hdf5Handle list_space(std::size_t length) {
  const hsize_t extent = length;
  return owned(H5Screate_simple(1, &extent, nullptr), H5Sclose, "describe a list");
}

Hdf5Handle new_attribute(hid_t object, const std::string& name, hid_t type, hid_t space) {
  if (has_attribute(object, name)) {
    check(H5Adelete(object, name.c_str()), "replace attribute " + name);
  }
  const hid_t id = H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
  return owned(id, H5Aclose, "create attribute " + name);
}

void write_scalar(hid_t object, const std::string& name, hid_t type, const void* value) {
  const Hdf5Handle attribute = new_attribute(object, name, type, scalar_space().get());
  check(H5Awrite(attribute.get(), type, value), "write attribute " + name);
}

template <class Value>
Value read_scalar(hid_t attribute, hid_t type) {
  Value value{};
  check(H5Aread(attribute, type, &value), "read an attribute");
  return value;
}

// Text that HDF5 allocated, given back to it at the end.
class BorrowedTexts {
 public:
  BorrowedTexts(hid_t type, hid_t space, std::size_t length)
      : type_(type), space_(space), texts_(length) {}
  BorrowedTexts(const BorrowedTexts&) = delete;
  BorrowedTexts& operator=(const BorrowedTexts&) = delete;
  ~BorrowedTexts() { H5Dvlen_reclaim(type_, space_, H5P_DEFAULT, texts_.data()); }

  char** data() { return texts_.data(); }
  std::vector<std::string> copies() const {
    std::vector<std::string> out;
    for (const char* text : texts_) out.emplace_back(text == nullptr ? "" : text);
    return out;
  }

 private:
  hid_t type_;
  hid_t space_;
  std::vector<char*> texts_;
};

std::string read_text_attribute(hid_t attribute) {
  const Hdf5Handle type = text_type();
  const Hdf5Handle space = scalar_space();
  BorrowedTexts borrowed(type.get(), space.get(), 1);
  check(H5Aread(attribute, type.get(), borrowed.data()), "read an attribute");
  return borrowed.copies().front();
}

bool is_signed(hid_t type) { return H5Tget_sign(type) == H5T_SGN_2; }

}  // namespace

Hdf5Handle text_type() {
  Hdf5Handle type = fixed_text_type(H5T_VARIABLE);
  return type;
}

Hdf5Handle fixed_text_type(std::size_t capacity) {
  Hdf5Handle type = owned(H5Tcopy(H5T_C_S1), H5Tclose, "describe text");
  check(H5Tset_size(type.get(), capacity), "set the size of text");
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "set the encoding of text");
  if (capacity != H5T_VARIABLE) check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "pad text");
  return type;
}

void write_attribute(hid_t object, const std::string& name, const AttributeValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    const char* characters = text->c_str();
    write_scalar(object, name, text_type().get(), &characters);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    write_scalar(object, name, H5T_NATIVE_INT64, integer);
  } else if (const auto* natural = std::get_if<std::uint64_t>(&value)) {
    write_scalar(object, name, H5T_NATIVE_UINT64, natural);
  } else {
    write_scalar(object, name, H5T_NATIVE_DOUBLE, &std::get<double>(value));
  }
}

void write_flag_values(hid_t object, std::span<const std::uint8_t> values) {
  const Hdf5Handle space = list_space(values.size());
  const Hdf5Handle list = new_attribute(object, "flag_values", H5T_NATIVE_UINT8, space.get());
  check(H5Awrite(list.get(), H5T_NATIVE_UINT8, values.data()), "write attribute flag_values");
}

bool has_attribute(hid_t object, const std::string& name) {
  const htri_t found = H5Aexists(object, name.c_str());
  check(found, "look for attribute " + name);
  return found > 0;
}

AttributeValue read_attribute(hid_t object, const std::string& name) {
  const Hdf5Handle attribute =
      owned(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "open attribute " + name);
  const Hdf5Handle type = owned(H5Aget_type(attribute.get()), H5Tclose, "get a type");
  const Hdf5Handle space = owned(H5Aget_space(attribute.get()), H5Sclose, "get an extent");
  const bool single = H5Sget_simple_extent_npoints(space.get()) == 1;
  const H5T_class_t kind = H5Tget_class(type.get());
  if (single && kind == H5T_STRING && H5Tis_variable_str(type.get()) > 0) {
    return read_text_attribute(attribute.get());
  }
  if (single && kind == H5T_FLOAT) {
    return read_scalar<double>(attribute.get(), H5T_NATIVE_DOUBLE);
  }
  if (single && kind == H5T_INTEGER && is_signed(type.get())) {
    return read_scalar<std::int64_t>(attribute.get(), H5T_NATIVE_INT64);
  }
  if (single && kind == H5T_INTEGER) {
    return read_scalar<std::uint64_t>(attribute.get(), H5T_NATIVE_UINT64);
  }
  throw TraceFileError("attribute " + name + " is neither text nor a single number");
}

Hdf5Handle write_texts(hid_t parent, const std::string& name,
                       const std::vector<std::string>& texts) {
  const Hdf5Handle type = text_type();
  const Hdf5Handle space = list_space(texts.size());
  Hdf5Handle dataset = owned(H5Dcreate2(parent, name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                        dataset_creation().get(), H5P_DEFAULT),
                             H5Dclose, "create dataset " + name);
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()),
        "write dataset " + name);
  return dataset;
}

std::vector<std::string> read_texts(hid_t dataset) {
  const Hdf5Handle stored = owned(H5Dget_type(dataset), H5Tclose, "get a type");
  if (H5Tget_class(stored.get()) != H5T_STRING || H5Tis_variable_str(stored.get()) <= 0) {
    throw TraceFileError("a dataset of text holds something else");
  }
  const Hdf5Handle type = text_type();
  const Hdf5Handle space = owned(H5Dget_space(dataset), H5Sclose, "get an extent");
  const auto length = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get()));
  check_extent(dataset, "of texts", length, H5Tget_size(stored.get()));
  BorrowedTexts borrowed(type.get(), space.get(), length);
  check(H5Dread(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, borrowed.data()), "read texts");
  return borrowed.copies();
}

void write_text(hid_t parent, const std::string& name, const std::string& text) {
  const Hdf5Handle type = text_type();
  const Hdf5Handle dataset =
      owned(H5Dcreate2(parent, name.c_str(), type.get(), scalar_space().get(), H5P_DEFAULT,
                       dataset_creation().get(), H5P_DEFAULT),
            H5Dclose, "create dataset " + name);
  const char* characters = text.c_str();
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &characters),
        "write dataset " + name);
}

std::string read_text(hid_t dataset) {
  const std::vector<std::string> texts = read_texts(dataset);
  if (texts.size() != 1)
    throw TraceFileError("wanted one text, got " + std::to_string(texts.size()));
  return texts.front();
}

}  // namespace septet::trace
