#include <nlohmann/json.hpp>

#include "tools/septet/occupancy/occupancy_output.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

Json limit(std::uint32_t blocks) { return blocks == gpu::kUnlimited ? Json() : Json(blocks); }

Json dimensions(const program::Dim3& d) { return Json::array({d.x, d.y, d.z}); }

Json limiter_names(const std::vector<gpu::OccupancyLimiter>& limiters) {
  Json out = Json::array();
  for (const gpu::OccupancyLimiter limiter : limiters) out.push_back(text_of(limiter));
  return out;
}

Json launch(const OccupancyQuestion& question) {
  const program::LaunchShape& shape = question.shape;
  return {{"grid", question.grid_given ? dimensions(shape.grid) : Json()},
          {"block", dimensions(shape.block)},
          {"cluster", dimensions(shape.cluster)},
          {"registers_per_thread", shape.registers_per_thread},
          {"static_shared_bytes", shape.static_shared.count()},
          {"dynamic_shared_bytes", shape.dynamic_shared.count()},
          {"barriers", question.options.barriers}};
}

void add_occupancy(Json& out, const gpu::Occupancy& o) {
  out["blocks_per_sm"] = o.blocks_per_sm;
  out["warps_per_sm"] = o.warps_per_sm;
  out["occupancy"] = o.occupancy;
  out["limiter"] = text_of(o.limiter);
  out["limiters"] = limiter_names(limiters_of(o));
  out["limits"] = {{"warps", limit(o.limits.warps)},
                   {"blocks", limit(o.limits.blocks)},
                   {"registers", limit(o.limits.registers)},
                   {"shared_memory", limit(o.limits.shared_memory)},
                   {"barriers", limit(o.limits.barriers)}};
  out["allocated"] = {{"registers_per_block", o.registers_per_block},
                      {"shared_bytes_per_block", o.shared_per_block.count()},
                      {"carveout_bytes", o.carveout.count()}};
}

Json point(const gpu::BlockSizePoint& p) {
  return {{"block", p.threads},
          {"blocks_per_sm", p.blocks_per_sm},
          {"occupancy", p.occupancy},
          {"limiter", p.blocks_per_sm > 0 ? Json(text_of(p.limiter)) : Json()}};
}

Json points(const std::vector<gpu::BlockSizePoint>& curve) {
  Json out = Json::array();
  for (const gpu::BlockSizePoint& p : curve) out.push_back(point(p));
  return out;
}

Json targets(const std::vector<gpu::BlockTarget>& all) {
  Json out = Json::array();
  for (const gpu::BlockTarget& target : all) {
    out.push_back(
        {{"blocks_per_sm", target.blocks},
         {"occupancy", target.occupancy},
         {"registers_at_most", target.registers ? Json(*target.registers) : Json()},
         {"shared_bytes_at_most", target.shared ? Json(target.shared->count()) : Json()}});
  }
  return out;
}

Json waves(const std::optional<gpu::Waves>& w) {
  if (!w) return {};
  return {{"blocks", w->blocks},
          {"slots", w->slots},
          {"waves", w->waves},
          {"full_waves", w->full_waves},
          {"tail_blocks", w->tail_blocks},
          {"efficiency", w->efficiency}};
}

Json clusters(const std::optional<gpu::ClusterOccupancy>& c) {
  if (!c) return {};
  return {{"blocks_per_cluster", c->blocks_per_cluster},
          {"clusters", c->clusters},
          {"blocks", c->blocks},
          {"portable", c->portable},
          {"upper_bound", c->upper_bound}};
}

Json bounds(const std::optional<BoundsAnswer>& b) {
  if (!b) return {};
  return {{"threads", b->bounds.threads},
          {"blocks", b->bounds.blocks},
          {"registers_at_most", b->registers},
          {"squeezes", b->squeezes},
          {"blocks_per_sm_after", b->after ? Json(b->after->blocks_per_sm) : Json()}};
}

}  // namespace

Json occupancy_json(const OccupancyReport& report) {
  const OccupancyQuestion& question = report.question;
  Json out;
  out["gpu"] = question.gpu_name;
  out["kernel"] = question.kernel.empty() ? Json() : Json(question.kernel);
  out["launch"] = launch(question);
  add_occupancy(out, report.occupancy);
  out["free_room"] = {{"registers", report.room.registers},
                      {"shared_bytes", report.room.shared.count()}};
  out["more_blocks"] = targets(report.targets);
  out["launch_bounds"] = bounds(report.bounds);
  out["waves"] = waves(report.waves);
  out["clusters"] = clusters(report.clusters);
  out["suggested_block"] = {{"best", point(report.choice.best)},
                            {"equal", points(report.choice.equal)},
                            {"why", report.choice.why}};
  out["curve"] = points(report.curve);
  return out;
}

Json kernels_json(const OccupancyQuestion& question, const std::vector<KernelLine>& lines) {
  Json kernels = Json::array();
  for (const KernelLine& line : lines) {
    Json one = {{"kernel", line.kernel.name},
                {"symbol", line.kernel.symbol},
                {"architecture", line.kernel.architecture},
                {"launch", launch(question_for(question, line.kernel))},
                {"spill_store_bytes", line.kernel.spill_stores.count()},
                {"spill_load_bytes", line.kernel.spill_loads.count()}};
    one["refusal"] = line.occupancy ? Json() : Json(line.refusal);
    if (line.occupancy) add_occupancy(one, *line.occupancy);
    kernels.push_back(std::move(one));
  }
  return {{"gpu", question.gpu_name}, {"kernels", std::move(kernels)}};
}

Json answer_json(const OccupancyQuestion& question, const OccupancyAnswer& answer) {
  const auto* report = std::get_if<OccupancyReport>(&answer);
  return report != nullptr ? occupancy_json(*report)
                           : kernels_json(question, std::get<std::vector<KernelLine>>(answer));
}

}  // namespace septet::command
