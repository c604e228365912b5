// Reads the plain entries of a Kineto file past RapidJSON: wherever one entry of traceEvents has
// ended, those that follow are taken from the buffer by ObjectScanner and handed to KinetoHandler
// token by token, as RapidJSON would, up to the first that isn't plain. RapidJSON then continues
// there and handles whatever is unusual; it sees the text of the file without the entries already
// taken.
#pragma once

#include "models/workload/recorded/json/json_input.hpp"
#include "models/workload/recorded/json/object_scanner.hpp"
#include "models/workload/recorded/kineto/kineto_handler.hpp"

namespace septet::recorded {

class PlainEntries : public KinetoHandler {
 public:
  // `stream`: the one that RapidJSON reads.
  PlainEntries(KinetoBuilder& builder, JsonInput& input, JsonStream& stream)
      : KinetoHandler(builder), input_(input), stream_(stream) {}

  bool EndObject(rapidjson::SizeType members) {
    if (!KinetoHandler::EndObject(members)) return false;
    if (between_entries()) take_entries();
    return true;
  }

 private:
  void take_entries();
  ObjectScanner::Outcome scan_next(std::string_view text);
  void hand_over();

  JsonInput& input_;
  JsonStream& stream_;
  ObjectScanner scanner_;
};

}  // namespace septet::recorded
