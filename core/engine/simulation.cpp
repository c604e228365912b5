#include "core/engine/simulation.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/engine/model.hpp"
#include "core/engine/partitioning.hpp"
#include "core/engine/sequential.hpp"
#include "core/engine/window_run.hpp"

namespace septet::engine {

struct Simulation::Impl {
  Model model;
  bool ran = false;
};

namespace {

void check_lookahead(const Model& model, LpId from, LpId to, Duration lookahead) {
  const bool across_groups = !model.same_group(from, to);
  if (lookahead > Duration{} || (lookahead == Duration{} && !across_groups)) return;
  throw ModelError(
      fmt::format("the channel from {} to {} has a lookahead of {} ps, wanted {}",
                  model.lps.label(from), model.lps.label(to), lookahead.count(),
                  across_groups ? "a positive one, as their groups differ" : "at least 0"));
}

// Groups may still be added after connect_all, so its lookahead is checked when the run starts.
void check_lookahead_of_all(const Model& model) {
  if (!model.channels.any_to_any() || model.channels.all() > Duration{}) return;
  for (LpId id = 0; id < model.lps.size(); ++id) {
    check_lookahead(model, 0, id, model.channels.all());
  }
}

std::size_t count_dynamic_lps(const Model& model) {
  std::size_t count = 0;
  for (LpId id = 0; id < model.lps.size(); ++id) {
    count += model.lps[id].lp->has_dynamic_lookahead() ? 1 : 0;
  }
  return count;
}

}  // namespace

Simulation::Simulation() : impl_(std::make_unique<Impl>()) {}
Simulation::~Simulation() = default;

LpId Simulation::add(std::unique_ptr<LogicalProcess> lp, GroupId group, std::string_view name) {
  return impl_->model.lps.add(std::move(lp), group, name);
}

LogicalProcess& Simulation::lp(LpId id) {
  SEPTET_ASSERT(id < impl_->model.lps.size());
  return *impl_->model.lps[id].lp;
}

void Simulation::connect(LpId from, LpId to, Duration lookahead) {
  Model& model = impl_->model;
  SEPTET_ASSERT(from < model.lps.size() && to < model.lps.size());
  check_lookahead(model, from, to, lookahead);
  model.channels.add({from, to, lookahead});
}

void Simulation::connect_all(Duration lookahead) { impl_->model.channels.add_all(lookahead); }

RunResult Simulation::run(const RunOptions& options) {
  SEPTET_ASSERT(!impl_->ran && options.threads > 0);
  impl_->ran = true;
  Model& model = impl_->model;
  check_lookahead_of_all(model);
  model.channels.freeze(model.lps.size());
  const std::size_t wanted = wanted_partitions(options, model.lps.size(), count_dynamic_lps(model));
  if (wanted == 1) return run_sequentially(model, options);
  Partitioning partitioning = split_groups(model.lps, wanted);
  if (partitioning.count() <= 1) return run_sequentially(model, options);
  return WindowRun(model, options, std::move(partitioning)).run();
}

}  // namespace septet::engine
