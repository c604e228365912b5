#include "tools/septet/study/provenance.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <re2/re2.h>

#include "core/files/sha256.hpp"
#include "tools/septet/version/build_info.hpp"

namespace septet::command {
using Json = nlohmann::ordered_json;

std::vector<std::string> command_line(const std::string& command,
                                      const std::vector<std::string>& arguments) {
  std::vector<std::string> out = {"septet", command};
  out.insert(out.end(), arguments.begin(), arguments.end());
  return out;
}

CommandClock::CommandClock(const std::string& command, const std::vector<std::string>& arguments,
                           std::uint64_t threads)
    : began_{command_line(command, arguments), threads, 0} {}

RunCircumstances CommandClock::so_far() const {
  RunCircumstances out = began_;
  out.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  return out;
}

records::InputRecord input_record(const std::filesystem::path& file, const std::string& role) {
  const std::string sum = files::sha256_of_file(file);
  std::error_code ignored;
  return {file.filename().string(), role,
          static_cast<std::int64_t>(std::filesystem::file_size(file, ignored)), sum};
}

std::vector<records::InputRecord> input_records(const std::vector<std::filesystem::path>& files,
                                                const std::string& role) {
  std::vector<records::InputRecord> out;
  out.reserve(files.size());
  for (const std::filesystem::path& file : files) out.push_back(input_record(file, role));
  return out;
}

std::vector<records::InputRecord> profile_records(const config::Configuration& configuration) {
  std::vector<records::InputRecord> out = {input_record(configuration.gpu.file, "GPU profile"),
                                           input_record(configuration.host.file, "host profile")};
  for (const config::OtherProfiles& other : configuration.others) {
    out.push_back(input_record(other.gpu.file, "GPU profile"));
    out.push_back(input_record(other.host.file, "host profile"));
  }
  return out;
}

void add_profiles(RunOrigin& origin, const std::vector<config::Configuration>& configurations) {
  std::set<std::string> gpus;
  std::set<std::string> hosts;
  for (const config::Configuration& configuration : configurations) {
    gpus.insert(configuration.gpu.name);
    hosts.insert(configuration.host.name);
    for (records::InputRecord& profile : profile_records(configuration)) {
      const auto same = [&](const records::InputRecord& known) {
        return known.role == profile.role && known.sha256 == profile.sha256;
      };
      if (std::ranges::none_of(origin.inputs, same)) origin.inputs.push_back(std::move(profile));
    }
  }
  origin.gpu = fmt::format("{}", fmt::join(gpus, ", "));
  origin.host = fmt::format("{}", fmt::join(hosts, ", "));
}

std::string without_folders(const std::string& text) {
  static const RE2 kFile(R"(((?:^|\b)(?:gpu|host)\s*=\s*"?)[^"+]*/([^"/+]+\.toml))");
  std::string out = text;
  RE2::GlobalReplace(&out, kFile, "\\1\\2");
  return out;
}

std::string names_of(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files) {
    names.push_back(std::filesystem::path(file).filename().string());
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Json origin_json(const RunOrigin& origin, const std::string& digest) {
  Json inputs = Json::array();
  for (const records::InputRecord& input : origin.inputs) {
    inputs.push_back({{"file", input.file},
                      {"role", input.role},
                      {"size_bytes", input.bytes},
                      {"sha256", input.sha256}});
  }
  Json out = {{"version", build_info().version},
              {"commit", build_info().commit},
              {"gpu", origin.gpu},
              {"host", origin.host},
              {"seed", origin.seed},
              {"settings", origin.settings},
              {"inputs", std::move(inputs)}};
  if (!digest.empty()) out["digest"] = digest;
  return out;
}

Json provenance_json(const RunOrigin& origin, const std::string& digest,
                     const RunCircumstances& circumstances) {
  Json out = origin_json(origin, digest);
  out["command_line"] = circumstances.command_line;
  out["threads"] = circumstances.threads;
  out["wall_s"] = circumstances.wall_s;
  return out;
}

std::string origin_text(const RunOrigin& origin) {
  std::string out = fmt::format("{}; GPU {}, host {}, seed {}\n", build_text(), origin.gpu,
                                origin.host, origin.seed);
  if (!origin.settings.empty()) {
    out += fmt::format("set: {}\n", fmt::join(origin.settings, ", "));
  }
  for (const records::InputRecord& input : origin.inputs) {
    out += fmt::format("{}: {}, {} bytes, sha256 {}\n", input.role, input.file, input.bytes,
                       input.sha256);
  }
  return out;
}

}  // namespace septet::command
