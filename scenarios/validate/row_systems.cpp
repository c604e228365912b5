#include "scenarios/validate/row_systems.hpp"

#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/study/hardware_system.hpp"

namespace septet::validation {

const system::SystemSpec& RowSystems::of(const MeasuredRow& row) {
  const std::string& name = row.hardware.empty() ? chosen_.name : row.hardware;
  const auto found = systems_.find(name);
  if (found != systems_.end()) return found->second;
  const std::string origin = row.hardware.empty() ? chosen_.origin : row.where().text();
  config::Configuration configuration =
      hardware_configuration(name, "", chosen_.settings, library_, origin);
  const config::Hardware hardware = read_hardware(configuration);
  warnings_.insert(warnings_.end(), hardware.warnings.begin(), hardware.warnings.end());
  configurations_.push_back(std::move(configuration));
  return systems_.emplace(name, study::system_of(hardware)).first->second;
}

}  // namespace septet::validation
