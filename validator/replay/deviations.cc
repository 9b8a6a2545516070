// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "validator/replay/answer_writer.h"

namespace pmproof::validator {

std::span<const std::string> MetricDeviations::Of(std::optional<std::int32_t> instance) const {
  const auto found = std::ranges::find(values_, instance, &DeviatingValue::instance);
  return found == values_.end() ? std::span<const std::string>() : found->by;
}

std::vector<std::int32_t> MetricDeviations::Missing(const replay::MetricAnswer& answer) const {
  std::vector<std::int32_t> missing;
  for (const DeviatingValue& value : values_) {
    if (!value.instance) continue;
    const auto found =
        std::ranges::find(answer.values, *value.instance, &replay::InstanceAnswer::instance);
    if (found == answer.values.end()) missing.push_back(*value.instance);
  }
  return missing;
}

}  // namespace pmproof::validator
