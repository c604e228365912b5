#include "scenarios/serving/price_list.hpp"

#include <algorithm>
#include <cctype>

#include "scenarios/config/fields/field.hpp"
#include "scenarios/config/toml/library_files.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/config/toml/setting.hpp"
#include "scenarios/config/toml/toml_reader.hpp"

namespace septet::serving {
namespace {

namespace fs = std::filesystem;

constexpr double kMostPrice = 1e9;

struct PriceText {
  config::Place place;
  std::string gpu;
  double gpu_hour = 0;
  std::string date;
};

struct ListText {
  config::Place place;
  std::string description;
  ProviderClass provider = ProviderClass::kGpuCloud;
  std::string currency;
  std::vector<PriceText> prices;
};

const config::Fields<PriceText>& price_fields() {
  using S = PriceText;
  static const config::Fields<S> rows = {
      required(config::field("gpu", &S::gpu, "a profile of data/hardware")),
      required(config::ranged("gpu_hour", &S::gpu_hour, "price of an hour of one GPU",
                              config::between(0.0, kMostPrice))),
      required(config::field("date", &S::date, "when the price was read: 2026-11-09")),
  };
  return rows;
}

const config::Fields<ListText>& list_fields() {
  using S = ListText;
  static const config::Fields<S> rows = {
      required(config::field("description", &S::description, "one-line description")),
      required(config::field("provider", &S::provider, "hyperscaler, gpu-cloud, marketplace")),
      required(config::field("currency", &S::currency, "such as USD")),
      required(config::list("price", &S::prices, price_fields, "prices by GPU")),
  };
  return rows;
}

bool is_date(const std::string& text) {
  constexpr std::string_view kForm = "0000-00-00";
  return std::ranges::equal(text, kForm, [](char is, char wanted) {
    return wanted == '0' ? std::isdigit(static_cast<unsigned char>(is)) != 0 : is == wanted;
  });
}

GpuPrice price_of(const PriceText& text) {
  if (!is_date(text.date)) {
    text.place.fail("date", "\"" + text.date + "\"", "a day such as \"2026-11-09\"");
  }
  const config::ConfigValue& number = *text.place.table->find("gpu_hour");
  return {text.gpu, text.gpu_hour, *number.find("source")->string(), text.date};
}

}  // namespace

PriceList read_price_list(const fs::path& file) {
  const config::ConfigValue tree = config::read_toml_file(file);
  ListText text;
  const std::string root;
  config::read_fields({tree, root}, list_fields(), config::Sources::kRequired, text);
  PriceList out{file.stem().string(), file, text.description, text.provider, text.currency, {}};
  for (const PriceText& price : text.prices) {
    if (std::ranges::find(out.prices, price.gpu, &GpuPrice::gpu) != out.prices.end()) {
      price.place.fail("gpu", "\"" + price.gpu + "\" again", "one price for each GPU");
    }
    out.prices.push_back(price_of(price));
  }
  return out;
}

PriceLibrary::PriceLibrary(const std::vector<fs::path>& data_directories) {
  for (const fs::path& file : config::library_files(data_directories, "prices")) {
    lists_.push_back(read_price_list(file));
  }
  std::ranges::sort(lists_, {}, &PriceList::name);
}

PriceList PriceLibrary::find(const std::string& name, const Location& where) const {
  if (name.ends_with(".toml")) return read_price_list(fs::path(where.file).parent_path() / name);
  std::vector<std::string> names;
  for (const PriceList& list : lists_) {
    if (list.name == name) return list;
    names.push_back(list.name);
  }
  throw ConfigError::value(where, "serving.prices", "\"" + name + "\"",
                           "a list of data/prices (" + config::listed(names) + ") or a .toml file" +
                               config::did_you_mean(name, names));
}

const GpuPrice& price_of(const PriceList& list, const std::string& gpu, const Location& where) {
  const auto found = std::ranges::find(list.prices, gpu, &GpuPrice::gpu);
  if (found != list.prices.end()) return *found;
  std::vector<std::string> gpus;
  for (const GpuPrice& price : list.prices) gpus.push_back(price.gpu);
  throw ConfigError::value(where, "serving.prices", "\"" + list.name + "\", without " + gpu,
                           "a list with its price, or serving.gpu_hour_price (the list has " +
                               config::listed(gpus) + ")");
}

}  // namespace septet::serving
