#include "validator/rules/metric_table.h"

namespace pmproof::validator {

MetricTable::MetricTable(const archive::Metadata& metadata)
    : domains_(archive::CollectDomains(metadata.indoms)) {
  for (const archive::DescRecord& desc : metadata.descs) {
    descriptors_.try_emplace(desc.descriptor.pmid, desc.descriptor);
  }
}

}  // namespace pmproof::validator
