// SPDX-License-Identifier: Apache-2.0
#include "validator/replay/derived_deviations.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace pmproof::validator {
namespace {

bool Concerns(std::optional<std::int32_t> operand, std::int32_t instance) {
  return !operand || *operand == instance || *operand == kInstanceNull || instance == kInstanceNull;
}

}  // namespace

Deviations DerivedDeviations(const Asked& asked, std::span<const Pmid> fetched,
                             const Deviations& deviations, const replay::FetchAnswer& answer) {
  Deviations all;
  if (deviations.empty() || answer.status != ErrorCode::kOk) return all;
  const auto of = [&](Pmid pmid) -> const std::vector<DeviatingValue>& {
    return deviations[static_cast<std::size_t>(std::ranges::find(fetched, pmid) - fetched.begin())];
  };
  for (std::size_t i = 0; i < asked.known().size(); ++i) {
    if (std::ranges::find(fetched, asked.known()[i]) != fetched.end()) {
      all.push_back(of(asked.known()[i]));
      continue;
    }
    std::vector<DeviatingValue>& derived = all.emplace_back();
    for (const replay::InstanceAnswer& value : answer.metrics[i].values) {
      std::set<std::string> names;
      for (const Pmid operand : asked.operands()[i]) {
        for (const DeviatingValue& deviating : of(operand)) {
          if (!Concerns(deviating.instance, value.instance)) continue;
          names.insert(deviating.by.begin(), deviating.by.end());
        }
      }
      if (!names.empty()) derived.push_back({value.instance, {names.begin(), names.end()}});
    }
  }
  return all;
}

}  // namespace pmproof::validator
