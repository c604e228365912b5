// The measured rows and profiled kernels that claims refer to, each file read once.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scenarios/claims/claim_text.hpp"
#include "scenarios/validate/measurement.hpp"

namespace septet::claims {

class Measurements {
 public:
  // Files are looked for in measurements/ of each directory; the first that has one gives it.
  explicit Measurements(std::vector<std::filesystem::path> data_directories)
      : directories_(std::move(data_directories)) {}

  // The row that `part` selects. Throws ConfigError, located at the part, for none or several.
  const validation::MeasuredRow& row(const PartText& part);
  // All rows of a file that `part` names. Throws ConfigError where there is no such file.
  const std::vector<validation::MeasuredRow>& rows(const PartText& part, const std::string& file);

 private:
  std::vector<std::filesystem::path> directories_;
  std::map<std::string, std::vector<validation::MeasuredRow>> files_;
};

// A row of a case that was not measured.
validation::MeasuredRow unmeasured_row(const PartText& part);

}  // namespace septet::claims
