#include <gtest/gtest.h>

#include "tools/septet/short_name.hpp"
#include "tools/septet/study/what_if_chart.hpp"
#include "tools/septet/study/what_if_table.hpp"
#include "tools/septet/svg.hpp"

namespace septet::command {
namespace {

Instant at(std::int64_t microseconds) { return Instant() + 1_us * microseconds; }

TEST(RunBottleneck, IsTheKindWithTheLargestPartOfThePath) {
  const std::vector<analysis::PathLink> path = {{analysis::LinkKind::kHostWork, at(0), at(30), -1},
                                                {analysis::LinkKind::kKernel, at(30), at(50), 1},
                                                {analysis::LinkKind::kHostWork, at(50), at(70), -1},
                                                {analysis::LinkKind::kKernel, at(70), at(90), 1}};
  const analysis::RunBottleneck limit = bottleneck_of(path, 100_us);
  EXPECT_EQ(limit.kind, analysis::LinkKind::kHostWork);  // 30 + 20 against 20 + 20
  EXPECT_DOUBLE_EQ(limit.share, 0.5);
  EXPECT_EQ(limit.kernel, -1);
}

TEST(RunBottleneck, NamesTheKernelWithTheLargestPart) {
  const std::vector<analysis::PathLink> path = {
      {analysis::LinkKind::kKernel, at(0), at(20), 3},
      {analysis::LinkKind::kKernel, at(20), at(50), 1},
      {analysis::LinkKind::kKernel, at(50), at(70), 3},
      {analysis::LinkKind::kDependency, at(70), at(80), -1}};
  const analysis::RunBottleneck limit = bottleneck_of(path, 80_us);
  EXPECT_EQ(limit.kind, analysis::LinkKind::kKernel);
  EXPECT_DOUBLE_EQ(limit.share, 7.0 / 8);
  EXPECT_EQ(limit.kernel, 3);
  EXPECT_DOUBLE_EQ(limit.kernel_share, 0.5);
}

TEST(WhatIfTable, SaysTheLimitInWords) {
  analysis::RunSummary summary;
  summary.kernel_names = {"void at::native::(anonymous namespace)::relu<float>(int)"};
  EXPECT_EQ(limit_text(summary), "idle");
  summary.bottleneck = {analysis::LinkKind::kKernel, 0.9, 0, 0.25};
  EXPECT_EQ(limit_text(summary), "kernels 90 % (relu 25 %)");
  summary.bottleneck = {analysis::LinkKind::kHostWork, 0.6, -1, 0};
  EXPECT_EQ(limit_text(summary), "CPU work 60 %");
}

TEST(ShortName, KernelNamesLoseWhatStandsAroundThem) {
  EXPECT_EQ(short_kernel_name("void cutlass::Kernel2<a::b<1>>(a::b<1>::Params)"), "Kernel2");
  EXPECT_EQ(short_kernel_name("nvjet_tst_64x8"), "nvjet_tst_64x8");
  EXPECT_EQ(short_kernel_name("<lambda>"), "<lambda>");
  EXPECT_EQ(short_kernel_name("a::"), "a::");
  EXPECT_EQ(short_kernel_name(""), "");
}

TEST(ShortName, KernelNamesOfNsightReportsAreShortenedToo) {
  EXPECT_EQ(short_kernel_name("void at::<unnamed>::layer_norm<c10::BFloat16, 0>(int, T2)"),
            "layer_norm");
  EXPECT_EQ(short_kernel_name("void <unnamed>::indexed<int, at::f(const c10::Scalar &)::[lambda() "
                              "(instance 1)]>(T1, T2, function_traits<T2>::result_type *)"),
            "indexed");
  EXPECT_EQ(short_kernel_name("std::enable_if<!(bool)1, void>::type gemvx::kernel<int>(T1)"),
            "kernel");
  EXPECT_EQ(short_kernel_name("void at::scan<at::cut_off<int, std::plus"), "scan");
}

study::Outcome sample(const std::string& name, Duration busy, Duration host) {
  study::Outcome one;
  one.name = name;
  one.summary.span = busy + host;
  one.speedup = 1.5;
  one.summary.attribution[analysis::TimeCategory::kGpuBusy] = busy;
  one.summary.attribution[analysis::TimeCategory::kHostWork] = host;
  one.summary.bottleneck = {analysis::LinkKind::kHostWork, 0.75, -1, 0};
  return one;
}

study::StudyResult study_with(const study::Outcome& what_if) {
  study::StudyResult out;
  out.baseline = sample("file", 1_us, 1_us);
  out.what_ifs = {what_if};
  return out;
}

TEST(WhatIfTable, ShowsTimeSpeedUpBusyShareAndLimit) {
  const std::string text =
      what_if_table(study_with(sample("host-speed=2", 10_us, 30_us)), "(unchanged)", 100);
  EXPECT_NE(text.find("(unchanged)    2.0     1.50x    50.0 %  CPU work 75 %"), std::string::npos)
      << text;
  EXPECT_NE(text.find("host-speed=2  40.0     1.50x    25.0 %  CPU work 75 %"), std::string::npos)
      << text;
}

TEST(WhatIfTable, ShowsTokensASecondWhereSomeAreKnown) {
  study::StudyResult result = study_with(sample("cut", 10_us, 30_us));
  result.baseline = sample("file", 10_us, 30_us);
  result.baseline.training.emplace().tokens_per_second = 2'500'000;
  const std::string text = what_if_table(result, "trained", 100);
  EXPECT_NE(text.find("tokens/s"), std::string::npos) << text;
  EXPECT_NE(text.find("trained  40.0     1.50x   2500000    25.0 %  CPU"), std::string::npos)
      << text;
  EXPECT_NE(text.find("cut      40.0     1.50x         -    25.0 %  CPU"), std::string::npos)
      << text;
}

std::string chart_with(const study::Outcome& what_if, const std::string& title = "title") {
  return what_if_chart(study_with(what_if), "(unchanged)", title);
}

TEST(WhatIfChart, TextIsEscaped) {
  EXPECT_EQ(xml_text("a<b> & \"c\" 'd'\n\xff"), "a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; ?");
  const std::string svg = chart_with(sample("remove=x<&>", 1_us, 1_us), "a<b");
  EXPECT_NE(svg.find("remove=x&lt;&amp;&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("x<&"), std::string::npos);
}

TEST(WhatIfChart, LongNamesAreShortenedAndWholeInTheTooltip) {
  const std::string name = "remove=" + std::string(300, 'x') + "end";
  const std::string svg = chart_with(sample(name, 1_us, 1_us));
  EXPECT_NE(svg.find("<title>" + name + "</title>"), std::string::npos);
  EXPECT_EQ(svg.find(">" + name + "</text>"), std::string::npos);
}

TEST(WhatIfChart, OnlyCategoriesThatOccurAreInTheLegend) {
  const std::string svg = chart_with(sample("one", 1_us, 1_us));
  EXPECT_NE(svg.find("kernels run"), std::string::npos);
  EXPECT_EQ(svg.find("only copies run"), std::string::npos);
}

TEST(WhatIfChart, ARunOfNoTimeHasABarOfNoLength) {
  study::StudyResult result;
  result.baseline = sample("nothing", 0_us, 0_us);
  EXPECT_EQ(what_if_chart(result, "nothing", "title").find("nan"), std::string::npos);
}

TEST(WhatIfChart, TheAxisHasRoundSteps) {
  EXPECT_DOUBLE_EQ(axis_step(29.2, 8), 5);     // 29.2 / 8 = 3.65
  EXPECT_DOUBLE_EQ(axis_step(8, 8), 1);        // exactly 1
  EXPECT_DOUBLE_EQ(axis_step(8.1, 8), 2);      // just above
  EXPECT_DOUBLE_EQ(axis_step(0.5, 8), 0.1);    // 0.0625
  EXPECT_DOUBLE_EQ(axis_step(4500, 8), 1000);  // 562.5
}

}  // namespace
}  // namespace septet::command
