// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/metric_table.h"

#include "reference/core/printable.h"

namespace pmproof::validator {

MetricTable::MetricTable(const archive::Metadata& metadata, bool complete)
    : domains_(archive::CollectDomains(metadata.indoms)), complete_(complete) {
  metrics_.reserve(metadata.descs.size());
  for (const archive::DescRecord& desc : metadata.descs) {
    Known& known = metrics_.try_emplace(desc.descriptor.pmid, Known{desc.descriptor}).first->second;
    if (known.name) continue;
    desc.ForEachName([&](std::string_view name, std::size_t) {
      if (!known.name) known.name = name;
    });
  }
}

std::string MetricTable::Show(Pmid pmid) const {
  const auto found = metrics_.find(pmid);
  if (found == metrics_.end() || !found->second.name) return ToText(pmid);
  return Printable(*found->second.name) + " (" + ToText(pmid) + ")";
}

}  // namespace pmproof::validator
