#include "scenarios/config/hardware/profile.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "scenarios/config/hardware/hardware_fields.hpp"
#include "tests/scenarios/config/testing.hpp"

namespace septet::config {
namespace {

namespace fs = std::filesystem;

const fs::path kShippedData = std::string(SEPTET_SOURCE_DIRECTORY) + "/data";

std::string shipped_text(const std::string& name) {
  std::ifstream in(std::string(SEPTET_SOURCE_DIRECTORY) + "/data/hardware/" + name + ".toml");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The number of the line in which `part` begins.
std::string line_of(const std::string& text, const std::string& part) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(text.find(part));
  return std::to_string(1 + std::count(text.begin(), end, '\n'));
}

// A folder of profiles that is gone after the test.
class ProfileFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("septet-profiles-" + std::to_string(::getpid()));
    fs::create_directories(root_ / "hardware");
  }
  void TearDown() override { fs::remove_all(root_); }

  // The shipped host profile with `from` replaced by `to`, as profile `changed`.
  fs::path changed_host(const std::string& from, const std::string& to) {
    std::string text = shipped_text("xeon-h200-host");
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
    const fs::path file = root_ / "hardware" / "changed.toml";
    std::ofstream(file) << text;
    return file;
  }

  // A host profile of one number of its own.
  fs::path derived_host(const std::string& base) {
    const fs::path file = root_ / "hardware" / "derived.toml";
    std::ofstream(file) << "kind = \"host\"\ndescription = \"derived\"\nbase = \"" << base
                        << "\"\nbase_note = \"a guess\"\n"
                        << "launch_cost = { value = \"7 us\", source = \"a test\" }\n";
    return file;
  }

  // With the shipped profiles as bases.
  static Profile shipped_and(const fs::path& file) { return read_profile(file, {kShippedData}); }

  // Without the folder, which differs from run to run.
  std::string mistake_of(const fs::path& file) const {
    const std::string message = mistake([&] { shipped_and(file); });
    const std::string folder = (root_ / "hardware").string() + "/";
    return message.compare(0, folder.size(), folder) == 0 ? message.substr(folder.size()) : message;
  }

  fs::path root_;
};

TEST_F(ProfileFolder, RefusesANumberWithoutASource) {
  const std::string source = shipped_text("xeon-h200-host");
  const fs::path bare =
      changed_host("pending_launches_max.source", "# pending_launches_max.source");
  EXPECT_EQ(mistake_of(bare), "changed.toml:" + line_of(source, "pending_launches_max.value") +
                                  ":1: pending_launches_max: got a number without a source, wanted "
                                  "{ value = ..., source = \"where the number comes from\" }");
}

TEST_F(ProfileFolder, RefusesABareNumber) {
  std::string source = shipped_text("xeon-h200-host");
  const std::size_t at = source.find("pending_launches_max");
  const fs::path file = changed_host(source.substr(at), "pending_launches_max = 1024\n");
  EXPECT_EQ(mistake_of(file),
            "changed.toml:" + line_of(source, "pending_launches_max") +
                ":24: pending_launches_max: got a number without a source, wanted "
                "{ value = ..., source = \"where the number comes from\" }");
}

TEST_F(ProfileFolder, RefusesAnEmptySource) {
  const std::string source = shipped_text("xeon-h200-host");
  const std::size_t at = source.find("pending_launches_max.source");
  const fs::path file = changed_host(source.substr(at), "pending_launches_max.source = \"\"\n");
  EXPECT_EQ(mistake_of(file),
            "changed.toml:" + line_of(source, "pending_launches_max.source") +
                ":31: pending_launches_max.source: got \"\", wanted a text that names the source");
}

TEST_F(ProfileFolder, RefusesAMissingNumber) {
  const std::string source = shipped_text("xeon-h200-host");
  const std::size_t at = source.find("pending_launches_max");
  const fs::path file = changed_host(source.substr(at), "");
  const Fields<host::HostSpec>& rows = host_fields();
  const auto row = std::find_if(rows.begin(), rows.end(), [](const auto& candidate) {
    return candidate.key == "pending_launches_max";
  });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(mistake_of(file),
            "changed.toml:1:1: pending_launches_max: got nothing, wanted a whole number from 1 to "
            "16777216 (" +
                row->description + ")");
}

TEST_F(ProfileFolder, RefusesAKindThatIsNeitherGpuNorHost) {
  const fs::path file = changed_host("kind = \"host\"", "kind = \"cpu\"");
  EXPECT_EQ(mistake_of(file), "changed.toml:" + line_of(shipped_text("xeon-h200-host"), "kind =") +
                                  ":8: kind: got \"cpu\", wanted \"gpu\" or \"host\"");
}

TEST_F(ProfileFolder, HidesAProfileOfTheSameNameInALaterFolder) {
  const fs::path file = changed_host("graph_nodes_free.value = ", "graph_nodes_free.value = 7 # ");
  fs::rename(file, root_ / "hardware" / "xeon-h200-host.toml");
  const ProfileLibrary library({root_, std::string(SEPTET_SOURCE_DIRECTORY) + "/data"});
  const Profile host = library.find(ProfileKind::kHost, "xeon-h200-host", {}, "host");
  EXPECT_EQ(host_spec(host).graph_nodes_free, 7U);
  EXPECT_EQ(library.all().size(), shipped_profiles().all().size());
}

TEST_F(ProfileFolder, IsChosenByItsFileAsSeenFromTheFileThatNamesIt) {
  changed_host("graph_nodes_free.value = ", "graph_nodes_free.value = 7 # ");
  const auto nodes_free = [&](const std::string& name, const Location& where) {
    return host_spec(shipped_profiles().find(ProfileKind::kHost, name, where, "host"))
        .graph_nodes_free;
  };
  const Location scenario{(root_ / "scenario.toml").string()};
  EXPECT_EQ(nodes_free("hardware/changed.toml", scenario), 7U);
  EXPECT_EQ(nodes_free((root_ / "hardware" / "changed.toml").string(), {"--hardware"}), 7U);
}

TEST_F(ProfileFolder, AFileMayHaveAShippedProfileAsItsBase) {
  const fs::path file = root_ / "mine.toml";
  std::ofstream(file) << "kind = \"gpu\"\ndescription = \"mine\"\nhost = \"xeon-h200-host\"\n"
                         "base = \"h200-sxm\"\nbase_note = \"nearest\"\n"
                         "sm_count = { value = 7, source = \"counted\" }\n";
  const Profile mine =
      shipped_profiles().find(ProfileKind::kGpu, file.string(), {"--gpu"}, "hardware.gpu");
  EXPECT_EQ(gpu_spec(mine).sm_count, 7U);
  EXPECT_EQ(gpu_spec(mine).sm.max_warps, 64U);  // of h200-sxm
}

TEST_F(ProfileFolder, TheHostOfABaseIsThatOfAProfileWithoutOne) {
  const auto write = [&](const std::string& name, const std::string& more) {
    const fs::path file = root_ / (name + ".toml");
    std::ofstream(file) << "kind = \"gpu\"\ndescription = \"d\"\nbase_note = \"nearest\"\n" << more;
    return file;
  };
  EXPECT_EQ(shipped_and(write("mine", "base = \"h200-sxm\"\n")).default_host, "xeon-h200-host");
  // A file is looked for beside the profile that names it.
  write("base", "base = \"h200-sxm\"\nhost = \"hardware/changed.toml\"\n");
  EXPECT_EQ(shipped_and(write("derived", "base = \"base\"\n")).default_host,
            (root_ / "hardware" / "changed.toml").string());
  EXPECT_EQ(shipped_and(write("own", "base = \"base\"\nhost = \"its-own\"\n")).default_host,
            "its-own");
}

TEST_F(ProfileFolder, GuessesAreCountedThroughAllBases) {
  const auto warnings = [&](const std::string& text) {
    const fs::path file = root_ / "mine.toml";
    std::ofstream(file) << "kind = \"host\"\ndescription = \"d\"\n" << text;
    return profile_warnings(shipped_and(file));
  };
  const std::string base = "base = \"xeon-h200-host\"\nbase_note = ";
  EXPECT_TRUE(warnings(base + "\"nearest\"\n").empty());
  const std::string all = std::to_string(host_fields().size());
  const std::string rest = std::to_string(host_fields().size() - 1);
  const std::string known = "launch_cost = { value = \"7 us\", source = \"a test\" }\n";
  EXPECT_TRUE(warnings(base + "\"a guess\"\n" + known)[0].starts_with(
      "mine: " + rest + " of its " + all + " parameters are guesses"));
  const std::string guess = "launch_cost = { value = \"7 us\", source = \"guess: seven\" }\n";
  EXPECT_TRUE(
      warnings(base + "\"nearest\"\n" + guess)[0].starts_with("mine: 1 of its " + all + " "));
  // As well where the guess is one of the base, taken for another reason.
  fs::rename(root_ / "mine.toml", root_ / "guessed.toml");
  EXPECT_TRUE(warnings("base = \"guessed\"\nbase_note = \"nearest\"\n")[0].starts_with(
      "mine: 1 of its " + all + " "));
}

TEST_F(ProfileFolder, AFileOfTheOtherKindIsRefused) {
  const fs::path file = changed_host("graph_nodes_free.value = ", "graph_nodes_free.value = 7 # ");
  EXPECT_EQ(
      mistake([&] {
        shipped_profiles().find(ProfileKind::kGpu, file.string(), {"--gpu"}, "hardware.gpu");
      }),
      "--gpu: hardware.gpu: got \"" + file.string() + "\" of the other kind, wanted a GPU profile");
}

TEST_F(ProfileFolder, AFileThatIsNotThereIsNamed) {
  EXPECT_NE(mistake([&] {
              shipped_profiles().find(ProfileKind::kGpu, "none.toml", {"--gpu"}, "hardware.gpu");
            }).find("none.toml"),
            std::string::npos);
}

TEST_F(ProfileFolder, TakesFromItsBaseWhatItDoesNotSay) {
  const Profile derived = shipped_and(derived_host("xeon-h200-host"));
  const Profile& base = shipped_profiles().find(ProfileKind::kHost, "xeon-h200-host", {}, "host");
  EXPECT_EQ(derived.base, "xeon-h200-host");
  EXPECT_EQ(host_spec(derived).launch_cost, Duration(7 * kPicosecondsPerMicrosecond));
  EXPECT_EQ(host_spec(derived).wake_latency, host_spec(base).wake_latency);
  const auto source = [](const Profile& profile, const char* key) {
    return *profile.numbers.find(key)->find("source")->string();
  };
  EXPECT_EQ(source(derived, "launch_cost"), "a test");
  EXPECT_EQ(source(derived, "wake_latency"),
            "taken from xeon-h200-host (a guess): " + source(base, "wake_latency"));
}

TEST_F(ProfileFolder, RefusesABaseThatCannotBeOne) {
  EXPECT_EQ(mistake_of(derived_host("nowhere")),
            "derived.toml:3:8: base: got \"nowhere\", wanted the name of another profile beside "
            "this one or in the data directories");
  EXPECT_EQ(
      mistake_of(derived_host("h200-sxm")),
      "derived.toml:3:8: base: got a profile of another kind, wanted a base of the same kind");
  EXPECT_EQ(mistake_of(derived_host("derived")),
            "derived.toml:3:8: base: got \"derived\", wanted the name of another profile beside "
            "this one or in the data directories");
  std::ofstream(root_ / "hardware" / "other.toml")
      << "kind = \"host\"\ndescription = \"\"\nbase = \"derived\"\nbase_note = \"a guess\"\n";
  EXPECT_EQ(mistake_of(derived_host("other")),
            "derived.toml:3:8: base: got a cycle of bases, wanted an acyclic chain of bases");
}

TEST_F(ProfileFolder, RefusesABaseWithoutAReason) {
  const fs::path file = root_ / "hardware" / "derived.toml";
  std::ofstream(file) << "kind = \"host\"\ndescription = \"\"\nbase = \"xeon-h200-host\"\n";
  EXPECT_EQ(mistake_of(file),
            "derived.toml:1:1: base_note: got nothing, wanted base and base_note together");
}

TEST(DataDirectories, RefusesASeptetDataThatDoesNotExist) {
  ASSERT_EQ(::setenv("SEPTET_DATA", "/no/such/folder", 1), 0);
  EXPECT_EQ(mistake([] { data_directories(); }),
            "SEPTET_DATA: got \"/no/such/folder\", wanted an existing directory");
  ASSERT_EQ(::setenv("SEPTET_DATA", "/tmp", 1), 0);
  EXPECT_EQ(data_directories().front(), "/tmp");
  ASSERT_EQ(::unsetenv("SEPTET_DATA"), 0);
  EXPECT_NE(data_directories().front(), "/tmp");
}

}  // namespace
}  // namespace septet::config
