// What GPUs cost: data/prices, one file a provider.
//
// A file holds the provider's class, the currency and [[price]] tables: the price of an hour of one
// GPU, with its source and the day on which it was read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "core/base/error.hpp"

namespace septet::serving {

enum class ProviderClass : std::uint8_t {
  kHyperscaler,
  kGpuCloud,
  kMarketplace,  // GPUs of third parties
};
constexpr auto enum_table(std::type_identity<ProviderClass>) {
  return enum_texts<ProviderClass>("hyperscaler", "gpu-cloud", "marketplace");
}

struct GpuPrice {
  std::string gpu{};    // a profile of data/hardware; empty where the scenario says the price
  double gpu_hour = 0;  // of the list's currency
  std::string source{};
  std::string date{};  // "2026-11-09", when it was read
};

struct PriceList {
  std::string name;
  std::filesystem::path file;
  std::string description;
  ProviderClass provider = ProviderClass::kGpuCloud;
  std::string currency;
  std::vector<GpuPrice> prices;
};

// Throws ConfigError where anything is missing, unknown, twice, or without a source.
PriceList read_price_list(const std::filesystem::path& file);

class PriceLibrary {
 public:
  explicit PriceLibrary(const std::vector<std::filesystem::path>& data_directories);

  // By name or file; a relative file starts in the folder of `where`. Throws ConfigError, located
  // there, with near misses.
  PriceList find(const std::string& name, const Location& where) const;

  const std::vector<PriceList>& all() const { return lists_; }  // by name

 private:
  std::vector<PriceList> lists_;
};

// Throws ConfigError located at `where`, naming the GPUs that the list has.
const GpuPrice& price_of(const PriceList& list, const std::string& gpu, const Location& where);

}  // namespace septet::serving
