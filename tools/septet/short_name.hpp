// Names of kernels for tables.
#pragma once

#include <string>

namespace septet::command {

// A kernel's name without its namespaces, template arguments and parameters.
std::string short_kernel_name(const std::string& name);

}  // namespace septet::command
