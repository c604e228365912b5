#include "tools/septet/report/document_of.hpp"

#include <fmt/format.h>

#include "tools/septet/report/chapter.hpp"
#include "tools/septet/version/build_info.hpp"

namespace septet::command {
namespace {

// The answers side by side.
Section comparison(const std::vector<Chapter>& chapters) {
  ReportTable table{{"result", "kind", "answer"}, {}};
  for (const Chapter& chapter : chapters) {
    table.rows.push_back(
        {text_cell(chapter.title), text_cell(chapter.subtitle), text_cell(chapter.statement)});
  }
  return {"results", "Results side by side", {table}};
}

std::string title_of(const std::vector<Chapter>& chapters) {
  if (chapters.size() == 1) return chapters.front().title;
  std::string out;
  for (std::size_t i = 0; i < chapters.size() && i < 3; ++i) {
    out += (i > 0 ? ", " : "") + chapters[i].title;
  }
  return chapters.size() > 3 ? fmt::format("{} and {} more", out, chapters.size() - 3) : out;
}

}  // namespace

Document document_of(const std::vector<Result>& results, const validation::ValidationErrors& errors,
                     const std::string& title) {
  Document out;
  for (const Result& result : results) {
    out.chapters.push_back(chapter_of(result, errors, out.chapters.size() + 1));
  }
  out.title = title.empty() ? title_of(out.chapters) : title;
  out.made_by = build_text();
  if (out.chapters.size() > 1) out.across.push_back(comparison(out.chapters));
  return out;
}

}  // namespace septet::command
