// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_OPERAND_VALUES_H_
#define PMPROOF_REFERENCE_DERIVED_OPERAND_VALUES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/core/identifiers.h"
#include "reference/core/timestamp.h"
#include "reference/core/value.h"

// What evaluation takes from one fetch, and what it gives (DER-1103, 1104).

namespace pmproof::derived {

struct Pair {
  std::int32_t instance = -1;  // -1: singular
  Value value;

  friend bool operator==(const Pair&, const Pair&) = default;
};

// An error, or any number of pairs; none is not an error.
struct ValueSet {
  ErrorCode status = ErrorCode::kOk;
  std::vector<Pair> pairs{};
};

// One fetch of all operands of a BoundExpression, in a context at one position. Opaque values need
// to hold as long as what Evaluate() made of them is used.
class FetchedOperands {
 public:
  virtual ~FetchedOperands() = default;

  // The time stamp of the result (DER-1101).
  virtual Timestamp time() const = 0;
  // Of BoundExpression::operands()[operand], in the order of the fetched value set; holds until the
  // next fetch. The values have the type of its descriptor. No record has it: no pairs (DER-1104).
  virtual const ValueSet& Values(std::uint32_t operand) const = 0;

  // DER-1113: the instance that a name finds (MET-602, 603); nothing if there is none.
  virtual std::optional<std::int32_t> FindInstance(Indom indom, std::string_view name) const = 0;
  // DER-1114: the external name at the time of the fetch; nothing if there is none.
  virtual std::optional<std::string> InstanceName(Indom indom, std::int32_t instance) const = 0;
  // DER-1112: the instances that are asked for (DER-1108), in the order of the domain.
  virtual tl::expected<std::vector<std::int32_t>, ErrorCode> Instances(Indom indom) const = 0;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_OPERAND_VALUES_H_
