// A test in a fresh folder that goes away afterwards.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace septet::files {

class InTemporaryFolder : public testing::Test {
 protected:
  InTemporaryFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::canonical(testing::TempDir()) /
              ("septet_files_" + std::to_string(getpid()) + test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~InTemporaryFolder() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::filesystem::path in(const std::string& name) const { return folder_ / name; }

  static std::string content(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void put(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  // The names in a folder.
  static std::set<std::string> names(const std::filesystem::path& folder) {
    std::set<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      out.insert(entry.path().filename().string());
    }
    return out;
  }
  std::set<std::string> names() const { return names(folder_); }

  template <class Work>
  static std::string error_of(Work work) {
    try {
      work();
    } catch (const std::exception& error) {
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace septet::files
