// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_TRANSFORM_H_
#define PMPROOF_GENERATORS_TRANSFORM_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "generators/archive_image.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"

// Other forms of an archive, from which readers get the same: the same values of the same metrics
// and instances at the same times (but for ShiftTimes, where all times are so much later). What was
// sound stays so.

namespace pmproof::generators {

// The data records in other volumes: these begin in front of the records numbered `starts`, which
// are counted from 0 through all volumes as they were, and are numbered on from the lowest number
// there was. The index follows, and gets an entry for the first record of a volume that has none
// (ARC-1923). Volumes without records are gone, and so are labels of their own that volumes had,
// but for that of the first.
ArchivePlan SplitIntoVolumes(const ArchivePlan& plan, const std::set<std::size_t>& starts);

// All data records in one volume.
ArchivePlan MergeVolumes(const ArchivePlan& plan);

// Without .index (ARC-042).
ArchivePlan DropIndex(ArchivePlan plan);

// With an index that has an entry for the first record, the first of each volume, every `step`-th
// one and the last. 0: no others than these. Marks get none (ARC-512) but at the beginning of a
// volume (ARC-1921, ARC-1923), nor does a record that is not later than the entry before
// (ARC-626).
ArchivePlan IndexEvery(ArchivePlan plan, std::size_t step);

// All times that are in the archive so many seconds later, those of labels, metadata, data, index
// and events (ARC-261, ARC-272). Whole seconds, so that they can be expressed wherever the old ones
// could. Errors: kUnsupported where the seconds do not fit (ARC-504), and for metadata that are
// kept as bytes.
Result<ArchivePlan> ShiftTimes(ArchivePlan plan, std::int64_t seconds);

// The archive in the other version, record by record (reference/archive/version_converter.h, where
// the errors are).
Result<ArchivePlan> ToVersion(const ArchivePlan& plan, int version);

// Puts the files into a storage as "DIRECTORY/BASE.SUFFIX.gz" or whatever the compression is.
std::optional<Status> StoreCompressed(const ArchiveImage& image, const std::string& path,
                                      archive::Compression compression,
                                      archive::MemoryStorage* storage);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_TRANSFORM_H_
