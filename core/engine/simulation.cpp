#include "core/engine/simulation.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/engine/model.hpp"
#include "core/engine/partitioning.hpp"
#include "core/engine/sequential.hpp"
#include "core/engine/window_run.hpp"

namespace septet {

struct Simulation::Impl {
  Model model;
  bool ran = false;
};

namespace {

void check_lookahead(const Model& model, ProcessId from, ProcessId to, Duration lookahead) {
  const bool across_groups = !model.same_group(from, to);
  if (lookahead > Duration{} || (lookahead == Duration{} && !across_groups)) return;
  throw ModelError(
      fmt::format("the channel from {} to {} has a lookahead of {} ps, wanted {}",
                  model.processes.label(from), model.processes.label(to), lookahead.count(),
                  across_groups ? "a positive one, as their groups differ" : "at least 0"));
}

// Groups may still be added after connect_all, so its lookahead is checked when the run starts.
void check_lookahead_of_all(const Model& model) {
  if (!model.channels.any_to_any() || model.channels.all() > Duration{}) return;
  for (ProcessId id = 0; id < model.processes.size(); ++id) {
    check_lookahead(model, 0, id, model.channels.all());
  }
}

std::size_t foreseeing(const Model& model) {
  std::size_t count = 0;
  for (ProcessId id = 0; id < model.processes.size(); ++id) {
    count += model.processes[id].process->foresees() ? 1 : 0;
  }
  return count;
}

}  // namespace

Simulation::Simulation() : impl_(std::make_unique<Impl>()) {}
Simulation::~Simulation() = default;

ProcessId Simulation::add(std::unique_ptr<LogicalProcess> process, GroupId group,
                          std::string name) {
  return impl_->model.processes.add(std::move(process), group, name);
}

LogicalProcess& Simulation::process(ProcessId id) {
  SEPTET_ASSERT(id < impl_->model.processes.size());
  return *impl_->model.processes[id].process;
}

void Simulation::connect(ProcessId from, ProcessId to, Duration lookahead) {
  Model& model = impl_->model;
  SEPTET_ASSERT(from < model.processes.size() && to < model.processes.size());
  check_lookahead(model, from, to, lookahead);
  model.channels.add({from, to, lookahead});
}

void Simulation::connect_all(Duration lookahead) { impl_->model.channels.add_all(lookahead); }

RunResult Simulation::run(const RunOptions& options) {
  SEPTET_ASSERT(!impl_->ran && options.threads > 0);
  impl_->ran = true;
  Model& model = impl_->model;
  check_lookahead_of_all(model);
  model.channels.freeze(model.processes.size());
  const std::size_t wanted = wanted_partitions(options, model.processes.size(), foreseeing(model));
  if (wanted == 1) return run_sequentially(model, options);
  Partitioning partitioning = split_groups(model.processes, wanted);
  if (partitioning.count() <= 1) return run_sequentially(model, options);
  return WindowRun(model, options, std::move(partitioning)).run();
}

}  // namespace septet
