#include <algorithm>

#include <fmt/format.h>

#include "scenarios/config/kernels/operator_text.hpp"
#include "scenarios/config/toml/near_miss.hpp"

namespace septet::config {
namespace {

using Calls = Fields<WrittenOperator>;

// The key of the name: a kernel in a scenario has its own.
const char* name_key(OperatorForm form) { return form == OperatorForm::kScenario ? "name" : "op"; }

// Properties of a call other than its shape.
const Calls& call_fields(OperatorForm form) {
  using S = WrittenOperator;
  static const Calls kCommon = {field("dtype", &S::type, "data type of the elements; default bf16"),
                                field("library", &S::library,
                                      "pytorch: cuBLAS and cuDNN; vllm: vLLM's kernels with their "
                                      "helper kernels; default pytorch")};
  const auto with = [](Calls more) {
    more.insert(more.begin(), kCommon.begin(), kCommon.end());
    return more;
  };
  static const Calls kScenario =
      with({ranged("l2_hit", &S::l2_hit, "fraction of the operands in the L2 cache; default 0",
                   between(0.0, 1.0)),
            field("l2_dirty", &S::l2_dirty,
                  "the L2 cache is full of dirty lines from another call; default false"),
            field("output_stays", &S::output_stays,
                  "the output is overwritten before it leaves the L2 cache; default false"),
            ranged("load", &S::load,
                   "how long the GPU has been under such a load, which lowers its clock; default 0",
                   at_least(Duration(0)))});
  static const Calls kQuestion = with(
      {field("l2", &S::l2,
             "cold: the L2 cache holds none of the operands and is full of dirty lines; warm: the "
             "call is repeated, and the cache keeps what fits; default cold"),
       field(
           "steady", &S::steady,
           "such calls have run long enough for the clock to settle; default false: full clock")});
  if (form == OperatorForm::kScenario) return kScenario;
  return form == OperatorForm::kQuestion ? kQuestion : kCommon;
}

// Whether calls of the kind have the key.
bool belongs(const program::OperatorKind& kind, const std::string& key) {
  if (key == "library") return kind.library;
  return key != "steady" || kind.load;
}

const Range<std::uint64_t> kSides = between(std::uint64_t{1}, program::OperatorLimit::kRows);

FieldText name_text(OperatorForm form) {
  return {name_key(form), Convert<std::string>::kType, "",
          "name of the operator (listed in scenarios/KERNELS.md)", true};
}

FieldText shape_text(const program::ShapeField& field) {
  if (field.flag) return {field.key, Convert<bool>::kType, "", field.meaning};
  const std::string range = between(std::uint64_t{1}, field.most).text();
  return {field.key, Convert<std::uint64_t>::kType, range, field.meaning,
          field.required && !field.matrix};
}

std::vector<FieldText> matrix_texts() {
  const char* const type = Convert<std::uint64_t>::kType;
  return {{"rows", type, kSides.text(), "rows of the matrix"},
          {"cols", type, kSides.text(), "columns of the matrix"}};
}

// A measured row has its type and the keys in which rows differ.
bool said_by_rows(const program::OperatorKind& kind, const std::string& key) {
  const auto& extents = kind.measured.extents;
  const bool differ =
      std::ranges::find(extents, key, &program::MeasuredOperator::Extent::key) != extents.end();
  return differ || key == "dtype";
}

void check_keys_of(const Reading& reading, const program::OperatorKind& kind, OperatorForm form) {
  std::vector<FieldText> texts = {name_text(form)};
  for (const program::ShapeField& field : kind.fields) {
    texts.push_back(shape_text(field));
    if (!field.matrix) continue;
    for (const FieldText& side : matrix_texts()) texts.push_back(side);
  }
  for (const FieldText& field : call_fields(form)) {
    if (belongs(kind, field.key)) texts.push_back(field);
  }
  if (form == OperatorForm::kRow) {
    for (FieldText& text : texts) {
      text.required |= text.key != "elements" && said_by_rows(kind, text.key);
    }
  }
  std::vector<const FieldText*> all;
  for (const FieldText& text : texts) all.push_back(&text);
  check_keys(reading, all);
}

double number_at(const Place& place, const std::string& key, const Range<std::uint64_t>& range) {
  const std::string path = joined(place.path, key);
  return static_cast<double>(
      read_ranged<std::uint64_t>({*place.table->find(key), path}, Sources::kAllowed, range));
}

// Elements are given directly or as the sides of a matrix; if both are given they must agree.
std::optional<double> matrix_elements(const Place& place, const program::ShapeField& field) {
  const bool plain = place.has(field.key);
  if (!place.has("rows") && !place.has("cols")) {
    if (plain) return std::nullopt;
    place.fail(field.key, "nothing", "a whole number, or rows and cols");
  }
  std::optional<double> rows, cols;
  if (place.has("rows")) rows = number_at(place, "rows", kSides);
  if (place.has("cols")) cols = number_at(place, "cols", kSides);
  if (!rows || !cols) {
    if (!plain) place.fail(rows ? "cols" : "rows", "nothing", "both rows and cols, or elements");
  } else if (*rows * *cols > static_cast<double>(field.most)) {
    place.fail("rows", fmt::format("{} x {} elements", *rows, *cols),
               fmt::format("at most {} elements", field.most));
  }
  if (!plain) return *rows * *cols;
  const double elements = number_at(place, field.key, between(std::uint64_t{1}, field.most));
  if (rows && cols && *rows * *cols == elements) return std::nullopt;
  place.fail(field.key, fmt::format("{} together with rows and cols", elements),
             "elements, or rows and cols with the same product");
}

double shape_value(const WrittenOperator& written, const program::ShapeField& field) {
  const Place& place = written.place;
  if (field.matrix) {
    if (const auto elements = matrix_elements(place, field)) return *elements;
  }
  const ConfigValue* value = place.table->find(field.key);
  if (value == nullptr) {
    return (field.like.empty() ? field : *written.kind->field(field.like)).get(written.what);
  }
  const std::string path = joined(place.path, field.key);
  if (field.flag) return Convert<bool>::read({*value, path}) ? 1 : 0;
  return number_at(place, field.key, between(std::uint64_t{1}, field.most));
}

const program::OperatorKind& named_kind(const Reading& reading, OperatorForm form,
                                        std::string& name) {
  const char* key = name_key(form);
  const std::string path = joined(reading.path, key);
  const ConfigValue* value = reading.value.find(key);
  if (value == nullptr) {
    throw ConfigError::value(reading.value.where, path, "nothing", "the name of an operator");
  }
  name = Convert<std::string>::read({*value, path});
  const program::OperatorKind* kind =
      form == OperatorForm::kRow ? program::measured_operator(name) : program::operator_kind(name);
  if (kind != nullptr) return *kind;
  std::vector<std::string> names;
  for (const program::OperatorKind& one : program::operator_kinds()) {
    names.push_back(one.name);
    names.insert(names.end(), one.aliases.begin(), one.aliases.end());
  }
  throw ConfigError::value(value->where, path, "\"" + name + "\"",
                           listed(names) + did_you_mean(name, names));
}

// Rows with data types that an operator is not modelled for are treated like bf16.
void check_type(const WrittenOperator& written) {
  if (written.kind->computes_with(written.type)) return;
  std::vector<std::string> names;
  for (const program::DataType type : written.kind->types) names.emplace_back(text_of(type));
  written.place.fail("dtype", fmt::format("\"{}\"", text_of(written.type)),
                     listed(names) + " with " + written.name);
}

void check_sizes(const WrittenOperator& written) {
  const auto mistake = mistake_of(written.what);
  if (!mistake) return;
  const std::string of = mistake->of.empty() ? "" : " " + mistake->of;
  written.place.fail(mistake->key, fmt::format("{}{}", mistake->got, of), mistake->wanted);
}

std::string default_text(const program::OperatorKind& kind, const program::ShapeField& field) {
  if (!field.like.empty()) return field.like;
  const double value = field.get(kind.preset);
  if (field.flag) return value != 0 ? "true" : "false";
  return fmt::format("{}", value);
}

// What a key says where it is absent: "default 1", or for each operator, where they differ.
std::string defaults_of(const std::string& key) {
  std::vector<std::string> each;
  bool alike = true;
  std::string first;
  for (const program::OperatorKind& kind : program::operator_kinds()) {
    const program::ShapeField* field = kind.field(key);
    if (field == nullptr || field->required) {
      alike = alike && field == nullptr;
      continue;
    }
    const std::string text = default_text(kind, *field);
    if (each.empty()) first = text;
    alike = alike && text == first;
    each.push_back(fmt::format("{} with {}", text, kind.name));
  }
  if (each.empty()) return "";
  return "; default " + (alike ? first : fmt::format("{}", fmt::join(each, ", ")));
}

}  // namespace

WrittenOperator read_operator(const Reading& reading, OperatorForm form) {
  if (reading.value.table() == nullptr) reading.fail("a table");
  WrittenOperator out;
  out.place = Place{&reading.value, reading.path};
  out.kind = &named_kind(reading, form, out.name);
  check_keys_of(reading, *out.kind, form);
  out.what = out.kind->preset;
  for (const program::ShapeField& field : out.kind->fields)
    field.set(out.what, shape_value(out, field));
  // Casts and products of one type alone have it for a default.
  if (!out.kind->computes_with(out.type)) out.type = out.kind->types.front();
  for (const Field<WrittenOperator>& field : call_fields(form)) {
    const ConfigValue* value = reading.value.find(field.key);
    const std::string path = joined(reading.path, field.key);
    if (value != nullptr) field.read({*value, path}, Sources::kAllowed, out);
  }
  if (form != OperatorForm::kRow) check_type(out);
  set_type(out.what, out.type);
  check_sizes(out);
  return out;
}

program::OperatorWork read_operator_work(const Reading& reading) {
  const WrittenOperator written = read_operator(reading, OperatorForm::kScenario);
  program::OperatorWork out{written.what, written.library, {.before = written.load}};
  set_state(out.what, {written.l2_hit, written.l2_dirty, written.output_stays});
  return out;
}

std::vector<FieldText> operator_keys(OperatorForm form) {
  std::vector<FieldText> out = {name_text(form)};
  const auto add = [&](FieldText text) {
    if (std::ranges::find(out, text.key, &FieldText::key) != out.end()) return;
    text.required = false;
    out.push_back(std::move(text));
  };
  for (const program::OperatorKind& kind : program::operator_kinds()) {
    for (const program::ShapeField& field : kind.fields) {
      FieldText text = shape_text(field);
      text.description += defaults_of(field.key);
      add(std::move(text));
      if (field.matrix) std::ranges::for_each(matrix_texts(), add);
    }
  }
  for (const FieldText& field : call_fields(form)) add(field);
  return out;
}

}  // namespace septet::config
