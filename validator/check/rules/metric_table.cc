// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/metric_table.h"

#include "reference/core/printable.h"

namespace pmproof::validator {

MetricTable::MetricTable(const archive::Metadata& metadata, bool complete)
    : domains_(archive::CollectDomains(metadata.indoms)), complete_(complete) {
  for (const archive::DescRecord& desc : metadata.descs) {
    descriptors_.try_emplace(desc.descriptor.pmid, desc.descriptor);
    desc.ForEachName([&](std::string_view name, std::size_t) {
      names_.try_emplace(desc.descriptor.pmid, name);
    });
  }
}

std::string MetricTable::Show(Pmid pmid) const {
  const auto name = names_.find(pmid);
  if (name == names_.end()) return ToText(pmid);
  return Printable(name->second) + " (" + ToText(pmid) + ")";
}

}  // namespace pmproof::validator
