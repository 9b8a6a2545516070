// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.11 that concern one archive: across its files.

#include "generators/mutations/across_mutations.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/move_times.h"
#include "generators/mutations/mutations.h"
#include "generators/mutations/volumes.h"

namespace pmproof::generators {
namespace {

using archive::Part;
using archive::ResultModel;
using archive::ValueSetModel;

constexpr std::int64_t kMicrosecond = 1'000;
constexpr std::int64_t kSecond = 1'000'000'000;

constexpr Pmid kPmcdPid = Pmid::Of(2, 0, 23);
constexpr Pmid kPmcdSeqnum = Pmid::Of(2, 0, 24);

std::vector<ResultPlace> DataRecords(const ArchivePlan& plan) {
  std::vector<ResultPlace> places = Results(plan);
  std::erase_if(places, [&](const ResultPlace& place) {
    return plan.volumes.at(place.volume)[place.record].sets.empty();
  });
  return places;
}

// A record that readers take for a prologue or an epilogue (ARC-594).
bool IsLogue(const ResultModel& result) {
  static const std::set<Pmid> kOfLogger = {Pmid::Of(2, 3, 0), Pmid::Of(2, 3, 2), Pmid::Of(2, 3, 3)};
  std::set<Pmid> metrics;
  for (const ValueSetModel& set : result.sets) metrics.insert(set.pmid);
  if (result.sets.size() == 3) return metrics == kOfLogger;
  std::set<Pmid> all = kOfLogger;
  all.insert({kPmcdPid, kPmcdSeqnum});
  return result.sets.size() == 5 && metrics == all;
}

std::optional<ResultPlace> Prologue(const ArchivePlan& plan) {
  const std::vector<ResultPlace> data = DataRecords(plan);
  if (data.empty()) return std::nullopt;
  const ResultPlace first = data.front();
  if (!IsLogue(plan.volumes.at(first.volume)[first.record])) return std::nullopt;
  return first;
}

std::optional<ResultPlace> Epilogue(const ArchivePlan& plan) {
  const std::vector<ResultPlace> data = DataRecords(plan);
  if (data.size() < 2) return std::nullopt;
  const ResultPlace last = data.back();
  if (!IsLogue(plan.volumes.at(last.volume)[last.record])) return std::nullopt;
  return last;
}

// One value more, of a metric that is new.
void AddOther(ArchivePlan& plan, const ResultPlace& place, Random& random) {
  const archive::DescModel desc = FreshDesc(plan, random);
  const Timestamp time = At(plan, place).time;
  At(plan, place).sets.push_back(ValueOf(desc.descriptor, time));
  InsertDesc(plan, desc, time, random);
}

// One value less, of a metric that another record has too.
NotApplicable RemoveSet(ArchivePlan& plan, const ResultPlace& place, Random& random) {
  std::vector<ValueSetModel>& sets = At(plan, place).sets;
  std::vector<std::size_t> elsewhere;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto same = [pmid = sets[i].pmid](const ResultModel&, const ValueSetModel& set) {
      return set.pmid == pmid && !set.values.empty();
    };
    if (Sets(plan, same).size() > 1) elsewhere.push_back(i);
  }
  if (elsewhere.empty()) return "its metrics of the logger are in no other record";
  sets.erase(sets.begin() + static_cast<std::ptrdiff_t>(random.Pick(elsewhere)));
  return std::nullopt;
}

NotApplicable TwoVolumes(ArchivePlan& plan, Random& random) {
  if (plan.volumes.size() > 1) return std::nullopt;
  return DivideInto(plan, 2, random);
}

// A volume begins with the last record of the one before, as it was a little earlier.
NotApplicable VolumeBeginsEarlier(ArchivePlan& plan, Random& random) {
  if (NotApplicable lack = TwoVolumes(plan, random)) return lack;
  struct Place {
    Part volume;
    ResultPlace last;  // of the volume before
  };
  std::vector<Place> places;
  std::optional<ResultPlace> last;
  for (const auto& [volume, results] : plan.volumes) {
    if (last && !results.empty() && !results.front().sets.empty() &&
        NanosecondsBetween(plan.label.start, At(plan, *last).time) >= kMicrosecond)
      places.push_back({volume, *last});
    for (std::size_t i = 0; i < results.size(); ++i) {
      // After a mark counters may have begun anew (ARC-1825).
      last = results[i].sets.empty() ? std::nullopt : std::optional(ResultPlace{volume, i});
    }
  }
  if (places.empty()) return "no volume ends with a record that is after the start and no mark";
  const Place place = random.Pick(places);
  ResultModel again = At(plan, place.last);
  const std::int64_t room = NanosecondsBetween(plan.label.start, again.time) / kMicrosecond;
  again.time =
      again.time + -kMicrosecond * random.Between(1, std::min<std::int64_t>(room, 1'000'000));
  std::vector<ResultModel>& results = plan.volumes.at(place.volume);
  results.insert(results.begin(), std::move(again));
  // The entry of the volume stays that of its first record.
  for (PlannedIndexEntry& entry : plan.index) {
    if (entry.volume == place.volume && entry.data_record > 0) ++entry.data_record;
  }
  return std::nullopt;
}

// Each metric is asked for and never answers; parameters of events, which are gone, too.
NotApplicable NoValues(ArchivePlan& plan, Random& random) {
  const std::vector<ResultPlace> data = DataRecords(plan);
  if (data.empty()) return "it has no data record";
  constexpr std::int32_t kErrors[] = {0, -12350, -12351};
  std::set<Pmid> asked;
  for (const ResultPlace& place : data) {
    for (ValueSetModel& set : At(plan, place).sets) {
      asked.insert(set.pmid);
      if (!set.values.empty()) set = {set.pmid, 0, {}, random.Pick(kErrors)};
    }
  }
  std::vector<ResultPlace> ordinary = data;
  std::erase_if(ordinary, [&](const ResultPlace& place) { return IsLogue(At(plan, place)); });
  if (ordinary.empty()) return std::nullopt;
  // The last: after the descriptors of all metrics (ARC-1336).
  const ResultPlace place = ordinary.back();
  for (const std::size_t i : MetaRecords<archive::DescModel>(plan)) {
    const Pmid pmid = std::get<archive::DescModel>(plan.meta[i]).descriptor.pmid;
    if (asked.insert(pmid).second) At(plan, place).sets.push_back({pmid, 0, {}, 0});
  }
  return std::nullopt;
}

NotApplicable OtherValueInPrologue(ArchivePlan& plan, Random& random) {
  const auto place = Prologue(plan);
  if (!place) return "it has no prologue";
  AddOther(plan, *place, random);
  return std::nullopt;
}

NotApplicable PartOfPrologue(ArchivePlan& plan, Random& random) {
  const auto place = Prologue(plan);
  if (!place) return "it has no prologue";
  return RemoveSet(plan, *place, random);
}

NotApplicable OtherValueInEpilogue(ArchivePlan& plan, Random& random) {
  const auto place = Epilogue(plan);
  if (!place) return "it has no epilogue";
  AddOther(plan, *place, random);
  return std::nullopt;
}

NotApplicable PartOfEpilogue(ArchivePlan& plan, Random& random) {
  const auto place = Epilogue(plan);
  if (!place) return "it has no epilogue";
  return RemoveSet(plan, *place, random);
}

ValueSetModel* SetOf(ResultModel& result, Pmid pmid) {
  for (ValueSetModel& set : result.sets) {
    if (set.pmid == pmid && set.values.size() == 1) return &set;
  }
  return nullptr;
}

// PMCD is another one at the end: a later process, or one that was told to reconfigure.
NotApplicable OtherPmcd(ArchivePlan& plan, Random& random) {
  const auto first = Prologue(plan);
  const auto last = Epilogue(plan);
  if (!first || !last) return "it has no prologue and epilogue";
  ResultModel& prologue = At(plan, *first);
  ResultModel& epilogue = At(plan, *last);
  ValueSetModel* pid = SetOf(epilogue, kPmcdPid);
  ValueSetModel* seqnum = SetOf(epilogue, kPmcdSeqnum);
  if (pid == nullptr || seqnum == nullptr || SetOf(prologue, kPmcdPid) == nullptr ||
      SetOf(prologue, kPmcdSeqnum) == nullptr)
    return "its prologue or epilogue does not say which PMCD it is of";
  auto* block = std::get_if<archive::BlockModel>(&pid->values[0].value);
  auto* word = std::get_if<std::uint32_t>(&seqnum->values[0].value);
  if (block == nullptr || block->payload.size() != 8 || word == nullptr ||
      *word == std::numeric_limits<std::uint32_t>::max())
    return "its epilogue has other values than PMCD gives";
  if (random.Chance(1, 2)) {
    ++*word;
  } else {
    auto& byte = reinterpret_cast<std::uint8_t&>(block->payload[5]);
    if (byte == 0xff) return "the process number of its PMCD is too large";
    ++byte;
  }
  return std::nullopt;
}

// The longest interval of records with the same metrics. Nothing if there are too few to tell that
// a gap is none of their rhythm (ARC-2010): which intervals count beside those of neighbours is a
// matter of how many kinds of records there are, and the gap lengthens one of each kind.
std::optional<std::int64_t> LongestInterval(const ArchivePlan& plan) {
  using Kind = std::pair<std::uint32_t, std::size_t>;
  std::map<Kind, Timestamp> seen;
  std::set<Kind> kinds;
  const Kind mark;
  Kind before = mark;
  std::int64_t longest = 0;
  std::size_t neighbours = 0;
  for (const ResultPlace& place : Results(plan)) {
    const ResultModel& result = plan.volumes.at(place.volume)[place.record];
    if (result.sets.empty()) {
      seen.clear();
      before = mark;
      continue;
    }
    const Kind kind{result.sets.front().pmid.value, result.sets.size()};
    const auto [last, fresh] = seen.try_emplace(kind, result.time);
    if (!fresh && result.time > last->second) {
      longest = std::max(longest, NanosecondsBetween(last->second, result.time));
      if (before == kind) ++neighbours;
    }
    last->second = result.time;
    kinds.insert(kind);
    before = kind;
  }
  if (neighbours < 4 || neighbours <= kinds.size()) return std::nullopt;
  return longest;
}

// Everything from a record on is `seconds` later.
ArchivePlan WithGap(const ArchivePlan& plan, const ResultPlace& from, std::int64_t seconds) {
  const Timestamp begin = plan.volumes.at(from.volume)[from.record].time;
  ArchivePlan later = plan;
  MoveTimes(later, seconds);
  ArchivePlan result = plan;
  for (auto& [volume, results] : result.volumes) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (volume > from.volume || (volume == from.volume && i >= from.record))
        results[i] = later.volumes.at(volume)[i];
    }
  }
  for (std::size_t i = 0; i < result.meta.size(); ++i) {
    const std::optional<Timestamp> time = TimeOf(result.meta[i]);
    if (time && *time >= begin) result.meta[i] = later.meta[i];
  }
  for (PlannedIndexEntry& entry : result.index) {
    if (entry.time >= begin) entry.time.seconds += seconds;
  }
  return result;
}

NotApplicable LongGap(ArchivePlan& plan, Random& random) {
  const std::optional<std::int64_t> longest = LongestInterval(plan);
  if (!longest) return "it has too few records of one kind to tell how far apart they are";
  // Classes of intervals are 3.2 % wide at most.
  const std::int64_t seconds = *longest / kSecond * 11 + 12 + random.Between(0, 10);
  constexpr std::int64_t kSecondsOf2038 = std::int64_t{1} << 31;
  const Timestamp latest = LatestTime(plan);
  if (latest.seconds < kSecondsOf2038 && latest.seconds + seconds >= kSecondsOf2038)
    return "it reaches nearly up to 2038";
  const std::vector<ResultPlace> all = Results(plan);
  std::vector<ResultPlace> places;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (!At(plan, all[i]).sets.empty() && !At(plan, all[i - 1]).sets.empty() &&
        At(plan, all[i]).time > At(plan, all[i - 1]).time)
      places.push_back(all[i]);
  }
  plan = WithGap(plan, random.Pick(places), seconds);
  return std::nullopt;
}

constexpr Mutation kMutations[] = {
    {.rule = "ARC-2001"_clause,
     .edit = "labels are added that are earlier than the start",
     .plan = LabelsBeforeTheStart},
    {.rule = "ARC-2001"_clause,
     .edit = "the first instance domain is earlier than the start",
     .plan = DomainBeforeTheStart},
    {.rule = "ARC-2002"_clause,
     .edit = "labels are added that are later than the last record",
     .plan = LabelsAfterTheEnd},
    {.rule = "ARC-2002"_clause,
     .edit = "an instance domain changes later than the last record",
     .plan = DomainAfterTheEnd},
    {.rule = "ARC-2003"_clause,
     .edit = "labels are added after metadata that is later",
     .plan = LabelsOutOfOrder},
    {.rule = "ARC-2003"_clause,
     .edit = "labels are added in front of an instance domain that is earlier",
     .plan = LabelsInFrontOfDomain},
    {.rule = "ARC-2004"_clause,
     .edit = "a volume begins earlier than the one before it ends",
     .plan = VolumeBeginsEarlier},
    {.rule = "ARC-2005"_clause,
     .edit = "an instance domain changes between two records",
     .plan = DomainBetweenRecords},
    {.rule = "ARC-2005"_clause,
     .edit = "an instance domain changes before the record for which it does",
     .plan = DomainAheadOfItsRecord},
    {.rule = "ARC-2007"_clause, .edit = "no metric has a value any more", .plan = NoValues},
    {.rule = "ARC-2008"_clause,
     .edit = "a value is added to the prologue",
     .plan = OtherValueInPrologue},
    {.rule = "ARC-2008"_clause,
     .edit = "a value set of the prologue is left out",
     .plan = PartOfPrologue},
    {.rule = "ARC-2009"_clause,
     .edit = "a value is added to the epilogue",
     .plan = OtherValueInEpilogue},
    {.rule = "ARC-2009"_clause,
     .edit = "a value set of the epilogue is left out",
     .plan = PartOfEpilogue},
    {.rule = "ARC-2009"_clause,
     .edit = "the epilogue is of another PMCD than the prologue",
     .plan = OtherPmcd},
    {.rule = "ARC-2010"_clause,
     .edit = "all from one record on is later, so that there is a gap",
     .plan = LongGap},
};

}  // namespace

std::span<const Mutation> AcrossMutations() { return kMutations; }

}  // namespace pmproof::generators
