#include "tools/septet/explain/explain_plots.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace septet::command {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.flush();
  if (!out) throw std::runtime_error(path.string() + ": cannot be written");
}

}  // namespace

void write_plots(const std::string& folder, const std::vector<explain::Explanation>& kernels) {
  const std::filesystem::path path(folder);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw std::runtime_error(folder + ": cannot be made: " + error.message());
  write(path / "roofline.svg", roofline_svg(kernels));
  write(path / "stages.svg", stages_svg(kernels));
}

}  // namespace septet::command
