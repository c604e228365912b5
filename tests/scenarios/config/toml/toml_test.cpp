#include <filesystem>

#include "scenarios/config/toml/toml_writer.hpp"
#include "tests/scenarios/config/testing.hpp"

namespace septet::config {
namespace {

std::string reading(const std::string& text) {
  return mistake([&] { read_toml(text, "test.toml"); });
}

TEST(TomlReader, KeepsTheOrderAndThePlacesOfTheFile) {
  const ConfigValue tree = read_toml("b = 1\n[a]\n  c = \"x\"\n", "test.toml");
  ASSERT_EQ(tree.table()->size(), 2U);
  EXPECT_EQ((*tree.table())[0].key, "b");
  // `c` stands in line 3 at column 3, its value four columns on.
  const ConfigEntry& c = (*tree.find("a")->table())[0];
  EXPECT_EQ(c.key_where.text(), "test.toml:3:3");
  EXPECT_EQ(c.value.where.text(), "test.toml:3:7");
}

TEST(TomlReader, LocatesASyntaxError) {
  EXPECT_EQ(reading("a = 1\n[b\n"),
            "test.toml:2:3: Error while parsing table header: expected ']', saw '\\n'");
}

TEST(TomlReader, LocatesADuplicateKey) {
  EXPECT_EQ(reading("[a]\nb = 1\nb = 2\n"),
            "test.toml:3:5: Error while parsing key-value pair: cannot redefine existing integer "
            "'b'");
}

TEST(TomlReader, RefusesDates) {
  EXPECT_EQ(reading("a = 2026-01-01\n"),
            "test.toml:1:5: got a date or time, wanted a number, a string, true or false");
}

TEST(TomlReader, RefusesWhatIsNoFile) {
  EXPECT_EQ(mistake([] { read_toml_file("/no/such/file.toml"); }),
            "/no/such/file.toml: cannot be opened: No such file or directory");
  const std::string folder = std::filesystem::temp_directory_path().string();
  EXPECT_EQ(mistake([&] { read_toml_file(folder); }), folder + ": is a directory, wanted a file");
}

TEST(TomlWriter, WritesWhatReadsBackToTheSameTree) {
  const std::string text =
      "i = -3\nf = 1.5\ng = 2.0\nt = true\ne = []\n\"odd key\" = \"q\\\"\\\\\\n\\u0001\"\n"
      "l = [1, [2, 3]]\n[s]\nx = { value = \"1 B\", source = \"y\" }\n[s.t]\nz = 1e30\n"
      "[[a]]\nname = \"n\"\nsteps = [{ repeat = 2, steps = [{ b = 1 }, { c = { d = 1 } }] }]\n"
      "[[a]]\nempty = {}\n";
  const ConfigValue tree = read_toml(text, "test.toml");
  for (const Origins origins : {Origins::kShown, Origins::kHidden}) {
    const std::string written = write_toml(tree, origins);
    EXPECT_TRUE(same_values(tree, read_toml(written, "again.toml"))) << written;
  }
}

TEST(TomlWriter, NamesTheOriginOfEveryValue) {
  const ConfigValue tree = read_toml("a = 1\n[b]\nc = [1,\n2]\n", "test.toml");
  EXPECT_EQ(write_toml(tree),
            "a = 1  # test.toml:1\n\n[b]\nc = [1, 2]  # test.toml:3, test.toml:4\n");
}

TEST(ConfigValue, DiffersWhereOneValueDiffers) {
  const auto tree = [](const std::string& text) { return read_toml(text, "test.toml"); };
  EXPECT_TRUE(same_values(tree("a = 1\nb = 2"), tree("b = 2\na = 1")));
  EXPECT_FALSE(same_values(tree("a = 1"), tree("a = 1.0")));
  EXPECT_FALSE(same_values(tree("a = [1, 2]"), tree("a = [1, 3]")));
  EXPECT_FALSE(same_values(tree("a = 1"), tree("a = 1\nb = 2")));
}

}  // namespace
}  // namespace septet::config
