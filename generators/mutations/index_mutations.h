#ifndef PMPROOF_GENERATORS_MUTATIONS_INDEX_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_INDEX_MUTATIONS_H_

#include "generators/mutation.h"
#include "generators/mutations/index_entries.h"

// What the sources on section 14.10 share: edits of one entry, those that concern its offsets, and
// those for which entries are added or left out.

namespace pmproof::generators {

inline constexpr char kNoIndex[] = "it has no temporal index";

// Edits one entry of a place that `wanted` takes.
template <typename Edit>
Lack EditEntry(ArchiveImage& image, const ArchivePlan& plan, Random& random,
               const IndexEntries::Wanted& wanted, Edit edit) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  const auto place = index.Pick(random, wanted);
  if (!place) return "its index has no entry that could be changed so, nor place for one";
  edit(index, *place);
  index.Store();
  return std::nullopt;
}

inline bool AnyEntry(const IndexEntries::Place&) { return true; }
inline bool SpareEntry(const IndexEntries::Place& place) { return place.spare; }

Lack MetaOffsetInLabel(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack MetaOffsetBehindEnd(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack MetaOffsetGoesBack(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack MetaOffsetInRecord(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack MetaOffsetBehindLater(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack MetaOffsetOfFirst(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack MetaOffsetZero(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack DataOffsetInLabel(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack DataOffsetBehindEnd(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack DataOffsetsSwapped(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack DataOffsetGoesBack(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack DataOffsetInRecord(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack DataOffsetOfNext(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack DataOffsetOfEarlier(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack DataOffsetBehindLater(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack DataOffsetZero(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack BothOffsetsZero(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack FinalEntryAtEnd(ArchiveImage& image, const ArchivePlan& plan, Random& random);

Lack PartOfAnEntry(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack Repeated(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack EntryForMissingRecord(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack WithoutTheFirst(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack WithoutTheLast(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack WithoutAVolumesFirst(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack FarApart(ArchivePlan& plan, Random& random);
Lack Zeros(ArchiveImage& image, const ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_INDEX_MUTATIONS_H_
