// Which timeline is written: its format, and what of the run it shows.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/base/quantity.hpp"
#include "core/files/output_file.hpp"
#include "tools/septet/export/timeline.hpp"
#include "tools/septet/options.hpp"

namespace septet::command {

struct TimelineChoice {
  std::string format = "perfetto";  // or "chrome", "csv", "none"
  Instant begin;
  Instant end = Instant::max();
  std::set<std::int64_t> gpus;  // by device; empty: all
};

// "10 ms:12 ms"; either side may be empty. `option` appears in the UsageError.
void read_window(const std::string& option, const std::string& text, TimelineChoice& choice);

// "0-7,12".
std::set<std::int64_t> read_gpus(const std::string& option, const std::string& text);

// --timeline, --timeline-window and --timeline-gpus, of commands that leave a result folder.
void add_timeline_options(Options& options, TimelineChoice& choice);

// "pftrace" and the like; of "none" there is none.
std::string extension_of(const std::string& format);

// Keeps what the choice shows.
void narrow(Timeline& timeline, const TimelineChoice& choice);

void write_timeline(const Timeline& timeline, const std::string& format, files::OutputFile& file);

}  // namespace septet::command
