// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_TESTING_NAMED_METRICS_H_
#define PMPROOF_REFERENCE_DERIVED_TESTING_NAMED_METRICS_H_

#include <string_view>

#include "reference/derived/bind.h"

namespace pmproof::derived {

// A context whose metrics are what their names say: TYPE.SEMANTICS.DOMAIN.UNITS, such as
// "u64.c.a.kbyte"; parts that are left out are i32, i, s (singular) and none. "derived.TYPE..." is
// a derived metric, "bare.x" has no metadata, other names are missing. Domains a (60.1) and b
// (60.2) are equivalent to e (60.5) each.
class NamedMetrics final : public OperandSource {
 public:
  OperandAnswer Find(std::string_view name) const override;
  bool Equivalent(Indom left, Indom right) const override;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_TESTING_NAMED_METRICS_H_
