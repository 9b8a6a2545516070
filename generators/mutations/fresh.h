// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_FRESH_H_
#define PMPROOF_GENERATORS_MUTATIONS_FRESH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "generators/mutation.h"
#include "generators/random.h"
#include "reference/archive/model.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/core/timestamp.h"

// What a sound archive does not have yet - a metric, a name, an instance domain - put into it so
// that it stays sound: described before it is used, used, in order of time, with an index that
// agrees. Mutations break one thing of it.

namespace pmproof::generators {

// Identifiers that nothing in the archive has, of agents other than PMCD.
Pmid FreshPmid(const ArchivePlan& plan, Random& random);
Indom FreshIndom(const ArchivePlan& plan, Random& random, std::uint32_t domain);

// A name of one component that begins no other name.
std::string FreshName(const ArchivePlan& plan, Random& random);

// A numeric, singular metric that is fresh in all respects.
archive::DescModel FreshDesc(const ArchivePlan& plan, Random& random);

// A value set of one value that fits the type: a number, a text, or events of `time` (with
// `parameter`, if one is given, as a U32).
archive::ValueSetModel ValueOf(const Descriptor& metric, Timestamp time,
                               std::int32_t instance = kInstanceNull,
                               std::optional<Pmid> parameter = std::nullopt);

// From `first`, and before `before`.
struct Period {
  Timestamp first = {std::numeric_limits<std::int64_t>::min(), 0};
  Timestamp before = {std::numeric_limits<std::int64_t>::max(), 0};
};

inline constexpr char kNoPlaceForValues[] =
    "it has no data record that could have another value in it or beside it";

// Puts value sets into the data, in a record of their own between two others or, where no two are
// far enough apart, in one that is there. `sets` gets the time, which is in whole microseconds for
// a record of its own. Nothing if no place in `period` will do: kNoPlaceForValues.
std::optional<Timestamp> AddValues(
    ArchivePlan& plan, const std::function<std::vector<archive::ValueSetModel>(Timestamp)>& sets,
    Random& random, const Period& period = {});

// Puts the descriptor of a metric where it precedes what the index entry after `first_use` refers
// to (ARC-1336) and is not after `last_place`.
void InsertDesc(ArchivePlan& plan, archive::MetaRecordModel desc, Timestamp first_use,
                Random& random, std::size_t last_place = std::numeric_limits<std::size_t>::max());

// A metric with one value, which fits the type, and the record that describes it.
NotApplicable AddMetric(ArchivePlan& plan, const Descriptor& metric, archive::MetaRecordModel desc,
                        Random& random);
NotApplicable AddMetric(ArchivePlan& plan, const archive::DescModel& desc, Random& random);

// The same for a metric (type U32) that is no more than a parameter of events, whose own metric is
// added too.
NotApplicable AddParameter(ArchivePlan& plan, const archive::DescModel& parameter, Random& random);

// The time of a metadata record; nothing for those that have none.
std::optional<Timestamp> TimeOf(const archive::MetaRecordModel& record);

// Puts metadata of `time` between what is earlier and what is later, in front of index entries that
// are later, and at `first_place` or after it if that is in this range. Returns its position.
std::size_t InsertTimedMeta(ArchivePlan& plan, Timestamp time,
                            std::vector<archive::MetaRecordModel> records, Random& random,
                            std::size_t first_place = 0);

// The times of data records that are not marks, ascending, each once.
std::vector<Timestamp> DataTimes(const ArchivePlan& plan);

// The record as the encoder makes it, without length words.
archive::RawRecordModel RawOf(const archive::MetaRecordModel& record, int version);
// A 32-bit word of its payload.
void SetWord(archive::RawRecordModel& record, std::size_t offset, std::uint32_t word);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_FRESH_H_
