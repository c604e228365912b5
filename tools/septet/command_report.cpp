// `septet report`: results as one file to hand on.
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/files/output_file.hpp"
#include "scenarios/config/hardware/profile.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/report/document_of.hpp"
#include "tools/septet/report/html.hpp"
#include "tools/septet/report/markdown.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kStandardOutput = "-";

struct Request {
  CommonOptions common;
  std::vector<std::string> results;
  std::string output = "report.html";
  std::string title;
  bool markdown = false;
};

bool read_options(const std::vector<std::string>& arguments, Request& request) {
  Options options(
      {"septet report",
       "RESULT... [options]",
       "Makes one file of results to hand on: the answer, what it rests on, charts, a timeline to\n"
       "zoom, and how to reproduce it. A result is a folder of --output-dir (run, replay,\n"
       "capacity, sweep) or a file of what --json printed (explain). The HTML file needs no "
       "network and\n"
       "no other file, and can be printed.",
       "septet report out/chat -o chat.html\n"
       "  septet report out/chat --markdown -o -",
       {kExitOk, kExitFailure, kExitUsage, kExitInput}});
  options.positionals("RESULT", request.results);
  options.text("output,o", "FILE", request.output,
               "the file to write (default report.html, with --markdown report.md); -: standard "
               "output");
  options.text("title", "TEXT", request.title, "title of the report (default: the results' names)");
  options.flag("markdown", request.markdown, "Markdown for a ticket: findings and tables only");
  options.common(request.common, {Common::kJson});
  return options.parse(arguments);
}

Json written_json(const Document& document, const std::string& file, std::size_t bytes) {
  Json out = {{"file", file}, {"bytes", bytes}, {"results", Json::array()}};
  for (const Chapter& chapter : document.chapters) {
    Json sections = Json::array();
    for (const Section& section : chapter.sections) sections.push_back(section.title);
    out["results"].push_back({{"title", chapter.title},
                              {"kind", chapter.subtitle},
                              {"statement", chapter.statement},
                              {"sections", sections}});
  }
  return out;
}

}  // namespace

int command_report(const std::vector<std::string>& arguments) {
  Request request;
  if (!read_options(arguments, request)) return kExitOk;
  if (request.markdown && request.output == "report.html") request.output = "report.md";
  const bool printed = request.output == kStandardOutput;
  if (printed && request.common.json) {
    throw UsageError("--json and --output - both want standard output", "septet report");
  }
  std::vector<Result> results;
  for (const std::string& path : request.results) results.push_back(read_result(path));
  const Document document = document_of(
      results, validation::read_validation_errors(config::data_directories()), request.title);
  const std::string text = request.markdown ? report_markdown(document) : report_html(document);
  if (printed) {
    fmt::print("{}", text);
    return kExitOk;
  }
  files::write_text(request.output, text);
  const std::string file = std::filesystem::path(request.output).filename().string();
  if (request.common.json) {
    fmt::print("{}\n", written_json(document, file, text.size()).dump(2));
  } else {
    fmt::print("{}: {} results, {:.0f} kB\n", request.output, results.size(),
               static_cast<double>(text.size()) / 1000);
  }
  return kExitOk;
}

}  // namespace septet::command
