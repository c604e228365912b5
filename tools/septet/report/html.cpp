#include "tools/septet/report/html.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "tools/septet/report/embedded.hpp"
#include "tools/septet/svg.hpp"

namespace septet::command {
namespace {

std::string cell_html(const Cell& cell) {
  if (!cell.number) return fmt::format("<td>{}</td>", xml_text(cell.text));
  return fmt::format("<td class=\"number\" data-key=\"{:.9g}\">{}</td>", cell.key,
                     xml_text(cell.text));
}

std::string table_html(const ReportTable& table) {
  std::string out = "<div class=\"scroll\"><table><thead><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const bool number = !table.rows.empty() && table.rows.front()[i].number;
    out += fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                       number ? " class=\"number\"" : "", xml_text(table.columns[i]));
  }
  out += "</tr></thead><tbody>\n";
  for (const std::vector<Cell>& row : table.rows) {
    out += "<tr>";
    for (const Cell& cell : row) out += cell_html(cell);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string folded(const std::string& summary, const std::string& inner) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", xml_text(summary), inner);
}

std::string script_json(const std::string& json) {
  std::string out;  // "</script>" would end the element
  for (const char c : json) out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

struct ToHtml {
  std::string operator()(const Paragraph& block) const {
    return fmt::format("<p>{}</p>\n", xml_text(block.text));
  }
  std::string operator()(const KeyNumbers& block) const {
    std::string out = "<dl class=\"numbers\">\n";
    for (const KeyNumber& one : block.numbers) {
      out += fmt::format(
          "<div><dt>{}</dt><dd>{}</dd>{}</div>\n", xml_text(one.label), xml_text(one.value),
          one.note.empty() ? "" : fmt::format("<dd class=\"note\">{}</dd>", xml_text(one.note)));
    }
    return out + "</dl>\n";
  }
  std::string operator()(const ReportTable& block) const {
    if (block.folded) return folded(block.caption, table_html(block));
    if (block.caption.empty()) return table_html(block);
    return fmt::format("<h4>{}</h4>\n{}", xml_text(block.caption), table_html(block));
  }
  std::string operator()(const Figure& block) const {
    std::string out = fmt::format("<figure id=\"{}\"><figcaption>{}</figcaption>\n", block.id,
                                  xml_text(block.finding));
    out += fmt::format("<div class=\"scroll\">{}</div>\n", block.svg);
    if (!block.note.empty()) {
      out += fmt::format("<p class=\"note\">{}</p>\n", xml_text(block.note));
    }
    if (!block.data.rows.empty()) out += folded("Data of this chart", table_html(block.data));
    return out + "</figure>\n";
  }
  std::string operator()(const CodeBlock& block) const {
    return fmt::format("<h4>{}</h4>\n<pre>{}</pre>\n", xml_text(block.caption),
                       pre_text(block.text));
  }
  std::string operator()(const TimelineBlock& block) const {
    return fmt::format(
               "<figure class=\"timeline\" id=\"{0}\"><figcaption>{1}</figcaption>\n"
               "<div class=\"tools\"><button type=\"button\" data-do=\"in\">Zoom in</button>"
               "<button type=\"button\" data-do=\"out\">Zoom out</button>"
               "<button type=\"button\" data-do=\"all\">Whole run</button>"
               "<span class=\"note\" role=\"status\"></span></div>\n"
               "<canvas tabindex=\"0\" aria-label=\"{1}\"></canvas>\n"
               "<noscript><p class=\"note\">The timeline is drawn by a script.</p></noscript>\n"
               "<script type=\"application/json\">{2}</script>\n",
               block.id, xml_text(block.finding), script_json(block.json)) +
           folded("Longest names of the timeline", table_html(block.data)) + "</figure>\n";
  }

  static std::string pre_text(const std::string& text) {
    std::string out;  // line by line: xml_text turns line breaks into blanks
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      out += xml_text(text.substr(begin, end - begin)) + "\n";
      begin = end + 1;
    }
    return out;
  }
};

std::string section_html(const Section& section) {
  std::string out =
      fmt::format("<section id=\"{}\">\n<h3>{}</h3>\n", section.id, xml_text(section.title));
  for (const Block& block : section.blocks) out += std::visit(ToHtml{}, block);
  return out + "</section>\n";
}

const char* class_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGood:
      return "good";
    case Verdict::kBad:
      return "bad";
    case Verdict::kNeutral:
      return "neutral";
  }
  return "";
}

// `alone`: the title of the page says what the result is.
std::string chapter_html(const Chapter& chapter, std::size_t number, bool alone) {
  std::string out = fmt::format("<article id=\"r{}\">\n", number);
  if (!alone) out += fmt::format("<h2>{}</h2>\n", xml_text(chapter.title));
  out += fmt::format(
      "<p class=\"subtitle\">{}</p>\n<div class=\"verdict {}\">\n"
      "<p class=\"statement\">{}</p>\n",
      xml_text(chapter.subtitle), class_of(chapter.verdict), xml_text(chapter.statement));
  for (const std::string& statement : chapter.statements) {
    out += fmt::format("<p>{}</p>\n", xml_text(statement));
  }
  out += "</div>\n" + ToHtml{}(chapter.key_numbers);
  for (const Section& section : chapter.sections) out += section_html(section);
  return out + "</article>\n";
}

std::string entry(const std::string& id, const std::string& title, const char* style) {
  return fmt::format("<li class=\"{}\"><a href=\"#{}\">{}</a></li>\n", style, id, xml_text(title));
}

std::string contents(const Document& document) {
  std::string out;
  for (const Section& section : document.across) out += entry(section.id, section.title, "one");
  for (std::size_t i = 0; i < document.chapters.size(); ++i) {
    const Chapter& chapter = document.chapters[i];
    out += entry(fmt::format("r{}", i + 1), chapter.title, "chapter");
    for (const Section& section : chapter.sections) out += entry(section.id, section.title, "one");
  }
  return out;
}

// Each "{{name}}" of the page by its text.
std::string filled(std::string_view page,
                   const std::vector<std::pair<std::string_view, std::string>>& texts) {
  std::string out;
  while (true) {
    const std::size_t begin = page.find("{{");
    if (begin == std::string_view::npos) return out + std::string(page);
    const std::size_t end = page.find("}}", begin);
    const std::string_view name = page.substr(begin + 2, end - begin - 2);
    out += page.substr(0, begin);
    for (const auto& [key, text] : texts) {
      if (key == name) out += text;
    }
    page.remove_prefix(end + 2);
  }
}

}  // namespace

std::string report_html(const Document& document) {
  std::string body;
  for (const Section& section : document.across) body += section_html(section);
  for (std::size_t i = 0; i < document.chapters.size(); ++i) {
    body += chapter_html(document.chapters[i], i + 1, document.chapters.size() == 1);
  }
  return filled(embedded::page_html, {{"title", xml_text(document.title)},
                                      {"made_by", xml_text(document.made_by)},
                                      {"style", std::string(embedded::report_css)},
                                      {"script", std::string(embedded::report_js)},
                                      {"contents", contents(document)},
                                      {"body", body}});
}

}  // namespace septet::command
