// Text in HDF5 files: attributes and datasets of variable-length UTF-8, which h5py hands out as
// str (fixed-length text comes back as bytes), and numeric attributes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/trace/hdf5_handle.hpp"

namespace septet::trace {

Hdf5Handle text_type();                            // variable length, UTF-8
Hdf5Handle fixed_text_type(std::size_t capacity);  // zero-padded to `capacity` bytes, UTF-8

// Replaces an attribute of the same name.
void write_attribute(hid_t object, const std::string& name, const AttributeValue& value);
void write_flag_values(hid_t object, std::span<const std::uint8_t> values);  // CF: flag_values

bool has_attribute(hid_t object, const std::string& name);
AttributeValue read_attribute(hid_t object, const std::string& name);

Hdf5Handle write_texts(hid_t parent, const std::string& name,
                       const std::vector<std::string>& texts);
std::vector<std::string> read_texts(hid_t dataset);

void write_text(hid_t parent, const std::string& name, const std::string& text);  // a scalar
std::string read_text(hid_t dataset);

}  // namespace septet::trace
