// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_EXTRA_UNITS_H_
#define PMPROOF_REFERENCE_CORE_EXTRA_UNITS_H_

#include <string_view>

// The extra units of PCP 7.2 (MET-202).

namespace pmproof {

struct ExtraUnit {
  std::string_view name;
  std::string_view scales[8];  // by extraScale; empty: not defined
};

// By extraUnit - 1.
inline constexpr ExtraUnit kExtraUnits[] = {
    {"temperature", {"", "C", "F", "K"}},
    {"voltage", {"", "V", "mV", "uV"}},
    {"current", {"", "A", "mA", "uA"}},
    {"power", {"", "kW", "W", "mW", "uW"}},
};

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_EXTRA_UNITS_H_
