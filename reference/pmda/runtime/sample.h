// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_RUNTIME_SAMPLE_H_
#define PMPROOF_REFERENCE_PMDA_RUNTIME_SAMPLE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "reference/core/error_code.h"
#include "reference/core/value.h"

namespace pmproof::pmda {

// There is no value now, and that is not an error (PMD-083).
struct NoValue {
  friend bool operator==(const NoValue&, const NoValue&) = default;
};

// What an agent says of one instance of a metric: a number of the metric's type; the text of a
// STRING (its NUL is added), the bytes of an AGGREGATE or of an event array (EventArrayBuilder); no
// value; or, negative, why there is none.
using Sample = std::variant<NoValue, ErrorCode, Value, std::string>;

// Asked for each value of a fetch (DSO-051); kInstanceNull for a singular metric. A sample of
// another type than the metric's is sent as PM_ERR_CONV.
using Sampler = std::function<Sample(std::int32_t instance)>;

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_RUNTIME_SAMPLE_H_
