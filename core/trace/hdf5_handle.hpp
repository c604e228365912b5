// Ownership and errors of HDF5 objects. Every call of the C API in this folder goes through
// `owned` or `check`, so none fails unseen.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <hdf5.h>

#include "core/trace/file_content.hpp"

namespace septet::trace {

// An operation on a trace file failed: the disk is full, a directory is missing, a file is corrupt.
// The writer and the reader add the name of the file.
class TraceFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Closes an HDF5 object when it goes out of scope.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() {
    if (valid()) close_(id_);
  }

  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }
  void close(const std::string& doing);  // now, with an error if that fails

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

// To be called on each thread before any other call of HDF5. Keeps it from printing its error
// stack, which we put into exceptions, and from tidying up at exit, where it crashes after a full
// disk.
void prepare_hdf5();

// Throw TraceFileError "cannot DOING: REASON" with HDF5's innermost reason where a call failed. The
// reason is lost with the next call of HDF5: nothing may be closed between the call and these.
Hdf5Handle owned(hid_t id, Hdf5Handle::Close close, const std::string& doing);
void check(herr_t result, const std::string& doing);

// Property lists for all our files: creation order tracked, no time stamps.
Hdf5Handle file_access(FileLocking locking);
Hdf5Handle file_creation();
Hdf5Handle group_creation();
Hdf5Handle dataset_creation();

Hdf5Handle create_group(hid_t parent, const std::string& name);
Hdf5Handle open_group(hid_t parent, const std::string& name);
Hdf5Handle open_dataset(hid_t parent, const std::string& name);
bool has_link(hid_t parent, const std::string& name);  // a direct member

// Throws TraceFileError where the file can't hold the `length` values of `value_size` that it
// claims: there would be no memory for them.
void check_extent(hid_t dataset, const std::string& name, std::size_t length,
                  std::size_t value_size);

}  // namespace septet::trace
