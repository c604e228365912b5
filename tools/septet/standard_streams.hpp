// Standard input, output and error as a command may find them: closed, full, without a reader.
#pragma once

namespace septet::command {

// Where one of them is closed, something that fails takes its place, so that the first file that is
// opened doesn't become the standard output. A write to a pipe without a reader, or beyond the
// limit on the size of files, is an error from here on, not the end of the process.
void prepare_standard_streams();

}  // namespace septet::command
