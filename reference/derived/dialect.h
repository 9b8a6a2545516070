// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_DIALECT_H_
#define PMPROOF_REFERENCE_DERIVED_DIALECT_H_

#include <array>
#include <string_view>

#include "reference/core/pcp_version.h"

// The language of derived metrics as one version of PCP has it, as data (DER-101..109, DER-1501).

namespace pmproof::derived {

struct Dialect {
  std::string_view name;                  // the version of PCP: "7.2.2"; "seed"
  PcpVersion version = PcpVersion::k7_2;  // whose units are meant

  // DER-101: relational and boolean operators, ternaries, prefix operators, DOUBLE constants,
  // mkconst, rescale, defined, matchinst, scalar, instant, rate, metric[inst], anon.
  bool whole_language = true;
  // DER-102, 832: operands of binary operators may have equivalent instance domains.
  bool equivalent_indoms = true;
  // DER-103: novalue(), meta=, ternary branches bound lazily, static guards, nested derived metrics
  // rejected, continued lines in configuration files.
  bool lazy_binding = true;
  // DER-104: delta(), rate() and instant() take expressions, not only names of metrics.
  bool functions_of_expressions = true;
  // DER-105, 1136: rate() of a counter that went backwards has no value.
  bool rate_without_backward_counters = true;
  // DER-106: derived metrics can be unregistered.
  bool unregister = true;
  // DER-107: indom=, DOUBLE as value of a parameter, an unknown operand is always reported.
  bool indom_parameter = true;
  // DER-108: controls, among them the one that maps missing operands to novalue().
  bool controls = true;
  // DER-109, 829..831, 868: temperature, voltage, current, power.
  bool extra_units = true;
  // DER-1501: no derived metric is an operand, not even as the whole expression. DER-1503: blanks
  // may stand between a function and its "(". DER-1504: + and - ask for equal dimensions, * and /
  // for none. DER-1505: values are converted to the power of their own dimension, exactly.
  // DER-1506: delta() keeps the type of its operand.
  bool seed_semantics = false;

  friend constexpr bool operator==(const Dialect&, const Dialect&) = default;
};

inline constexpr Dialect kV72{.name = "7.2.2"};

inline constexpr Dialect kV63{.name = "6.3.8",
                              .version = PcpVersion::k6_3_8,
                              .unregister = false,
                              .indom_parameter = false,
                              .controls = false,
                              .extra_units = false};

inline constexpr Dialect kV60{.name = "6.0.3",
                              .version = PcpVersion::k6_0_3,
                              .equivalent_indoms = false,
                              .lazy_binding = false,
                              .functions_of_expressions = false,
                              .rate_without_backward_counters = false,
                              .unregister = false,
                              .indom_parameter = false,
                              .controls = false,
                              .extra_units = false};

inline constexpr Dialect kSeed{.name = "seed",
                               .version = PcpVersion::k6_0_3,
                               .whole_language = false,
                               .equivalent_indoms = false,
                               .lazy_binding = false,
                               .functions_of_expressions = false,
                               .rate_without_backward_counters = false,
                               .unregister = false,
                               .indom_parameter = false,
                               .controls = false,
                               .extra_units = false,
                               .seed_semantics = true};

inline constexpr std::array<const Dialect*, 4> kDialects = {&kV60, &kV63, &kV72, &kSeed};

// Null if no dialect has that name.
constexpr const Dialect* FindDialect(std::string_view name) {
  for (const Dialect* dialect : kDialects) {
    if (dialect->name == name) return dialect;
  }
  return nullptr;
}

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_DIALECT_H_
