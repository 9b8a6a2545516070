// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_METADATA_AHEAD_H_
#define PMPROOF_VALIDATOR_CHECK_METADATA_AHEAD_H_

#include <cstddef>

#include "reference/archive/metadata.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "validator/check/finding_collector.h"
#include "validator/check/work_pool.h"

namespace pmproof::validator {

struct MetadataFile {
  archive::Source* source = nullptr;          // stands after the label; as LoadMetadata() wants it
  const archive::StoredFile* file = nullptr;  // what it shows, if that is not compressed; else null
  int version = 2;
};

// archive::LoadMetadata() by all threads of the pool, the parts of a long file at the same time.
// What is found and what is given does not depend on their number. `part` is how many bytes of the
// file one thread decodes at a time, at most.
Result<archive::Metadata> LoadMetadataAhead(WorkPool& pool, MetadataFile meta, std::size_t part,
                                            FindingCollector& collector, std::size_t budget);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_METADATA_AHEAD_H_
