// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_TESTING_OPERAND_TABLE_H_
#define PMPROOF_REFERENCE_DERIVED_TESTING_OPERAND_TABLE_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/derived/bind.h"
#include "reference/derived/operand_values.h"

namespace pmproof::derived {

// One fetch as a line of text: "@20 u32.c=3900 i32.a=0:700,2:-12 i64=!-12351". "@": the time in
// seconds; a metric that is not there has no values; "!": an error. Instance 0 is called "a0 zero",
// 1 "a1 one", 2 "a2 two"; others have no name. Domain 60.1 lists 0, 1 and 2; no other is known.
class OperandTable final : public FetchedOperands {
 public:
  // `operands` must outlive this.
  OperandTable(std::string_view line, const std::vector<Operand>& operands);

  Timestamp time() const override { return time_; }
  const ValueSet& Values(std::uint32_t operand) const override;
  std::optional<std::int32_t> FindInstance(Indom indom, std::string_view name) const override;
  std::optional<std::string> InstanceName(Indom indom, std::int32_t instance) const override;
  tl::expected<std::vector<std::int32_t>, ErrorCode> Instances(Indom indom) const override;

 private:
  const std::vector<Operand>& operands_;
  Timestamp time_;
  std::map<std::string_view, ValueSet> sets_;
};

// "5", "0:700 2:-12", "none", "error -12351". FLOAT and DOUBLE have all their digits.
std::string ValueSetText(const ValueSet& set);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_TESTING_OPERAND_TABLE_H_
