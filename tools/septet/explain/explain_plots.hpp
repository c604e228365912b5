// Explanations as plots: the position of each kernel under the GPU's roofline, and its time by
// stage.
#pragma once

#include <string>
#include <vector>

#include "scenarios/explain/explain.hpp"

namespace septet::command {

// At least one explanation, all on one GPU. SVG.
std::string roofline_svg(const std::vector<explain::Explanation>& kernels);
// One kernel: a bar for each stage; several: a bar for each kernel, its stages one after the other.
std::string stages_svg(const std::vector<explain::Explanation>& kernels);

// roofline.svg and stages.svg in `folder`, which is created if missing. Throws std::runtime_error
// where that can't be written.
void write_plots(const std::string& folder, const std::vector<explain::Explanation>& kernels);

}  // namespace septet::command
