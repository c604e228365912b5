// What a sweep has done so far: a file to which each finished point is appended, so that the same
// command goes on after any end of the process.
//
// A line is a JSON array and the CRC-32 of its text; the first one names the sweep. A line that was
// cut or damaged, and all after it, count as not written: they are cut off and their points run
// again. Lines are written as soon as a point is done and synced to disk every quarter of a second:
// a killed process loses nothing, a machine that loses power at most that.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/files/folder_lock.hpp"
#include "core/files/lease.hpp"
#include "scenarios/sweep/experiment.hpp"

namespace septet::sweep {

using Results = std::map<std::string, PointResult>;  // by name of the point

class Journal {
 public:
  // Opens or creates it and keeps other processes out, on this machine by a lock, on others by a
  // lease, for which it may wait: `tell` says so. `sweep`: what the journal must be of. Throws
  // ConfigError where it is of another sweep, FileError where it can't be used.
  Journal(const std::filesystem::path& path, const std::string& sweep,
          const files::Lease::Tell& tell = {});
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const Results& results() const { return results_; }

  // By any thread. Throws FileError, also where another process took the journal over.
  void add(const std::string& point, const PointResult& result);
  void sync();

 private:
  std::filesystem::path path_;
  files::FolderLock lock_;
  files::Lease lease_;
  int descriptor_ = -1;
  Results results_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point synced_;
};

// The results in a journal, without opening it for writing; a cut end is left out.
Results read_journal(const std::filesystem::path& path, const std::string& sweep);

// Adds those of another journal; whatever the order, a result wins over a failure.
void merge_into(Results& all, Results more);

}  // namespace septet::sweep
