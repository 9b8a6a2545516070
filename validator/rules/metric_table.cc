#include "validator/rules/metric_table.h"

namespace pmproof::validator {

MetricTable::MetricTable(const archive::Metadata& metadata, bool complete)
    : domains_(archive::CollectDomains(metadata.indoms)), complete_(complete) {
  for (const archive::DescRecord& desc : metadata.descs) {
    descriptors_.try_emplace(desc.descriptor.pmid, desc.descriptor);
  }
}

}  // namespace pmproof::validator
