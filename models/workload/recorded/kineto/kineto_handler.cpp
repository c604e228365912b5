#include "models/workload/recorded/kineto/kineto_handler.hpp"

#include <limits>
#include <utility>

namespace septet::recorded {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> parse_signed(std::string_view text) {
  const auto integer = parse_integer(text);
  return integer ? integer->within(-kLargest, kLargest) : std::nullopt;
}

}  // namespace

bool KinetoHandler::refuse(std::string reason) {
  refusal_ = std::move(reason);
  return false;
}

bool KinetoHandler::enter(Place place) {
  places_.push_back(place);
  return true;
}

bool KinetoHandler::skip() {
  ++skipped_;
  if (skipped_ + places_.size() <= kDeepest) return true;
  return refuse("objects and arrays nested more than 1000 deep");
}

bool KinetoHandler::open(bool object) {
  if (skipped_ > 0) return skip();
  switch (places_.back()) {
    case Place::kStart:
      if (!object) found_entries_ = true;
      return enter(object ? Place::kRoot : Place::kEntries);
    case Place::kRoot:
      return open_in_root(object);
    case Place::kEntries:
      if (object) return entry_.clear(), enter(Place::kEntry);
      builder_.anomaly("entries that are not objects");
      return skip();
    case Place::kEntry:
      return open_in_entry(object);
    case Place::kArguments:
      if (object || (field_ != KinetoField::kGrid && field_ != KinetoField::kBlock)) return skip();
      size_count_ = 0;
      sizes_readable_ = true;
      return enter(Place::kDimensions);
    case Place::kDevices:
      device_ = {};
      return object ? enter(Place::kDevice) : skip();
    case Place::kDimensions:
      sizes_readable_ = false;
      return skip();
    case Place::kDevice:
    case Place::kDistributed:
      return skip();
  }
  return skip();
}

bool KinetoHandler::open_in_root(bool object) {
  switch (root_key_) {
    case RootKey::kEntries:
      if (object) return refuse("traceEvents is an object; wanted an array");
      if (found_entries_) builder_.anomaly("traceEvents occurs more than once (all are read)");
      found_entries_ = true;
      return enter(Place::kEntries);
    case RootKey::kDevices:
      return object ? skip() : enter(Place::kDevices);
    case RootKey::kDistributed:
      return object ? enter(Place::kDistributed) : skip();
    default:
      return skip();
  }
}

bool KinetoHandler::open_in_entry(bool object) {
  if (at_arguments_) {
    if (object) return enter(Place::kArguments);
    builder_.anomaly("args that are not an object");
  } else if (field_) {
    entry_.set_unreadable(*field_);
  }
  return skip();
}

bool KinetoHandler::close() {
  if (skipped_ > 0) {
    --skipped_;
    return true;
  }
  const Place place = places_.back();
  places_.pop_back();
  if (place == Place::kEntry) builder_.add(entry_);
  if (place == Place::kDimensions) end_dimensions();
  if (place == Place::kDevice) {
    builder_.add_device(device_.id, std::move(device_.name), device_.sm_count);
  }
  return true;
}

bool KinetoHandler::key(std::string_view text) {
  switch (places_.back()) {
    case Place::kEntry:
      field_ = event_field(text);
      at_arguments_ = text == "args";
      break;
    case Place::kArguments:
      field_ = argument_field(text);
      break;
    case Place::kRoot:
      root_key_ = text == "traceEvents"           ? RootKey::kEntries
                  : text == "deviceProperties"    ? RootKey::kDevices
                  : text == "distributedInfo"     ? RootKey::kDistributed
                  : text == "baseTimeNanoseconds" ? RootKey::kBaseTime
                  : text == "with_stack"          ? RootKey::kWithStack
                  : text == "record_shapes"       ? RootKey::kRecordShapes
                                                  : RootKey::kOther;
      break;
    default:
      name_ = text;
      break;
  }
  return true;
}

bool KinetoHandler::scalar(std::string_view text, Scalar type) {
  if (skipped_ > 0) return true;
  switch (places_.back()) {
    case Place::kEntry:
    case Place::kArguments:
      if (field_ && type != Scalar::kWord) {
        entry_.set(*field_, text, type == Scalar::kText);
      }
      if (at_arguments_ && places_.back() == Place::kEntry) {
        builder_.anomaly("args that are not an object");
      }
      break;
    case Place::kDimensions:
      dimension(text, type);
      break;
    case Place::kEntries:
      builder_.anomaly("entries that are not objects");
      break;
    case Place::kRoot:
      if (root_key_ == RootKey::kEntries) return refuse("traceEvents is not an array");
      root_scalar(text, type);
      break;
    case Place::kDevice:
      device_scalar(text, type);
      break;
    case Place::kDistributed:
      distributed_scalar(text);
      break;
    case Place::kDevices:
      break;
    case Place::kStart:
      return refuse("the file is a single value; wanted an object or an array");
  }
  return true;
}

void KinetoHandler::root_scalar(std::string_view text, Scalar type) {
  if (root_key_ == RootKey::kWithStack) builder_.trace().with_stack = text == "1";
  if (root_key_ == RootKey::kRecordShapes) builder_.trace().record_shapes = text == "1";
  if (root_key_ != RootKey::kBaseTime || type == Scalar::kWord) return;
  if (const auto base = parse_signed(text)) {
    builder_.set_base_ns(*base);
  } else {
    builder_.anomaly("baseTimeNanoseconds is not an integer, taken as 0");
  }
}

void KinetoHandler::dimension(std::string_view text, Scalar type) {
  const auto integer = parse_integer(text);
  const auto size =
      integer ? integer->within(0, std::numeric_limits<std::uint32_t>::max()) : std::nullopt;
  if (type == Scalar::kWord || !size || size_count_ == sizes_.size()) {
    sizes_readable_ = false;
  } else {
    sizes_[size_count_++] = static_cast<std::uint32_t>(*size);
  }
}

void KinetoHandler::end_dimensions() {
  if (sizes_readable_ && size_count_ == sizes_.size()) {
    entry_.set_dimensions(*field_, {sizes_[0], sizes_[1], sizes_[2]});
  } else {
    entry_.set_unreadable(*field_);
  }
}

void KinetoHandler::device_scalar(std::string_view text, Scalar type) {
  if (type == Scalar::kWord) return;
  if (name_ == "id") device_.id = parse_signed(text);
  if (name_ == "name") device_.name = text;
  if (name_ == "numSms") device_.sm_count = parse_signed(text).value_or(-1);
}

void KinetoHandler::distributed_scalar(std::string_view text) {
  if (name_ != "rank" && name_ != "world_size") return;
  const auto number = parse_signed(text);
  if (!number)
    return builder_.anomaly("distributedInfo with a rank or size that is not an integer");
  if (name_ == "rank") builder_.trace().rank = *number;
  if (name_ == "world_size") builder_.trace().world_size = *number;
}

}  // namespace septet::recorded
