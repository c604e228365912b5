// A report before it has a form: sections of blocks, for HTML (html.hpp) and Markdown
// (markdown.hpp).
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace septet::command {

// A cell. `key`: what the column is sorted by, where the text is not a number.
struct Cell {
  std::string text;
  double key = 0;
  bool number = false;
};

Cell text_cell(std::string text);
// At so many significant digits.
Cell number_cell(double value, int digits = 4);

struct ReportTable {
  std::vector<std::string> columns;  // with their units
  std::vector<std::vector<Cell>> rows;
  std::string caption{};
  bool folded = false;  // shown on demand
};

struct Paragraph {
  std::string text;
};

// A chart with its data, for those who can't see it and for Markdown.
struct Figure {
  std::string id;       // unique in the report
  std::string finding;  // what it shows, as a sentence
  std::string svg;
  ReportTable data;
  std::string note{};
};

// A few numbers that matter most.
struct KeyNumber {
  std::string label;
  std::string value;
  std::string note{};
};
struct KeyNumbers {
  std::vector<KeyNumber> numbers;
};

// Text in a monospaced font.
struct CodeBlock {
  std::string caption;
  std::string text;
};

// Streams and kernels, drawn by report.js from `json` (timeline_data.hpp).
struct TimelineBlock {
  std::string id;
  std::string finding;
  std::string json;
  ReportTable data;  // the longest of its names
};

using Block = std::variant<Paragraph, KeyNumbers, ReportTable, Figure, CodeBlock, TimelineBlock>;

struct Section {
  std::string id;
  std::string title;
  std::vector<Block> blocks;
};

enum class Verdict { kGood, kBad, kNeutral };

// Of one result.
struct Chapter {
  std::string title;
  std::string subtitle;
  Verdict verdict = Verdict::kNeutral;
  std::string statement;                // the answer in a sentence
  std::vector<std::string> statements;  // what else to know at once
  KeyNumbers key_numbers;
  std::vector<Section> sections;
};

struct Document {
  std::string title;
  std::string made_by;          // version and commit
  std::vector<Section> across;  // over all results, if there are several
  std::vector<Chapter> chapters;
};

}  // namespace septet::command
