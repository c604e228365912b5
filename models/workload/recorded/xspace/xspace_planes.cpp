#include "models/workload/recorded/xspace/xspace_planes.hpp"

#include <protozero/pbf_reader.hpp>

namespace septet::recorded {
namespace {

using Reader = protozero::pbf_reader;

std::string_view view(const protozero::data_view& bytes) { return {bytes.data(), bytes.size()}; }

Reader reader_of(std::string_view message) { return Reader(message.data(), message.size()); }

// The next field, as what it should be; another wire type is skipped.
void take(Reader& reader, std::int64_t& out) {
  if (!reader.has_wire_type(protozero::pbf_wire_type::varint)) return reader.skip();
  out = reader.get_int64();
}

std::string_view take_view(Reader& reader) {
  if (reader.has_wire_type(protozero::pbf_wire_type::length_delimited)) {
    return view(reader.get_view());
  }
  reader.skip();
  return {};
}

// XStat: metadata_id 1, double 2, uint64 3, int64 4, string 5, bytes 6, reference 7.
XStat read_stat(std::string_view message) {
  XStat out;
  Reader reader = reader_of(message);
  while (reader.next()) {
    switch (reader.tag()) {
      case 1:
        take(reader, out.metadata);
        break;
      case 3:
        take(reader, out.number.emplace());
        break;
      case 4:
        take(reader, out.number.emplace());
        break;
      case 5:
        out.text = take_view(reader);
        break;
      case 7:
        take(reader, out.reference);
        break;
      default:
        reader.skip();
    }
  }
  return out;
}

// An entry of a map from ids to metadata, which have an id 1 and a name 2.
void read_metadata(std::string_view message, std::map<std::int64_t, std::string_view>& names) {
  std::int64_t id = 0;
  std::string_view name;
  Reader entry = reader_of(message);
  while (entry.next()) {
    if (entry.tag() == 1) {
      take(entry, id);
    } else if (entry.tag() == 2) {
      Reader metadata = reader_of(take_view(entry));
      while (metadata.next()) {
        metadata.tag() == 2 ? void(name = take_view(metadata)) : metadata.skip();
      }
    } else {
      entry.skip();
    }
  }
  names[id] = name;
}

// XPlane: name 2, lines 3, event_metadata 4, stat_metadata 5, stats 6.
XPlane read_plane(std::string_view message) {
  XPlane out;
  Reader reader = reader_of(message);
  while (reader.next()) {
    switch (reader.tag()) {
      case 2:
        out.name = take_view(reader);
        break;
      case 3:
        out.lines.push_back(take_view(reader));
        break;
      case 4:
        read_metadata(take_view(reader), out.event_names);
        break;
      case 5:
        read_metadata(take_view(reader), out.stat_names);
        break;
      case 6:
        out.stats.push_back(read_stat(take_view(reader)));
        break;
      default:
        reader.skip();
    }
  }
  return out;
}

}  // namespace

void read_planes(std::string_view file, const std::function<void(const XPlane&)>& take) {
  Reader space = reader_of(file);
  while (space.next()) {
    if (space.tag() == 1) {
      take(read_plane(take_view(space)));
    } else {
      space.skip();
    }
  }
}

// XLine: id 1, name 2, timestamp_ns 3, events 4.
XLine read_line(std::string_view message) {
  XLine out;
  Reader reader = reader_of(message);
  while (reader.next()) {
    switch (reader.tag()) {
      case 1:
        take(reader, out.id);
        break;
      case 2:
        out.name = take_view(reader);
        break;
      case 3:
        take(reader, out.timestamp_ns);
        break;
      case 4:
        out.events.push_back(take_view(reader));
        break;
      default:
        reader.skip();
    }
  }
  return out;
}

// XEvent: metadata_id 1, offset_ps 2, duration_ps 3, stats 4.
XEvent read_event(std::string_view message) {
  XEvent out;
  Reader reader = reader_of(message);
  while (reader.next()) {
    switch (reader.tag()) {
      case 1:
        take(reader, out.metadata);
        break;
      case 2:
        take(reader, out.offset_ps);
        break;
      case 3:
        take(reader, out.duration_ps);
        break;
      case 4:
        out.stats.push_back(read_stat(take_view(reader)));
        break;
      default:
        reader.skip();
    }
  }
  return out;
}

}  // namespace septet::recorded
