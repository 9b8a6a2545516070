// SPDX-License-Identifier: Apache-2.0
#include "generators/expression/operand_set.h"

#include <cstdint>
#include <utility>

namespace pmproof::generators {

OperandSet::OperandSet(std::vector<OperandMetric> metrics, std::vector<std::string> instances)
    : metrics_(std::move(metrics)), instances_(std::move(instances)) {
  std::map<std::uint32_t, std::size_t> groups;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    names_.emplace(metrics_[i].name, i);
    const derived::OperandAnswer& answer = metrics_[i].answer;
    if (answer.kind != derived::OperandAnswer::Kind::kMetric ||
        !IsNumeric(answer.descriptor.type)) {
      odd_.push_back(i);
      continue;
    }
    const auto [group, added] = groups.emplace(answer.descriptor.units.word, by_units_.size());
    if (added) by_units_.emplace_back();
    by_units_[group->second].push_back(i);
  }
}

derived::OperandAnswer OperandSet::Find(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? derived::OperandAnswer{} : metrics_[found->second].answer;
}

}  // namespace pmproof::generators
