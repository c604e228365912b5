// The fields of claim files.
#include "scenarios/claims/claim_text.hpp"
#include "scenarios/config/program/scenario_fields.hpp"
#include "scenarios/config/reference.hpp"

namespace septet::claims {
namespace {

constexpr double kMany = 1e15;

config::Field<PartText> case_field() {
  const auto read = [](const config::Reading& reading, config::Sources, PartText& part) {
    if (reading.value.table() == nullptr) reading.fail("a table");
    part.case_.table = reading.value;
  };
  return {{"case", "a table", "",
           "with rows: keys that the case of exactly one row has; with group: the whole case"},
          read};
}

const config::Fields<PartText>& part_fields() {
  using S = PartText;
  static const config::Fields<S> rows = {
      config::ranged("times", &S::times, "factor; negative: subtracted; default 1",
                     config::between(-kMany, kMany)),
      config::field("rows", &S::rows,
                    "a file in data/measurements: the Program of one of its rows is simulated, and "
                    "its value shown for comparison"),
      config::field("group", &S::group, "a case of this group that was not measured"),
      case_field(),
      config::field("metric", &S::metric, "which clock of the case is read; needed with group"),
      field("kernel", &S::kernel, "a [[kernel]] of the file, running alone on the GPU"),
      config::field("take", &S::take,
                    "one of its metrics (septet explain --json); default kernel_time_us"),
      config::field("number", &S::number, "a hardware parameter, such as \"gpu.l2\""),
      config::field("unit", &S::unit, "its unit, if it has one"),
      config::field(
          "reports", &S::reports,
          "Nsight Compute reports in data/measurements: the model's view of their kernels"),
      config::field(
          "among", &S::among,
          "only kernels that satisfy these conditions: \"bound = memory\", \"dram_pct > 60\""),
      config::field("count", &S::count, "the percentage of them that also satisfies these"),
      config::field("mean", &S::mean, "instead: the mean of one of their metrics"),
  };
  return rows;
}

const config::Fields<SituationText>& situation_fields() {
  using S = SituationText;
  static const config::Fields<S> rows = {
      required(field("name", &S::name, "the situation, in a few words")),
      config::ranged("amount", &S::amount,
                     "of a rate: with `after` in microseconds, megabytes give TB/s and millions of "
                     "operations give TFLOP/s",
                     config::between(0.0, 1e18)),
      list("before", &S::before, part_fields, "the baseline; parts add up"),
      required(
          list("after", &S::after, part_fields, "with the claimed change, or the value itself")),
  };
  return rows;
}

const config::Fields<StatementText>& statement_fields() {
  using S = StatementText;
  static const config::Fields<S> rows = {
      config::required(config::field("text", &S::text, "what is claimed")),
      field("kind", &S::kind,
            "value: after; ratio: after / before; speedup: before / after; saving: "
            "100 (1 - after / before); rate: amount / after"),
      config::field("figure", &S::figure, "the claim's figure"),
      config::field("figure_most", &S::figure_most, "its upper end, if it is a range"),
      config::field("unit", &S::unit, "unit of the figure, as shown"),
      field("bound", &S::bound, "about (default), at least or at most"),
      config::ranged("tolerance", &S::tolerance, "relative tolerance on the effect; default 0.2",
                     config::between(0.0, 1.0)),
      config::field("premises", &S::premises,
                    "profile with the author's own numbers; shown, but not part of the verdict"),
      config::required(config::field("gpus", &S::gpus, "profiles on which it is evaluated")),
      config::required(field(
          "verdict", &S::verdict,
          "holds, holds when, does not hold or not simulated: the one that `reason` explains")),
      config::required(config::field("reason", &S::reason, "why, in a sentence or two")),
  };
  return rows;
}

const config::Fields<config::KernelText>& claim_kernel_fields() {
  static const config::Fields<config::KernelText> rows = [] {
    config::Fields<config::KernelText> out = config::kernel_shape_fields();
    out.push_back(
        config::required(list("segment", &config::KernelText::segments, config::segment_fields,
                              "what each warp does (scenarios/KERNELS.md)")));
    return out;
  }();
  return rows;
}

}  // namespace

const config::Fields<ClaimText>& claim_file_fields() {
  using S = ClaimText;
  static const config::Fields<S> rows = {
      required(section("claim", &S::claim, statement_fields, "what is claimed, and the verdict")),
      list("kernel", &S::kernels, claim_kernel_fields, "kernels described by their instructions"),
      list("situation", &S::situations, situation_fields, "situations in which it is tested"),
  };
  return rows;
}

std::string claim_reference() {
  return field_table("The file", claim_file_fields()) + field_table("[claim]", statement_fields()) +
         field_table("[[kernel]]", claim_kernel_fields()) +
         field_table("[[situation]]", situation_fields()) +
         field_table("[[situation.before]] and [[situation.after]]", part_fields());
}

}  // namespace septet::claims
