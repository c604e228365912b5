#include "scenarios/config/toml/setting.hpp"

#include "scenarios/config/toml/toml_writer.hpp"
#include "tests/scenarios/config/testing.hpp"

namespace septet::config {
namespace {

// `setting` laid over `text`.
std::string laid_over(const std::string& text, const std::string& setting) {
  ConfigValue tree = read_toml(text, "test.toml");
  lay_over(tree, read_setting(setting, "--set"));
  return inline_toml(tree);
}

TEST(Setting, TakesTomlWhereItReadsAsTomlAndAStringElsewhere) {
  EXPECT_EQ(laid_over("", "a.b=16"), "{ a = { b = 16 } }");
  EXPECT_EQ(laid_over("", "a=true"), "{ a = true }");
  EXPECT_EQ(laid_over("", "a=[1, 2]"), "{ a = [1, 2] }");
  EXPECT_EQ(laid_over("", "a=2.5 us"), "{ a = \"2.5 us\" }");
  EXPECT_EQ(laid_over("", "a=h200-sxm"), "{ a = \"h200-sxm\" }");
  EXPECT_EQ(laid_over("", "a=\"16\""), "{ a = \"16\" }");
}

TEST(Setting, ReachesElementsByNameAndByIndex) {
  const std::string text = "[[k]]\nname = \"x\"\n[[k]]\nname = \"y\"\nl = [1, 2]\n";
  EXPECT_EQ(laid_over(text, "k.y.l=3"), "{ k = [{ name = \"x\" }, { name = \"y\", l = 3 }] }");
  EXPECT_EQ(laid_over(text, "k.1.l.0=3"),
            "{ k = [{ name = \"x\" }, { name = \"y\", l = [3, 2] }] }");
}

TEST(Setting, ReplacesANumberTogetherWithItsSource) {
  EXPECT_EQ(laid_over("a = { value = \"1 B\", source = \"x\" }", "a=2 B"), "{ a = \"2 B\" }");
}

TEST(Setting, ListsTheElementsWhereTheNameIsUnknown) {
  EXPECT_EQ(mistake([] { laid_over("[[k]]\nname = \"spin\"\n", "k.spni.grid=1"); }),
            "--set: k.spni: got no such name, wanted the name of an element (spin) or an "
            "index below 1 (did you mean 'spin'?)");
}

TEST(Setting, RefusesAKeyBelowAPlainValue) {
  EXPECT_EQ(mistake([] { laid_over("a = 1", "a.b=2"); }),
            "--set: a: got a key below it, wanted the value of a itself");
}

TEST(Setting, RefusesWhatIsNoKeyAndValue) {
  EXPECT_EQ(mistake([] { read_setting("a", "--set"); }),
            "--set: a: got no '=', wanted key=value on one line");
  EXPECT_EQ(mistake([] { read_setting("a b=1", "--set"); }),
            "--set: 'a b': got no key, wanted a dotted key such as kernel.spin.block_time");
}

TEST(Setting, TakesDottedKeysOfATableApart) {
  const ConfigValue table = read_toml("\"a.b\" = 1\na = { c = { \"d.e\" = [2] } }\n", "test.toml");
  EXPECT_EQ(inline_toml(undotted(table)), "{ a = { b = 1, c = { d = { e = [2] } } } }");
}

}  // namespace
}  // namespace septet::config
