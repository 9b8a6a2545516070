// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_NEW_RECORDS_H_
#define PMPROOF_GENERATORS_MUTATIONS_NEW_RECORDS_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "generators/archive_image.h"
#include "generators/mutations/find.h"
#include "generators/random.h"
#include "reference/archive/model.h"
#include "reference/core/metric.h"
#include "reference/core/timestamp.h"

// Data records put between those of a sound archive, so that it stays sound: in order of time, with
// an index that agrees, and without gaps that were none (ARC-2010). Mutations break one thing of
// them, and nothing of the archive's own is lost by it.

namespace pmproof::generators {

// Where records can be put: right after `before`, in its volume.
struct Room {
  ResultPlace place;  // that of the first new record
  const archive::ResultModel* before = nullptr;
  const archive::ResultModel* behind = nullptr;  // the record after, which may be a mark
  std::vector<Timestamp> times;  // for the new records: ascending, between those of the neighbours
  bool in_last_volume = false;   // `after` is in the same volume
};

// What has no room for records, as the end of a sentence (NotApplicable).
inline constexpr char kNoRoom[] =
    "no two neighbouring records of it, the first one not a mark, have time between them";

// Puts the records that `make` gives for a room of `count` times into it. Rooms are taken by random
// until one suits: `make` can decline one by giving nothing, and one in which the records would
// make a gap of what was none is passed over. Times that `make` gives may be others than the
// room's. Nothing if no room suits.
std::optional<ResultPlace> InsertRecords(
    ArchivePlan& plan, Random& random, std::size_t count,
    const std::function<std::vector<archive::ResultModel>(const Room&)>& make);

// Prologue or epilogue (ARC-590): readers recognise these by their value sets.
bool IsLogue(const archive::ResultModel& result);

// The least step in which times of a new record differ: a microsecond, in both versions.
inline constexpr std::int64_t kTimeStep = 1000;

// Puts the value sets that `sets` gives for a time into a record of their own or, where there is no
// room, at the end of a record that is there. Gives the place of the first one; nothing if that can
// not be either.
std::optional<SetPlace> AddSets(
    ArchivePlan& plan, Random& random,
    const std::function<std::vector<archive::ValueSetModel>(Timestamp)>& sets);

// What a metric is that the archive does not have yet.
struct NewMetric {
  MetricType type = MetricType::kU32;
  Semantics semantics = Semantics::kInstant;
  std::size_t instances = 0;  // 0: a singular metric
  std::size_t records = 1;    // how many, all in one room
};

// A metric with everything that belongs to it (descriptor, instance domain, a metric for parameters
// of events), and one value set in each of its records. A single one is put where AddSets() puts
// it. Nothing if there is no place.
std::optional<std::vector<SetPlace>> AddNewMetric(ArchivePlan& plan, Random& random,
                                                  const NewMetric& metric);

// The same for one record.
std::optional<SetPlace> AddNewSet(ArchivePlan& plan, Random& random, const NewMetric& metric);

// A value set that `wanted` takes, with values that are stored as their type asks for, and not in a
// prologue or epilogue; or the one of a new metric.
std::optional<SetPlace> FindOrAddSet(
    ArchivePlan& plan, Random& random, const NewMetric& metric,
    const std::function<bool(const Descriptor&, const archive::ValueSetModel&)>& wanted);

// What has no place for a new metric, as the end of a sentence.
inline constexpr char kNoPlaceForAMetric[] =
    "none of its data records, nor a new one between them, can take another metric";

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_NEW_RECORDS_H_
