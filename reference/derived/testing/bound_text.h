// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_TESTING_BOUND_TEXT_H_
#define PMPROOF_REFERENCE_DERIVED_TESTING_BOUND_TEXT_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/units.h"
#include "reference/derived/bind.h"
#include "reference/derived/parse.h"
#include "reference/derived/testing/named_metrics.h"

// What expressions over NamedMetrics bind to, as one line of text.

namespace pmproof::derived {

inline tl::expected<BoundExpression, BindError> BindText(std::string_view text,
                                                         const Dialect& dialect = kV72,
                                                         const BindRequest& request = {}) {
  auto parsed = Parse(text, dialect);
  if (!parsed) {
    ADD_FAILURE() << text << ": " << parsed.error().position << " " << parsed.error().message;
    return tl::unexpected(BindError{"", "syntax error", {}, 0});
  }
  return Bind(std::make_shared<const Expression>(std::move(*parsed)), dialect, NamedMetrics(),
              request);
}

// "u64 counter 60.1 Kbyte"; singular is "-".
inline std::string DescriptorText(const Descriptor& descriptor) {
  std::string text = ToText(descriptor.type) + " " + ToText(descriptor.semantics) + " " +
                     (descriptor.indom.IsNull() ? "-" : ToText(descriptor.indom));
  const std::string units = ToText(descriptor.units);
  return units.empty() ? text : text + " " + units;
}

// The descriptor, or "MESSAGE [CLAUSE]".
inline std::string BoundText(std::string_view text, const Dialect& dialect = kV72,
                             const BindRequest& request = {}) {
  const auto bound = BindText(text, dialect, request);
  if (bound) return DescriptorText(bound->descriptor());
  return bound.error().message + " [" + bound.error().clause.ToString() + "]";
}

struct BindCase {
  std::string text;
  std::string result;
};

inline void ExpectBound(const std::vector<BindCase>& cases, const Dialect& dialect = kV72) {
  for (const BindCase& each : cases) {
    EXPECT_EQ(BoundText(each.text, dialect), each.result) << each.text << " in " << dialect.name;
  }
}

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_TESTING_BOUND_TEXT_H_
