#include "core/trace/hdf5_handle.hpp"

#include <string_view>

namespace septet::trace {
namespace {

// Walking upward, the first entry is the innermost call: the one that knows what went wrong.
herr_t take_first(unsigned depth, const H5E_error2_t* entry, void* text) {
  if (depth == 0 && entry->desc != nullptr) *static_cast<std::string*>(text) = entry->desc;
  return 0;
}

// HDF5 wraps the operating system's message in times, addresses and descriptors: "unable to open
// file: name = 'x', errno = 13, error message = 'Permission denied', flags = 0".
std::string shortened(const std::string& reason) {
  constexpr std::string_view kMark = "error message = '";
  const std::size_t mark = reason.find(kMark);
  if (mark == std::string::npos) return reason;
  const std::size_t begin = mark + kMark.size();
  const std::string said = reason.substr(begin, reason.find('\'', begin) - begin);
  return reason.substr(0, reason.find_first_of(":,")) + " (" + said + ")";
}

std::string innermost_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, &take_first, &reason);
  if (reason.empty()) return "HDF5 gives no reason";
  const bool locked = reason.starts_with("unable to lock file");
  return shortened(reason) + (locked ? "; another process has it open, or the file system does not "
                                       "support locks (then set HDF5_USE_FILE_LOCKING=FALSE)"
                                     : "");
}

[[noreturn]] void fail(const std::string& doing) {
  throw TraceFileError("cannot " + doing + ": " + innermost_reason());
}

constexpr unsigned kOrdered = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;

Hdf5Handle creation_list(hid_t list_class) {
  Hdf5Handle list = owned(H5Pcreate(list_class), H5Pclose, "create a property list");
  check(H5Pset_attr_creation_order(list.get(), kOrdered), "track the order of attributes");
  check(H5Pset_obj_track_times(list.get(), false), "leave out times");
  return list;
}

}  // namespace

void Hdf5Handle::close(const std::string& doing) {
  if (!valid()) return;
  check(close_(std::exchange(id_, H5I_INVALID_HID)), doing);
}

void prepare_hdf5() {
  [[maybe_unused]] static const bool once = [] {
    H5dont_atexit();  // refused, and not needed, where somebody else started HDF5 before
    return true;
  }();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Handle owned(hid_t id, Hdf5Handle::Close close, const std::string& doing) {
  if (id < 0) fail(doing);
  return {id, close};
}

void check(herr_t result, const std::string& doing) {
  if (result < 0) fail(doing);
}

Hdf5Handle file_access(FileLocking locking) {
  Hdf5Handle list = owned(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create a property list");
  // Without a sieve buffer a failed write fails where it is asked for. With one it fails when the
  // dataset is closed, which has no way to say so, and the data are lost.
  check(H5Pset_sieve_buf_size(list.get(), 0), "do without the sieve buffer");
  if (locking != FileLocking::kAuto) {
    check(H5Pset_file_locking(list.get(), locking == FileLocking::kOn, true), "set file locking");
  }
  return list;
}

// The root group has no creation list of its own: the file's is used.
Hdf5Handle file_creation() {
  Hdf5Handle list = creation_list(H5P_FILE_CREATE);
  check(H5Pset_link_creation_order(list.get(), kOrdered), "track the order of groups");
  return list;
}

Hdf5Handle group_creation() {
  Hdf5Handle list = creation_list(H5P_GROUP_CREATE);
  check(H5Pset_link_creation_order(list.get(), kOrdered), "track the order of columns");
  return list;
}

Hdf5Handle dataset_creation() { return creation_list(H5P_DATASET_CREATE); }

Hdf5Handle create_group(hid_t parent, const std::string& name) {
  return owned(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, group_creation().get(), H5P_DEFAULT),
               H5Gclose, "create group " + name);
}

Hdf5Handle open_group(hid_t parent, const std::string& name) {
  return owned(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "open group " + name);
}

Hdf5Handle open_dataset(hid_t parent, const std::string& name) {
  return owned(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "open dataset " + name);
}

bool has_link(hid_t parent, const std::string& name) {
  const htri_t found = H5Lexists(parent, name.c_str(), H5P_DEFAULT);
  check(found, "look for " + name);
  return found > 0;
}

void check_extent(hid_t dataset, const std::string& name, std::size_t length,
                  std::size_t value_size) {
  constexpr std::size_t kMostPacked = 1100;  // deflate packs at most 1032 bytes into one
  const std::size_t stored = H5Dget_storage_size(dataset);
  if (value_size > 0 && length <= stored * kMostPacked / value_size) return;
  throw TraceFileError("column " + name + ": got " + std::to_string(length) + " values in " +
                       std::to_string(stored) + " bytes, which can't hold them");
}

}  // namespace septet::trace
