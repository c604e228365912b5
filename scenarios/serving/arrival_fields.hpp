// What the table [arrivals] may hold.
#pragma once

#include "scenarios/serving/serving_text.hpp"

namespace septet::serving {

const config::Fields<ArrivalsText>& arrival_fields();
const config::Fields<LengthText>& length_fields();

}  // namespace septet::serving
