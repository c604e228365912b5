// RapidJSON's reader with assertions that can't end the process: they guard against misuse of its
// interface, and a damaged file must never do that.
#pragma once

#include <stdexcept>

#ifdef RAPIDJSON_ASSERT
#error "include rapidjson_reader.hpp before any header of RapidJSON"
#endif
#define RAPIDJSON_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : throw std::logic_error("RapidJSON: " #condition))

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>
