// Standard input, output and error that are closed, full or without a reader.
#pragma once

namespace septet::command {

// A closed stream is replaced by one that fails, so that the first file opened doesn't become the
// standard output. From here on, a write to a pipe without a reader, or beyond the file size limit,
// is an error and doesn't end the process.
void prepare_standard_streams();

}  // namespace septet::command
