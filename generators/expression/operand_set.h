// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_EXPRESSION_OPERAND_SET_H_
#define PMPROOF_GENERATORS_EXPRESSION_OPERAND_SET_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/derived/bind.h"

namespace pmproof::generators {

// What an expression may name. Missing metrics, derived ones and strings are among them.
struct OperandMetric {
  std::string name;
  derived::OperandAnswer answer;
};

// The metrics of a context as expressions are made of them: grouped by what can be combined. A
// value; as an OperandSource it knows these names and no others.
class OperandSet final : public derived::OperandSource {
 public:
  // `instances`: names, for filters. At least one metric has values.
  OperandSet(std::vector<OperandMetric> metrics, std::vector<std::string> instances);

  derived::OperandAnswer Find(std::string_view name) const override;

  const std::vector<OperandMetric>& metrics() const { return metrics_; }
  const std::vector<std::string>& instances() const { return instances_; }

  // Indices of metrics with numbers, by their units; each group has one at least.
  const std::vector<std::vector<std::size_t>>& by_units() const { return by_units_; }
  // Indices of all others: missing, derived, not numeric.
  const std::vector<std::size_t>& odd() const { return odd_; }

 private:
  std::vector<OperandMetric> metrics_;
  std::vector<std::string> instances_;
  std::vector<std::vector<std::size_t>> by_units_;
  std::vector<std::size_t> odd_;
  std::map<std::string, std::size_t, std::less<>> names_;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_EXPRESSION_OPERAND_SET_H_
