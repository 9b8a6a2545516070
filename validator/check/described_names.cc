// SPDX-License-Identifier: Apache-2.0
#include "validator/check/described_names.h"

#include <algorithm>
#include <string_view>

namespace pmproof::validator {
namespace {

Pmid MetricOf(const archive::DescRecord* desc) { return desc->descriptor.pmid; }

}  // namespace

std::vector<std::string> DescribedNames::Of(Pmid metric) const {
  if (by_metric_.empty()) {
    by_metric_.reserve(descs_.size());
    for (const archive::DescRecord& desc : descs_) by_metric_.push_back(&desc);
    std::ranges::stable_sort(by_metric_, {}, MetricOf);
  }
  std::vector<std::string> names;
  for (auto desc = std::ranges::lower_bound(by_metric_, metric, {}, MetricOf);
       desc != by_metric_.end() && MetricOf(*desc) == metric && names.size() < kMostNames; ++desc) {
    (*desc)->ForEachName([&](std::string_view name, std::size_t) {
      const bool fits = !name.empty() && name.size() <= kMostBytes && names.size() < kMostNames;
      if (fits && std::ranges::count(names, name) == 0) names.emplace_back(name);
    });
  }
  return names;
}

}  // namespace pmproof::validator
