// Hardware profiles: the parameters of one kind of GPU or host, each with its source, in a TOML
// file whose name is the profile's name. A profile may have a base: another profile, from which it
// inherits every number that it does not define itself, and its host. The source of such a number
// says where it was taken from, and why (`base_note`), followed by the base's source.
//
// Profiles are looked for in DIRECTORY/hardware of $SEPTET_DATA and of ../share/septet as seen from
// the executable's folder, in this order; the first of a name wins.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/host/host_spec.hpp"
#include "scenarios/config/toml/value.hpp"

namespace septet::config {

enum class ProfileKind { kGpu, kHost };

struct Profile {
  ProfileKind kind = ProfileKind::kGpu;
  std::string name;
  std::vector<std::string> aliases;
  std::string description;
  std::string default_host;  // GPUs: the profile of the host that it was measured in, or its base
  std::string base;          // the profile whose numbers lie beneath its own; empty: none
  std::filesystem::path file;
  ConfigValue numbers;  // as written, sources included; those of the base beneath
};

// Throws ConfigError where anything is missing, unknown, out of range or without a source. A base
// is searched for next to the file, then in the data `directories`.
Profile read_profile(const std::filesystem::path& file,
                     const std::vector<std::filesystem::path>& directories = {});

gpu::GpuSpec gpu_spec(const Profile& profile);
host::HostSpec host_spec(const Profile& profile);

// A warning about the reliability of these numbers: how many are guesses, by their own source or
// that of a base. Empty if hardly any are (2 %).
std::vector<std::string> profile_warnings(const Profile& profile);

// By name or alias, case-insensitively.
bool answers_to(const Profile& profile, const std::string& name);
bool answers_to(const gpu::GpuSpec& gpu, const std::string& name);

// The error for a name that none of `profiles` has; `what`: "a GPU profile".
ConfigError unknown_profile(const std::vector<Profile>& profiles, const std::string& what,
                            const std::string& name, const Location& where, const std::string& key);

class ProfileLibrary {
 public:
  // Reads every profile in the directories; those that don't exist are skipped.
  explicit ProfileLibrary(const std::vector<std::filesystem::path>& data_directories);

  // By name, alias or file (see in_file). Throws ConfigError, located at `where`, that lists the
  // near misses.
  Profile find(ProfileKind kind, const std::string& name, const Location& where,
               const std::string& key) const;

  // A name that ends in ".toml" is that of a file and chooses the profile in it. A relative one
  // starts in the folder of the file that names it, `where`, or where the command was called.
  // Nothing for other names.
  std::optional<Profile> in_file(const std::string& name, const Location& where) const;

  const std::vector<Profile>& all() const { return profiles_; }  // by name, GPUs first

 private:
  std::vector<std::filesystem::path> directories_;
  std::vector<Profile> profiles_;
};

// Throws ConfigError where $SEPTET_DATA names no directory.
std::vector<std::filesystem::path> data_directories();

}  // namespace septet::config
