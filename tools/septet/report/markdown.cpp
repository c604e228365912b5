#include "tools/septet/report/markdown.hpp"

#include <fmt/format.h>

namespace septet::command {
namespace {

// What would end a cell, or be taken for markup.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_' || c == '`' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string table_markdown(const ReportTable& table) {
  if (table.folded) return "";  // of no use in a ticket
  std::string out = table.caption.empty() ? "" : "**" + escaped(table.caption) + "**\n\n";
  std::string rule = "|";
  out += "|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const bool number = !table.rows.empty() && table.rows.front()[i].number;
    out += " " + escaped(table.columns[i]) + " |";
    rule += number ? "---:|" : "---|";
  }
  out += "\n" + rule + "\n";
  for (const std::vector<Cell>& row : table.rows) {
    out += "|";
    for (const Cell& cell : row) out += " " + escaped(cell.text) + " |";
    out += "\n";
  }
  return out + "\n";
}

struct ToMarkdown {
  std::string operator()(const Paragraph& block) const { return escaped(block.text) + "\n\n"; }
  std::string operator()(const KeyNumbers& block) const {
    std::string out;
    for (const KeyNumber& one : block.numbers) {
      out += fmt::format("- {}: **{}**{}\n", escaped(one.label), escaped(one.value),
                         one.note.empty() ? "" : " (" + escaped(one.note) + ")");
    }
    return out + "\n";
  }
  std::string operator()(const ReportTable& block) const { return table_markdown(block); }
  std::string operator()(const Figure& block) const {
    const std::string data = block.data.rows.empty() ? "" : table_markdown(block.data);
    return "**" + escaped(block.finding) + "**\n\n" + data;
  }
  std::string operator()(const CodeBlock& block) const {
    return fmt::format("{}:\n\n```\n{}\n```\n\n", escaped(block.caption), block.text);
  }
  std::string operator()(const TimelineBlock& block) const {
    return escaped(block.finding) + "\n\n" + table_markdown(block.data);
  }
};

std::string section_markdown(const Section& section) {
  std::string out = "### " + escaped(section.title) + "\n\n";
  for (const Block& block : section.blocks) out += std::visit(ToMarkdown{}, block);
  return out;
}

}  // namespace

std::string report_markdown(const Document& document) {
  std::string out = "# " + escaped(document.title) + "\n\n";
  for (const Section& section : document.across) out += section_markdown(section);
  for (const Chapter& chapter : document.chapters) {
    out += fmt::format("## {}\n\n{}\n\n**{}**\n\n", escaped(chapter.title),
                       escaped(chapter.subtitle), escaped(chapter.statement));
    for (const std::string& statement : chapter.statements) out += escaped(statement) + "\n\n";
    out += ToMarkdown{}(chapter.key_numbers);
    for (const Section& section : chapter.sections) out += section_markdown(section);
  }
  return out + "Made by " + escaped(document.made_by) + ".\n";
}

}  // namespace septet::command
