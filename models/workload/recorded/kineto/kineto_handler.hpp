// Follows the structure of a Kineto file as RapidJSON reports it and passes on the parts that
// matter: the entries of traceEvents (or of a bare array), deviceProperties, distributedInfo and
// baseTimeNanoseconds, in any order. Everything else is skipped at any depth up to kDeepest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/workload/recorded/json/rapidjson_reader.hpp"
#include "models/workload/recorded/kineto/kineto_builder.hpp"
#include "models/workload/recorded/kineto/kineto_event.hpp"

namespace septet::recorded {

class KinetoHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, KinetoHandler> {
 public:
  static constexpr std::size_t kDeepest = 1000;

  explicit KinetoHandler(KinetoBuilder& builder) : builder_(builder) {}

  bool Null() { return scalar({}, Scalar::kWord); }
  bool Bool(bool) { return scalar({}, Scalar::kWord); }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    return scalar({text, length}, Scalar::kNumber);
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    return scalar({text, length}, Scalar::kText);
  }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    return skipped_ > 0 || key({text, length});
  }
  bool StartObject() { return open(true); }
  bool EndObject(rapidjson::SizeType) { return close(); }
  bool StartArray() { return open(false); }
  bool EndArray(rapidjson::SizeType) { return close(); }

  // Why a callback returned false.
  const std::string& refusal() const { return refusal_; }
  bool found_entries() const { return found_entries_; }
  // Whether the next thing to come is an entry of traceEvents, or their end.
  bool between_entries() const { return skipped_ == 0 && places_.back() == Place::kEntries; }

 private:
  enum class Scalar : std::uint8_t { kWord, kNumber, kText };  // a word: true, false or null
  enum class Place : std::uint8_t {
    kStart,
    kRoot,
    kEntries,
    kEntry,
    kArguments,
    kDimensions,
    kDevices,
    kDevice,
    kDistributed,
  };
  enum class RootKey : std::uint8_t {
    kOther,
    kEntries,
    kDevices,
    kDistributed,
    kBaseTime,
    kWithStack,
    kRecordShapes
  };

  // One entry's or device's values that aren't complete yet.
  struct Device {
    std::optional<std::int64_t> id;
    std::string name;
    std::int64_t sm_count = 0;
  };

  bool refuse(std::string reason);
  bool enter(Place place);
  bool skip();
  bool open(bool object);
  bool open_in_root(bool object);
  bool open_in_entry(bool object);
  bool close();
  bool key(std::string_view text);
  bool scalar(std::string_view text, Scalar type);
  void root_scalar(std::string_view text, Scalar type);
  void dimension(std::string_view text, Scalar type);
  void device_scalar(std::string_view text, Scalar type);
  void distributed_scalar(std::string_view text);
  void end_dimensions();

  KinetoBuilder& builder_;
  std::vector<Place> places_{Place::kStart};
  std::size_t skipped_ = 0;  // open objects and arrays that are skipped
  RootKey root_key_ = RootKey::kOther;
  std::string name_;  // the key of a device's or distributedInfo's value
  std::optional<KinetoField> field_;
  bool at_arguments_ = false;  // the entry's current key is "args"
  KinetoEvent entry_;
  std::array<std::uint32_t, 3> sizes_{};
  std::size_t size_count_ = 0;
  bool sizes_readable_ = true;
  Device device_;
  bool found_entries_ = false;
  std::string refusal_;
};

}  // namespace septet::recorded
