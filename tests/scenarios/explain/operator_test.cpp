// Operators as questions: what is read, the models' answers, and advice that equals a rerun.
#include <algorithm>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/gpu/operators/library_kernels.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/explain/elasticity.hpp"
#include "scenarios/explain/operator_model.hpp"
#include "tests/core/base/round_trip.hpp"
#include "tests/scenarios/explain/shipped_kernels.hpp"

namespace septet::testing {
namespace {

using Flags = std::vector<std::string>;

explain::ExplainQuestion asked(const Flags& flags, const std::string& gpu = "") {
  return explain::read_operator(flags, gpu, {}, shipped_profiles());
}

explain::Explanation explained(const Flags& flags, const std::string& gpu = "") {
  return explain::explain(asked(flags, gpu));
}

std::string mistake_in(const Flags& flags) {
  try {
    explained(flags);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no mistake";
}

const Flags kProduct = {"op=gemm", "m=4096", "n=4096", "k=4096"};
const Flags kDecode = {"op=attention_decode", "batch=64", "heads=32",
                       "kv_heads=8",          "kv=4096",  "dim=128"};
const Flags kAdd = {"op=add", "elements=1024"};

// One question for each operator.
std::vector<Flags> one_of_each() {
  const std::map<std::string, std::string> shape = {{"m", "512"},
                                                    {"n", "4096"},
                                                    {"k", "1024"},
                                                    {"batch", "4"},
                                                    {"heads", "16"},
                                                    {"dim", "128"},
                                                    {"seq", "1024"},
                                                    {"kv", "1024"},
                                                    {"rows", "2048"},
                                                    {"cols", "4096"},
                                                    {"elements", "1000000"},
                                                    {"kernel_size", "3"},
                                                    {"height", "56"},
                                                    {"width", "56"},
                                                    {"out_channels", "64"},
                                                    {"in_channels", "64"},
                                                    {"experts", "8"},
                                                    {"tokens", "512"},
                                                    {"top", "8"},
                                                    {"bag", "20"},
                                                    {"table_rows", "100000"},
                                                    {"tensors", "16"},
                                                    {"elements_each", "1000000"}};
  std::vector<Flags> out;
  for (const program::OperatorKind& kind : program::operator_kinds()) {
    Flags& flags = out.emplace_back(Flags{"op=" + kind.name});
    for (const program::ShapeField& field : kind.fields) {
      if (field.required) flags.push_back(field.key + "=" + shape.at(field.key));
    }
    if (kind.name == "convolution") flags.emplace_back("batch=16");
  }
  return out;
}

TEST(ExplainTexts, ComeBack) {
  expect_round_trip<config::L2State>();
  expect_round_trip<explain::Bound>();
  expect_round_trip<explain::Stage>();
}

TEST(Operators, OfAllKindsHaveStagesThatAddUpToTheirTime) {
  for (const Flags& flags : one_of_each()) {
    for (const char* l2 : {"l2=cold", "l2=warm"}) {
      Flags with = flags;
      with.emplace_back(l2);
      const explain::ExplainQuestion q = asked(with);
      const explain::Explanation e = explain::explain(q);
      const Duration own = explain::operator_answer(q.gpu, *q.op).time.time;
      EXPECT_EQ(e.metrics.kernel_time, own) << flags[0];
      EXPECT_EQ(e.stages.total(), explain::submission_time(q.gpu, q.host) + own) << flags[0];
      for (const Duration stage : e.stages.of) EXPECT_GE(stage, Duration(0)) << flags[0];
      const explain::BoundShares& s = e.metrics.shares;
      EXPECT_NEAR(s.memory + s.compute + s.latency, 1.0, 0.05) << flags[0];
    }
  }
}

TEST(Operators, OfTilesHangOnTheNumbersOfTheHardwareAlone) {
  for (const Flags& flags : {kProduct, kDecode}) {
    const explain::ExplainQuestion q = asked(flags);
    const auto on = [&](const gpu::GpuSpec& gpu) {
      return explain::operator_answer(gpu, *q.op).time.time;
    };
    double all = 0;
    for (const double e : explain::elasticities(q.gpu, on)) all += e;
    EXPECT_NEAR(all, 1.0, 0.02) << flags[0];
  }
}

TEST(Operators, AreBoundByWhatTheyAreKnownToBe) {
  EXPECT_EQ(explained(kProduct).metrics.bound, explain::Bound::kCompute);
  EXPECT_EQ(explained(kDecode).metrics.bound, explain::Bound::kMemory);
  EXPECT_EQ(explained(kDecode).time.limiter, gpu::Bottleneck::kDram);
  EXPECT_EQ(explained(kAdd).metrics.bound, explain::Bound::kLatency);
}

TEST(Operators, ASteadyProductRunsAtTheClockThatItsPowerLeaves) {
  // data/measurements/h200/power.jsonl: dense bf16 products at 1.45 of 1.98 GHz.
  Flags flags = {"op=gemm", "m=8192", "n=8192", "k=8192"};
  EXPECT_EQ(explained(flags).clock->count(), 1.98e9);
  flags.emplace_back("steady=true");
  EXPECT_NEAR(explained(flags).clock->count(), 1.45e9, 0.1e9);
}

TEST(Operators, TakeTheTimeOfTheirModels) {
  const explain::ExplainQuestion q = asked(kAdd);
  const program::Elementwise add{.elements = 1024,
                                 .inputs = 2,
                                 .instructions = program::kAddInstructions,
                                 .state = program::kColdOperands};
  EXPECT_EQ(explain::explain(q).metrics.kernel_time, operator_time(q.gpu, {add}).time);
}

TEST(Operators, AConvolutionOfSinglePointsIsAProduct) {
  // 8 images of 32 x 32 positions are 8192 rows; each input element is in one window.
  const explain::Explanation convolution =
      explained({"op=convolution", "batch=8", "in_channels=256", "height=32", "width=32",
                 "out_channels=512", "kernel_size=1"});
  const explain::Explanation product = explained({"op=gemm", "m=8192", "n=512", "k=256"});
  EXPECT_EQ(convolution.stages.total(), product.stages.total());
}

TEST(Operators, FasterMemoryHelpsDecodeAndNotLargeProducts) {
  const auto speedup = [](const Flags& flags) {
    return ratio(explained(flags, "h100-sxm").metrics.kernel_time,
                 explained(flags, "h200-sxm").metrics.kernel_time);
  };
  EXPECT_NEAR(speedup(kDecode), 4.8 / 3.35, 0.1);
  EXPECT_NEAR(speedup(kProduct), 1.0, 0.05);
}

// The flags with `key` set to `value`.
Flags with(Flags flags, const std::string& key, const std::string& value) {
  std::erase_if(flags, [&](const std::string& f) { return f.starts_with(key + "="); });
  flags.push_back(key + "=" + value);
  return flags;
}

TEST(OperatorAdvice, IsInOrderOfGainAndEqualsARerun) {
  const Flags few = {"op=gemm", "m=16", "n=4096", "k=4096"};
  const explain::Explanation before = explained(few);
  double last = 1e9;
  int checked = 0;
  for (const explain::Advice& one : before.advice) {
    EXPECT_LE(one.speedup, last);
    last = one.speedup;
    if (one.change.text.starts_with("8 such calls")) {
      const Duration eight = explained(with(few, "m", "128")).stages.total();
      EXPECT_EQ(one.time, scale(eight, 1.0 / 8));
      ++checked;
    }
    if (one.change.text == "fp8 instead of bf16") {
      EXPECT_EQ(one.time, explained(with(few, "dtype", "fp8")).stages.total());
      ++checked;
    }
  }
  EXPECT_EQ(checked, 2);
}

TEST(AskedOperator, MistakesSayWhatIsWanted) {
  EXPECT_NE(mistake_in({"op=gem", "m=1"}).find("did you mean 'gemm'?"), std::string::npos);
  EXPECT_NE(mistake_in({"op=gemm", "m=1", "n=1"})
                .find("operator.k: got nothing, wanted a whole number from 1 to 4194304 (inner "
                      "dimension of the product)"),
            std::string::npos);
  EXPECT_NE(
      mistake_in(with(kProduct, "heads", "8"))
          .find("operator.heads: got an unknown key, wanted one of: op, m, n, k, dtype, library, "
                "l2, steady"),
      std::string::npos);
  EXPECT_NE(mistake_in(with(kProduct, "dtype", "int8")).find("bf16, fp16, fp8, tf32, fp32"),
            std::string::npos);
  EXPECT_NE(mistake_in({"op=softmax", "rows=8", "cols=8", "dtype=fp8"}).find("bf16, fp16"),
            std::string::npos);
  EXPECT_NE(mistake_in(with(kDecode, "kv_heads", "7")).find("a divisor of heads"),
            std::string::npos);
  EXPECT_NE(mistake_in(with(kProduct, "m", "0")).find("from 1 to"), std::string::npos);
  EXPECT_NE(mistake_in(with(kProduct, "l2", "hot")).find("cold, warm"), std::string::npos);
}

TEST(AskedOperator, NamesFromBeforeAreRefusedWithThoseOfNow) {
  const auto hint = [](const std::string& before, const std::string& now) {
    const std::string mistake = mistake_in({"op=convolution", before + "=3"});
    return mistake.find("('" + before + "' is now called '" + now + "')") != std::string::npos;
  };
  EXPECT_TRUE(hint("images", "batch"));
  EXPECT_TRUE(hint("channels", "in_channels"));
  EXPECT_TRUE(hint("filters", "out_channels"));
  EXPECT_TRUE(hint("filter", "kernel_size"));
  EXPECT_TRUE(hint("filter_width", "kernel_width"));
}

TEST(AskedOperator, ElementsAndTheSidesOfAMatrixAgree) {
  const explain::Explanation plain = explained({"op=add", "elements=1024"});
  EXPECT_EQ(explained({"op=add", "rows=8", "cols=128"}).stages.total(), plain.stages.total());
  const Flags both = {"op=add", "elements=1024", "rows=8", "cols=128"};
  EXPECT_EQ(explained(both).stages.total(), plain.stages.total());
  const std::string wanted =
      "elements: got 1024 together with rows and cols, wanted elements, or rows and cols with the "
      "same "
      "product";
  EXPECT_NE(mistake_in(with(both, "rows", "9")).find(wanted), std::string::npos);
  EXPECT_NE(mistake_in({"op=add", "elements=1024", "rows=8"}).find(wanted), std::string::npos);
}

TEST(AskedOperator, OperandsThatTheMemoryDoesNotHoldAreWarnedOf) {
  const auto warns = [](const Flags& flags) {
    const auto warnings = explained(flags).warnings;
    return std::ranges::any_of(warnings, [](const std::string& warning) {
      return warning.find("GB that h200-sxm has") != std::string::npos;
    });
  };
  // 141 GB: 2 x 2 bytes read and 2 written for each element of a sum of two.
  EXPECT_FALSE(warns({"op=add", "elements=23499999999"}));
  EXPECT_TRUE(warns({"op=add", "elements=23500000001"}));
  EXPECT_FALSE(warns(kProduct));
}

TEST(AskedOperator, ATypeThatTheGpuLacksIsAnErrorThatNamesIt) {
  try {
    explained(with(kProduct, "dtype", "fp8"), "a100-sxm-80gb");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "the GPU has no matrix instructions for fp8");
  }
}

TEST(AskedOperator, StandsInAFileToo) {
  const explain::ExplainQuestion q = explain::read_kernel(
      config::read_toml("[operator]\nop = \"gemm\"\nm = 4096\nn = 4096\nk = 4096\n", "k.toml"), "",
      {}, shipped_profiles());
  EXPECT_EQ(explain::explain(q).stages.total(), explained(kProduct).stages.total());
}

TEST(AskedOperator, ShippedFilesCanBeAsked) {
  const std::string folder = std::string(SEPTET_SOURCE_DIRECTORY) + "/scenarios/shipped/operators";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const explain::Explanation e =
        explain::explain(explain::read_kernel_file(entry.path(), "", {}, shipped_profiles()));
    EXPECT_GT(e.metrics.kernel_time, Duration(0)) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 1);
}

}  // namespace
}  // namespace septet::testing
