#include "scenarios/system/run_program.hpp"

#include <utility>

namespace septet::system {

ProgramRun run_program(const program::Program& program, const SystemSpec& spec,
                       const engine::RunOptions& options, trace::RowSink* also) {
  System system(program, spec);
  return run_program(system, options, also);
}

ProgramRun run_program(System& system, const engine::RunOptions& options, trace::RowSink* also) {
  trace::MemorySink memory(system.trace().schema);
  std::vector<trace::RowSink*> sinks{&memory};
  if (also != nullptr) sinks.push_back(also);
  trace::TeeSink tee(sinks);
  engine::RunOptions with_rows = options;
  with_rows.rows = &tee;
  const engine::RunResult result = system.run(with_rows);
  return {result,          system.trace(),   std::move(memory), system.unfinished(),
          system.extent(), system.activity()};
}

}  // namespace septet::system
