// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_NUMBER_TEXT_H_
#define PMPROOF_REFERENCE_CORE_NUMBER_TEXT_H_

#include <charconv>
#include <string>

namespace pmproof {

// A number as printf("%.<precision>g") writes it (general), or %e (scientific), or %f (fixed), with
// a point in every locale; "nan", "-nan", "inf", "-inf".
inline std::string NumberText(double number, std::chars_format format, int precision) {
  char text[400];  // the largest double has 309 digits before the point
  return {text, std::to_chars(text, text + sizeof text, number, format, precision).ptr};
}

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_NUMBER_TEXT_H_
