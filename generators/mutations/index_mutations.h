// SPDX-License-Identifier: Apache-2.0
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
NotApplicable EditEntry(ArchiveImage& image, const ArchivePlan& plan, Random& random,
                        const IndexEntries::Wanted& wanted, Edit edit) {
  if (!plan.has_index) return kNoIndex;
  IndexEntries index(image, plan);
  const auto place = index.Pick(random, wanted);
  if (!place) return "its index has no entry that could be changed so, nor place for one";
  edit(index, *place);
  index.Store();
  return std::nullopt;
}

// What an edit of one entry knows.
struct EntryPlace {
  const IndexEntries& index;
  const ArchivePlan& plan;
  const IndexEntries::Place& place;
};

// The code of rows that set fields of one entry: `what` does it, to an entry that `where` takes.
template <bool (*where)(const IndexEntries::Place&),
          void (*what)(archive::IndexEntryModel&, const EntryPlace&, Random&)>
NotApplicable SetEntry(ArchiveImage& image, const ArchivePlan& plan, Random& random) {
  return EditEntry(image, plan, random, where,
                   [&](IndexEntries& index, const IndexEntries::Place& place) {
                     what(index.entries[place.entry], {index, plan, place}, random);
                   });
}

inline bool AnyEntry(const IndexEntries::Place&) { return true; }
inline bool SpareEntry(const IndexEntries::Place& place) { return place.spare; }

NotApplicable MetaOffsetGoesBack(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable MetaOffsetBehindLater(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable MetaOffsetOfFirst(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable DataOffsetsSwapped(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable DataOffsetGoesBack(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable DataOffsetOfNext(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable DataOffsetOfEarlier(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable DataOffsetBehindLater(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable FinalEntryAtEnd(ArchiveImage& image, const ArchivePlan& plan, Random& random);

NotApplicable PartOfAnEntry(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable Repeated(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable EntryForMissingRecord(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable WithoutTheFirst(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable WithoutTheLast(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable WithoutAVolumesFirst(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable FarApart(ArchivePlan& plan, Random& random);
NotApplicable Zeros(ArchiveImage& image, const ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_INDEX_MUTATIONS_H_
