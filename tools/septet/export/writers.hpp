// The timeline formats. Each writer expects sorted slices and writes every one of them.
#pragma once

#include "core/files/output_file.hpp"
#include "tools/septet/export/timeline.hpp"

namespace septet::command {

// Perfetto's protobuf (ui.perfetto.dev): names are interned, overlapping slices get extra tracks,
// launches have arrows to what they launched. Times are cut to nanoseconds, the format's own unit.
void write_perfetto(const Timeline& timeline, files::OutputFile& file);

// Chrome JSON as the PyTorch profiler writes it, for chrome://tracing and for reading it back with
// `septet replay`. Times are exact: microseconds with up to six decimals.
void write_chrome(const Timeline& timeline, files::OutputFile& file);

// One line per slice, with a column for every argument that occurs. Times as in the Chrome format.
void write_csv(const Timeline& timeline, files::OutputFile& file);

}  // namespace septet::command
