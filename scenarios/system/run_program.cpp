#include "scenarios/system/run_program.hpp"

#include <utility>

namespace septet {

ProgramRun run_program(const Program& program, const SystemSpec& spec, const RunOptions& options,
                       RowSink* also) {
  System system(program, spec);
  return run_program(system, options, also);
}

ProgramRun run_program(System& system, const RunOptions& options, RowSink* also) {
  MemorySink memory(system.trace().schema);
  std::vector<RowSink*> sinks{&memory};
  if (also != nullptr) sinks.push_back(also);
  TeeSink tee(sinks);
  RunOptions with_rows = options;
  with_rows.rows = &tee;
  const RunResult result = system.run(with_rows);
  return {result,          system.trace(),   std::move(memory), system.unfinished(),
          system.extent(), system.activity()};
}

}  // namespace septet
