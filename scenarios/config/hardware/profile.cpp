#include "scenarios/config/hardware/profile.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "scenarios/config/hardware/hardware_fields.hpp"
#include "scenarios/config/toml/library_files.hpp"
#include "scenarios/config/toml/setting.hpp"
#include "scenarios/config/toml/toml_reader.hpp"

namespace septet::config {
namespace {

namespace fs = std::filesystem;

// How sources say that a number is a guess (data/hardware/README.md).
const std::string kGuessNote = "a guess";
constexpr const char* kGuessSource = "guess: ";

// The metadata of a profile.
struct ProfileText {
  Place place;
  Name kind;
  std::vector<std::string> aliases;
  std::string description;
  std::optional<std::string> host;
  std::optional<Name> base;
  std::string base_note;
};

const Fields<ProfileText>& profile_fields() {
  using S = ProfileText;
  static const Fields<S> rows = {
      required(field("kind", &S::kind, "\"gpu\" or \"host\"")),
      required(field("description", &S::description, "one-line description of the hardware")),
      field("aliases", &S::aliases, "other names of the profile"),
      field("host", &S::host, "profile of the default host of the GPU"),
      field("base", &S::base, "profile that supplies the numbers not given here"),
      field("base_note", &S::base_note,
            "why its numbers are taken: \"the same die\", \"" + kGuessNote + "\""),
  };
  return rows;
}

bool describes_profile(const std::string& key) {
  const Fields<ProfileText>& rows = profile_fields();
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.key == key; });
}

// Removes the metadata of the profile from `numbers`.
ConfigValue split_header(ConfigValue& numbers) {
  ConfigValue header;
  header.where = numbers.where;
  header.data = ConfigValue::Table{};
  ConfigValue::Table& table = *numbers.table();
  const auto rest = std::stable_partition(
      table.begin(), table.end(), [](const ConfigEntry& e) { return describes_profile(e.key); });
  std::move(table.begin(), rest, std::back_inserter(*header.table()));
  table.erase(table.begin(), rest);
  return header;
}

ProfileKind kind_of(const ProfileText& text) {
  if (text.kind.text == "gpu") return ProfileKind::kGpu;
  if (text.kind.text == "host") return ProfileKind::kHost;
  text.place.fail("kind", "\"" + text.kind.text + "\"", "\"gpu\" or \"host\"");
}

template <class Spec>
Spec read_numbers(const Profile& profile, const Fields<Spec>& fields) {
  Spec spec;
  spec.name = profile.name;
  const std::string root;
  read_fields({profile.numbers, root}, fields, Sources::kRequired, spec);
  return spec;
}

std::string taken_from(const Profile& base, const std::string& note) {
  return "taken from " + base.name + " (" + note + ")";
}

bool tells_of_guess(const std::string& source) {
  return source.starts_with(kGuessSource) ||
         source.find(" (" + kGuessNote + "): ") != std::string::npos ||
         source.find("): " + std::string(kGuessSource)) != std::string::npos;
}

// Of the numbers in `tree`: all, and those that are guesses.
struct NumberCount {
  std::size_t all = 0;
  std::size_t guesses = 0;
};

void count_numbers(const ConfigValue& tree, NumberCount& out) {
  if (tree.table() == nullptr) return;
  for (const ConfigEntry& entry : *tree.table()) {
    const ConfigValue* source = entry.value.find("source");
    if (source == nullptr || source->string() == nullptr) {
      count_numbers(entry.value, out);
      continue;
    }
    ++out.all;
    if (tells_of_guess(*source->string())) ++out.guesses;
  }
}

// Adds to every number of a base where it was taken from.
void mark_taken(ConfigValue& tree, const std::string& from) {
  if (tree.table() == nullptr) return;
  for (ConfigEntry& entry : *tree.table()) {
    ConfigValue* source = entry.value.find("source");
    if (source != nullptr && source->string() != nullptr) {
      source->data = from + ": " + *source->string();
    } else {
      mark_taken(entry.value, from);
    }
  }
}

// The metadata in the file of a profile.
ProfileText read_header(const ConfigValue& header) {
  ProfileText text;
  const std::string root;
  read_fields({header, root}, profile_fields(), Sources::kRequired, text);
  if (text.host && kind_of(text) == ProfileKind::kHost) {
    text.place.fail("host", "a host of a host", "this key only in profiles of kind \"gpu\"");
  }
  if (text.base.has_value() == text.base_note.empty()) {
    throw ConfigError::value(text.place.where(), text.base ? "base_note" : "base", "nothing",
                             "base and base_note together");
  }
  return text;
}

}  // namespace

// Reads profiles and their bases, each file once.
class ProfileReader {
 public:
  explicit ProfileReader(const std::vector<fs::path>& directories) : directories_(directories) {}

  Profile read(const fs::path& file) {
    Profile profile = unchecked(file);
    if (profile.kind == ProfileKind::kGpu) gpu_spec(profile);
    if (profile.kind == ProfileKind::kHost) host_spec(profile);
    return profile;
  }

 private:
  // Not looked at: the numbers.
  Profile unchecked(const fs::path& file) {
    Profile profile;
    profile.file = file;
    profile.name = file.stem().string();
    profile.numbers = tree_of(file);
    const ConfigValue header = split_header(profile.numbers);
    ProfileText text = read_header(header);
    profile.kind = kind_of(text);
    if (text.base) lay_beneath(text, profile);
    profile.aliases = std::move(text.aliases);
    profile.description = std::move(text.description);
    if (text.host) profile.default_host = *text.host;
    return profile;
  }

  void lay_beneath(const ProfileText& text, Profile& profile) {
    profile.base = text.base->text;
    const fs::path file = file_of_base(profile, text);
    if (std::find(open_.begin(), open_.end(), profile.file) != open_.end()) {
      text.place.fail("base", "a cycle of bases", "an acyclic chain of bases");
    }
    open_.push_back(profile.file);
    Profile base = unchecked(file);
    open_.pop_back();
    if (base.kind != profile.kind) {
      text.place.fail("base", "a profile of another kind", "a base of the same kind");
    }
    mark_taken(base.numbers, taken_from(base, text.base_note));
    profile.default_host = host_seen_from(base);
    lay_over(base.numbers, profile.numbers);
    base.numbers.where = profile.numbers.where;
    profile.numbers = std::move(base.numbers);
  }

  // The host of a base as named in its own file: a file is searched for next to that.
  static std::string host_seen_from(const Profile& base) {
    const std::string& host = base.default_host;
    return host.ends_with(".toml") ? (base.file.parent_path() / host).string() : host;
  }

  fs::path file_of_base(const Profile& profile, const ProfileText& text) const {
    std::vector<fs::path> folders = {profile.file.parent_path()};
    for (const fs::path& directory : directories_) folders.push_back(directory / "hardware");
    for (const fs::path& folder : folders) {
      fs::path file = folder / (profile.base + ".toml");
      if (file != profile.file && fs::exists(file)) return file;
    }
    text.place.fail("base", "\"" + profile.base + "\"",
                    "the name of another profile beside this one or in the data directories");
  }

  ConfigValue tree_of(const fs::path& file) {
    const auto found = trees_.find(file);
    return found != trees_.end() ? found->second
                                 : trees_.emplace(file, read_toml_file(file)).first->second;
  }

  const std::vector<fs::path>& directories_;
  std::map<fs::path, ConfigValue> trees_;
  std::vector<fs::path> open_;  // profiles whose base is being read
};

Profile read_profile(const fs::path& file, const std::vector<fs::path>& directories) {
  return ProfileReader(directories).read(file);
}

gpu::GpuSpec gpu_spec(const Profile& profile) {
  gpu::GpuSpec spec = read_numbers(profile, gpu_fields());
  spec.aliases = profile.aliases;
  return spec;
}

host::HostSpec host_spec(const Profile& profile) { return read_numbers(profile, host_fields()); }

std::vector<std::string> profile_warnings(const Profile& profile) {
  constexpr std::size_t kFew = 50;  // up to one number in so many: measured ones have a guess too
  NumberCount count;
  count_numbers(profile.numbers, count);
  if (count.guesses * kFew <= count.all) return {};
  return {fmt::format("{}: {} of its {} parameters are guesses; `septet hardware {}` shows which",
                      profile.name, count.guesses, count.all, profile.name)};
}

ProfileLibrary::ProfileLibrary(const std::vector<fs::path>& directories)
    : directories_(directories) {
  ProfileReader reader(directories);
  for (const fs::path& file : library_files(directories, "hardware")) {
    profiles_.push_back(reader.read(file));
  }
  std::stable_sort(profiles_.begin(), profiles_.end(), [](const Profile& a, const Profile& b) {
    return std::tie(a.kind, a.name) < std::tie(b.kind, b.name);
  });
}

std::optional<Profile> ProfileLibrary::in_file(const std::string& name,
                                               const Location& where) const {
  if (!name.ends_with(".toml")) return std::nullopt;
  return read_profile(fs::path(where.file).parent_path() / name, directories_);
}

Profile ProfileLibrary::find(ProfileKind kind, const std::string& name, const Location& where,
                             const std::string& key) const {
  const char* what = kind == ProfileKind::kGpu ? "a GPU profile" : "a host profile";
  if (std::optional<Profile> own = in_file(name, where)) {
    if (own->kind == kind) return std::move(*own);
    throw ConfigError::value(where, key, "\"" + name + "\" of the other kind", what);
  }
  const auto of_kind = [kind](const Profile& profile) { return profile.kind == kind; };
  for (const Profile& profile : profiles_) {
    if (of_kind(profile) && answers_to(profile, name)) return profile;
  }
  std::vector<Profile> others;
  std::ranges::copy_if(profiles_, std::back_inserter(others), of_kind);
  throw unknown_profile(others, what, name, where, key);
}

}  // namespace septet::config
