// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_FIND_H_
#define PMPROOF_GENERATORS_MUTATIONS_FIND_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/layout.h"
#include "reference/archive/model.h"
#include "reference/core/identifiers.h"

// Finding things in a plan, and adding to it, in any archive: what several sections of mutations
// need. Everything here keeps the index pointing to the records that it pointed to.

namespace pmproof::generators {

// A data record, and a value set in it.
struct ResultPlace {
  archive::Part volume = 0;
  std::size_t record = 0;
};
struct SetPlace {
  ResultPlace result;
  std::size_t set = 0;
};

archive::ResultModel& At(ArchivePlan& plan, const ResultPlace& place);
archive::ValueSetModel& At(ArchivePlan& plan, const SetPlace& place);

// All data records (marks too), and all value sets that `wanted` takes, in the order of the files.
std::vector<ResultPlace> Results(const ArchivePlan& plan);
std::vector<SetPlace> Sets(
    const ArchivePlan& plan,
    const std::function<bool(const archive::ResultModel&, const archive::ValueSetModel&)>& wanted);

// The ordinals in plan.meta of the records of one kind that `wanted` takes.
template <typename Record>
std::vector<std::size_t> MetaRecords(
    const ArchivePlan& plan,
    const std::function<bool(const Record&)>& wanted = [](const Record&) { return true; }) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < plan.meta.size(); ++i) {
    const auto* record = std::get_if<Record>(&plan.meta[i]);
    if (record != nullptr && wanted(*record)) found.push_back(i);
  }
  return found;
}

// True if an index entry points to the end of the record with its time, where another record
// begins. For others than the last one that is right only as long as it is the rule (ARC-454,
// ARC-1918): then entries must not be added.
bool IsAtEnd(const ArchivePlan& plan, const PlannedIndexEntry& entry);
bool HasEntriesAtEnds(const ArchivePlan& plan);  // others than the last one

// The first descriptor of a metric; null if there is none. Holds until the metadata change.
archive::DescModel* DescOf(ArchivePlan& plan, Pmid pmid);

// Puts a record in front of the one at `position`. An index entry that pointed there points to the
// new record, unless it is `behind_entries`.
void InsertMeta(ArchivePlan& plan, std::size_t position, archive::MetaRecordModel record,
                bool behind_entries = false);
void EraseMeta(ArchivePlan& plan, std::size_t position);
void InsertResult(ArchivePlan& plan, const ResultPlace& place, archive::ResultModel result);
// Entries for the record go with it.
void EraseResult(ArchivePlan& plan, const ResultPlace& place);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_FIND_H_
