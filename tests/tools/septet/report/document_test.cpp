#include "tools/septet/report/document.hpp"

#include <gtest/gtest.h>

#include "tools/septet/report/html.hpp"
#include "tools/septet/report/markdown.hpp"

namespace septet::command {
namespace {

Document sample() {
  Document out;
  out.title = "a <b> & c";
  out.made_by = "septet";
  Chapter chapter;
  chapter.title = "chat";
  chapter.statement = "2 GPUs hold.";
  chapter.verdict = Verdict::kGood;
  chapter.key_numbers.numbers = {{"GPUs", "2", "of 8"}};
  ReportTable table{{"name", "value"}, {{text_cell("x|y"), number_cell(1234.5)}}};
  ReportTable folded = table;
  folded.caption = "all values";
  folded.folded = true;
  chapter.sections = {
      {"r1-a", "Numbers", {table, folded, CodeBlock{"Command", "septet run\na < b"}}},
      {"r1-t",
       "Timeline",
       {TimelineBlock{"r1-tl", "4 activities", "{\"x\":\"</script>\"}", table}}}};
  out.chapters = {chapter};
  return out;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ReportHtml, EscapesWhatTextContains) {
  const std::string html = report_html(sample());
  EXPECT_TRUE(has(html, "<title>a &lt;b&gt; &amp; c</title>"));
  EXPECT_TRUE(has(html, "septet run\na &lt; b\n"));
  EXPECT_FALSE(has(html, "{\"x\":\"</script>\"}"));
  EXPECT_FALSE(has(html, "{{"));
}

TEST(ReportHtml, NeedsNoOtherFile) {
  const std::string html = report_html(sample());
  for (const char* outside : {"http://", "https://", "src=", "@import", "url("}) {
    EXPECT_FALSE(has(html, outside)) << outside;
  }
}

TEST(ReportHtml, NumbersHaveWhatTablesSortBy) {
  EXPECT_TRUE(has(report_html(sample()), "<td class=\"number\" data-key=\"1234.5\">1,234</td>") ||
              has(report_html(sample()), "<td class=\"number\" data-key=\"1234.5\">1,235</td>"));
}

TEST(ReportHtml, ListsItsSections) {
  const std::string html = report_html(sample());
  EXPECT_TRUE(has(html, "<a href=\"#r1-a\">Numbers</a>"));
  EXPECT_TRUE(has(html, "<section id=\"r1-a\">"));
}

TEST(ReportMarkdown, HasStatementsAndTablesButNothingFolded) {
  const std::string text = report_markdown(sample());
  EXPECT_TRUE(has(text, "# a \\<b> & c"));
  EXPECT_TRUE(has(text, "**2 GPUs hold.**"));
  EXPECT_TRUE(has(text, "- GPUs: **2** (of 8)"));
  EXPECT_TRUE(has(text, "| x\\|y |"));
  EXPECT_TRUE(has(text, "|---|---:|"));
  EXPECT_FALSE(has(text, "all values"));
}

}  // namespace
}  // namespace septet::command
