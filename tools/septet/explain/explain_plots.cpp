#include "tools/septet/explain/explain_plots.hpp"

#include <filesystem>
#include <stdexcept>

#include "core/files/output_file.hpp"

namespace septet::command {
void write_plots(const std::string& folder, const std::vector<explain::Explanation>& kernels) {
  const std::filesystem::path path(folder);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw std::runtime_error(folder + ": cannot be created: " + error.message());
  files::write_text(path / "roofline.svg", roofline_svg(kernels));
  files::write_text(path / "stages.svg", stages_svg(kernels));
}

}  // namespace septet::command
