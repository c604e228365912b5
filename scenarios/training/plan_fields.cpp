#include "scenarios/config/fields/field.hpp"
#include "scenarios/training/plan.hpp"

namespace septet::training {
namespace {

using config::Fields;

constexpr std::uint32_t kMost = 1U << 20;

const Fields<PlanChoices>& plan_fields() {
  using P = PlanChoices;
  static const Fields<P> rows = {
      config::ranged("global_batch_size", &P::global_batch_size,
                     "sequences of a step; default: that of [training]",
                     config::between(1U, kMost)),
      config::field("tensor", &P::tensor,
                    "tensor-parallel sizes; default: powers of two in a node"),
      config::field("context", &P::context, "context-parallel sizes; default: that of [training]"),
      config::field("pipeline", &P::pipeline, "numbers of stages; default: all that divide"),
      config::field("chunks", &P::chunks, "chunks of layers on each stage; default: 1 and more"),
      config::field("expert", &P::expert, "expert-parallel sizes; default: all that divide"),
      config::field("micro_batch", &P::micro_batch, "micro batches; default: 1, 2, 4, 8"),
      config::field("zero_stage", &P::zero_stage, "stages of ZeRO; default: 1 and 3"),
      config::field("recompute", &P::recompute, "of none, selective, full; default: all of them"),
      config::ranged("best", &P::best, "layouts shown; default 10", config::between(1U, 1000U)),
  };
  return rows;
}

const Fields<GoodputSpec>& goodput_fields() {
  using G = GoodputSpec;
  static const Fields<G> rows = {
      config::ranged("days", &G::days, "length of the run; default 30", config::between(0.1, 1e4)),
      config::ranged("gpu_hours_between_failures", &G::gpu_hours_between_failures,
                     "of one GPU; default 50,700 (Llama 3)", config::between(1.0, 1e9)),
      config::required(config::field("checkpoint", &G::checkpoint,
                                     "time that steps stand still for a checkpoint")),
      config::field("interval", &G::interval,
                    "work between checkpoints; default: what loses least"),
      config::required(
          config::field("detection", &G::detection, "time until a failure is noticed")),
      config::required(
          config::field("restart", &G::restart, "time from there until the first step runs again")),
      config::field("repair", &G::repair, "time until a failed node is back; default 0"),
      config::ranged("spares", &G::spares, "nodes that take over at once; default 0",
                     config::between(0U, kMost)),
      config::ranged("seeds", &G::seeds, "runs that are averaged; default 20",
                     config::between(1U, 10000U)),
  };
  return rows;
}

template <class Spec>
std::vector<const config::FieldText*> texts_in(const Fields<Spec>& fields) {
  std::vector<const config::FieldText*> out;
  for (const auto& field : fields) out.push_back(&field);
  return out;
}

}  // namespace

GoodputSpec read_goodput(const config::ConfigValue& table) {
  GoodputSpec out;
  const std::string path = "goodput";
  config::read_fields({table, path}, goodput_fields(), config::Sources::kAllowed, out);
  return out;
}

PlanChoices read_plan(const config::ConfigValue& table) {
  PlanChoices out;
  const std::string path = "plan";
  config::read_fields({table, path}, plan_fields(), config::Sources::kAllowed, out);
  for (const std::string& text : out.recompute) {
    if (from_text<Granularity>(text)) continue;
    throw ConfigError::value(table.where, "plan.recompute", '"' + text + '"',
                             listed_texts<Granularity>());
  }
  return out;
}

const std::vector<const config::FieldText*>& plan_field_texts() {
  static const std::vector<const config::FieldText*> texts = texts_in(plan_fields());
  return texts;
}

const std::vector<const config::FieldText*>& goodput_field_texts() {
  static const std::vector<const config::FieldText*> texts = texts_in(goodput_fields());
  return texts;
}

}  // namespace septet::training
