#include "models/gpu/occupancy/ptxas_report.hpp"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include <cxxabi.h>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

constexpr std::string_view kCompiling = "Compiling entry function '";
constexpr std::string_view kProperties = "Function properties for ";
constexpr std::string_view kCompilerUsed = "Used ";
constexpr std::string_view kLinkerUsed = "used ";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// What follows `key`, or nothing when the line doesn't have it.
std::optional<std::string_view> after(std::string_view line, std::string_view key) {
  const auto at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  return line.substr(at + key.size());
}

class Reader {
 public:
  explicit Reader(const std::string& file) : where_{file} {}

  void read(std::string_view line) {
    ++where_.line;
    if (const auto rest = after(line, kCompiling)) {
      read_compiling(*rest);
    } else if (const auto name = after(line, kProperties)) {
      read_properties(trimmed(*name));
    } else if (line.find("bytes stack frame") != std::string_view::npos) {
      read_items(line, current(line));
    } else if (const auto used = used_line(line)) {
      read_used(*used, line);
    }
  }

  std::vector<PtxasFunction> finish() {
    require_no_open_entry();
    for (const PtxasFunction& function : functions_) {
      if (function.entry) return std::move(functions_);
    }
    throw ConfigError({where_.file}, "no kernel in this report, wanted the output of ptxas -v");
  }

 private:
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

  // "Used 40 registers" of ptxas or "used 40 registers" of nvlink; other programs' sentences about
  // what was used are not for us.
  static std::optional<std::string_view> used_line(std::string_view line) {
    std::optional<std::string_view> rest;
    if (after(line, "ptxas")) rest = after(line, kCompilerUsed);
    if (after(line, "nvlink")) rest = after(line, kLinkerUsed);
    return rest && after(*rest, " registers") ? rest : std::nullopt;
  }

  [[noreturn]] void refuse(std::string_view got, const std::string& wanted) const {
    throw ConfigError::value(where_, "ptxas report", std::string(trimmed(got)), wanted);
  }

  void require_no_open_entry() const {
    if (open_entry_ == kNobody) return;
    const PtxasFunction& function = functions_[open_entry_];
    throw ConfigError::value({where_.file, function.line}, "ptxas report",
                             "'" + function.name + "' without its registers",
                             "a line 'Used N registers' after it");
  }

  std::size_t add(std::string_view symbol, std::string_view architecture, bool entry) {
    PtxasFunction function;
    function.symbol = symbol;
    function.name = demangled(function.symbol);
    function.architecture = architecture;
    function.entry = entry;
    function.line = where_.line;
    functions_.push_back(std::move(function));
    return functions_.size() - 1;
  }

  // rest: "SYMBOL' for 'sm_90'"; the architecture is missing in some versions.
  void read_compiling(std::string_view rest) {
    require_no_open_entry();
    const auto end = rest.find('\'');
    if (end == std::string_view::npos || end == 0) {
      refuse(rest, "a function name between quotes");
    }
    architecture_.clear();
    if (const auto quoted = after(rest.substr(end + 1), "for '")) {
      architecture_ = quoted->substr(0, quoted->find('\''));
    }
    open_entry_ = current_ = add(rest.substr(0, end), architecture_, true);
  }

  void read_properties(std::string_view symbol) {
    if (symbol.starts_with('\'')) {  // the linker's spelling: 'NAME':
      symbol.remove_prefix(1);
      symbol = symbol.substr(0, symbol.find('\''));
      architecture_.clear();
    }
    if (symbol.empty()) refuse(symbol, "a function name");
    const bool of_entry = open_entry_ != kNobody && functions_[open_entry_].symbol == symbol;
    current_ = of_entry ? open_entry_ : add(symbol, architecture_, false);
  }

  PtxasFunction& current(std::string_view line) {
    if (current_ == kNobody) refuse(line, "the function's name before its resources");
    return functions_[current_];
  }

  // A function without a "Compiling" line (the linker's report) turns out to be a kernel here.
  void read_used(std::string_view items, std::string_view line) {
    PtxasFunction& function = open_entry_ != kNobody ? functions_[open_entry_] : current(line);
    function.entry = true;
    read_items(items, function);
    open_entry_ = kNobody;
  }

  // "40 registers, used 1 barriers, 12288 bytes smem": items without a number of ours are left.
  void read_items(std::string_view items, PtxasFunction& function) {
    while (!items.empty()) {
      const auto comma = items.find(',');
      read_item(trimmed(items.substr(0, comma)), function);
      items = comma == std::string_view::npos ? std::string_view{} : items.substr(comma + 1);
    }
  }

  void read_item(std::string_view item, PtxasFunction& function) {
    if (item.starts_with("used ")) item.remove_prefix(5);
    const auto space = item.find(' ');
    if (space == std::string_view::npos) return;
    store(item.substr(0, space), trimmed(item.substr(space)), function);
  }

  void store(std::string_view number, std::string_view what, PtxasFunction& function) {
    if (what == "registers") function.registers = count(number);
    if (what == "barriers") function.barriers = count(number);
    if (what == "bytes smem") function.static_shared = bytes(number);
    if (what.starts_with("bytes cmem[")) function.constants += bytes(number);
    if (what == "bytes lmem") function.local = bytes(number);
    if (what == "bytes stack frame") function.stack_frame = bytes(number);
    if (what == "bytes cumulative stack size" || what == "stack")
      function.cumulative_stack = bytes(number);
    if (what == "bytes spill stores") function.spill_stores = bytes(number);
    if (what == "bytes spill loads") function.spill_loads = bytes(number);
  }

  std::uint32_t count(std::string_view text) const {
    std::uint32_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || rest != text.data() + text.size()) refuse(text, "a whole number");
    return value;
  }

  Bytes bytes(std::string_view text) const { return Bytes(std::int64_t{count(text)}); }

  Location where_;
  std::vector<PtxasFunction> functions_;
  std::string architecture_;
  std::size_t open_entry_ = kNobody;  // compiled, its registers not yet read
  std::size_t current_ = kNobody;     // the function that stack and spills belong to
};

}  // namespace

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  // Only _Z begins a mangled function: "i" alone would otherwise become the type int.
  return status == 0 && text && symbol.starts_with("_Z") ? std::string(text.get()) : symbol;
}

std::vector<PtxasFunction> read_ptxas_report(const std::string& text, const std::string& file) {
  Reader reader(file);
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    reader.read(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  }
  return reader.finish();
}

program::LaunchShape shape_of(const PtxasFunction& kernel, program::Dim3 grid, program::Dim3 block,
                              Bytes dynamic_shared) {
  program::LaunchShape shape;
  shape.grid = grid;
  shape.block = block;
  shape.registers_per_thread = kernel.registers;
  shape.static_shared = kernel.static_shared;
  shape.dynamic_shared = dynamic_shared;
  return shape;
}

}  // namespace septet::gpu
