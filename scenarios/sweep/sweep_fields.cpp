#include "scenarios/config/reference.hpp"
#include "scenarios/sweep/replay_text.hpp"
#include "scenarios/sweep/sweep_text.hpp"

namespace septet::sweep {
namespace {

using config::between;
using config::field;
using config::ranged;
using config::required;

constexpr std::uint32_t kMostValues = 10'000'000;
constexpr double kMostNumber = 1e18;

// A list that is taken apart elsewhere.
config::Field<AxisText> any_list(std::string key, const config::ConfigValue* AxisText::*member,
                                 std::string description) {
  const auto read = [member](const config::Reading& reading, config::Sources, AxisText& text) {
    if (reading.value.array() == nullptr || reading.value.array()->empty()) {
      reading.fail("a list with at least one element");
    }
    text.*member = &reading.value;
  };
  return {{std::move(key), "a list", "", std::move(description)}, read};
}

const config::Fields<SpanText>& span_fields() {
  using S = SpanText;
  static const config::Fields<S> rows = {
      required(field("key", &S::key, "the key, as for --set")),
      required(ranged("from", &S::from, "smallest value", between(-kMostNumber, kMostNumber))),
      required(ranged("to", &S::to, "largest value", between(-kMostNumber, kMostNumber))),
      field("unit", &S::unit, "unit of the values: \"us\", \"GB/s\"; default: plain numbers"),
      field("scale", &S::scale, "linear or log; default linear"),
      field("whole", &S::whole, "round to whole numbers; default false"),
  };
  return rows;
}

const config::Fields<AxisText>& axis_fields() {
  using S = AxisText;
  static const config::Fields<S> rows = {
      field("key", &S::key, "the key that varies, as for --set; `change`: a what-if"),
      field("keys", &S::keys, "or several keys that vary together (zip)"),
      any_list("values", &S::values,
               "its values, of any kind; for `keys` a list of lists, one value for each key"),
      any_list("points", &S::points, "or a list of tables, each laid over the scenario"),
      field("files", &S::files,
            "or the files with these names, which may have * and ?: the key's values, in order; "
            "relative ones start in the folder of the scenario"),
      ranged("from", &S::from, "or evenly spaced values: the first",
             between(-kMostNumber, kMostNumber)),
      ranged("to", &S::to, "the last", between(-kMostNumber, kMostNumber)),
      ranged("count", &S::count, "number of values, or of points of a design",
             between(1U, kMostValues)),
      field("unit", &S::unit, "unit of from and to: \"us\", \"GB/s\"; default: plain numbers"),
      field("scale", &S::scale, "spacing: linear or log; default linear"),
      field("whole", &S::whole, "round to whole numbers; default false"),
      field("design", &S::design,
            "or points drawn over the keys of `span`: random, latin-hypercube, sobol"),
      list("span", &S::span, span_fields, "a key of a design and its bounds"),
      field("block", &S::block,
            "axes of a block multiply; the points of different blocks follow each other"),
  };
  return rows;
}

}  // namespace

const config::Fields<SweepText>& sweep_fields() {
  using S = SweepText;
  static const config::Fields<S> rows = {
      field("description", &S::description, "one line"),
      field("command", &S::command,
            "what is asked of each point: run, replay, explain, capacity or plan; default run"),
      list("axis", &S::axes, axis_fields, "what varies; axes multiply (grid)"),
      field("where", &S::where,
            "keep only points for which this holds: comparisons of keys, numbers and 'texts' with "
            "and, or, not, parentheses"),
      ranged("repeats", &S::repeats, "runs of each point, with seeds run.seed, run.seed + 1 ...",
             between(1U, 1'000'000U)),
      field("seed", &S::seed, "seed of random and latin-hypercube designs; default 1"),
      field("outputs", &S::outputs, "columns of the result; default: all of this kind of scenario"),
  };
  return rows;
}

bool is_sweep(const config::ConfigValue& tree) { return tree.find("sweep") != nullptr; }

SweepText read_sweep(const config::ConfigValue& tree) {
  SweepText out;
  const config::ConfigValue* table = tree.find("sweep");
  if (table == nullptr) {
    throw ConfigError(tree.where, "no table [sweep]: septet sweep needs one");
  }
  const std::string path = "sweep";
  config::read_fields({*table, path}, sweep_fields(), config::Sources::kAllowed, out);
  return out;
}

std::string sweep_reference() {
  return config::field_table("[sweep]", sweep_fields()) +
         config::field_table("[[sweep.axis]]", axis_fields()) +
         config::field_table("[[sweep.axis.span]]", span_fields()) +
         config::field_table("[replay]", replay_fields());
}

}  // namespace septet::sweep
