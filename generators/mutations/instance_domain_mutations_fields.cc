// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.5 that concern the words and the string table of one record.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/fresh_domain.h"
#include "generators/mutations/instance_domain_mutations.h"
#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::generators {
namespace {

using archive::IndomModel;
using archive::InstanceModel;
using archive::RawRecordModel;

// A record of a domain in its bytes, with offsets of its words in the payload (ARC-340).
struct RawDomain {
  RawDomain(const IndomModel& model, int version)
      : raw(RawOf(model, version)), header(8 + archive::LayoutOf(version).timestamp) {
    instances = model.instances.size();
  }

  std::size_t Count() const { return header; }
  std::size_t Identifier(std::size_t i) const { return header + 4 + 4 * i; }
  std::size_t NameOffset(std::size_t i) const { return header + 4 + 4 * (instances + i); }
  std::size_t Table() const { return header + 4 + 8 * instances; }
  std::size_t TableSize() const { return raw.payload.size() - Table(); }

  RawRecordModel raw;
  std::size_t header;
  std::size_t instances = 0;
};

// One byte to `most`: NULs or something else.
std::string Junk(std::size_t most, Random& random) {
  const std::size_t size = 1 + random.Below(most);
  return std::string(size, random.Chance(1, 2) ? '\0' : 'x');
}

std::uint32_t Word(std::int64_t value) { return static_cast<std::uint32_t>(value); }

// The domain of a record that has one; of a record in bytes by its type (ARC-340).
std::optional<Indom> DomainOf(const archive::MetaRecordModel& record) {
  if (const auto* indom = std::get_if<IndomModel>(&record)) return indom->indom;
  const auto* raw = std::get_if<RawRecordModel>(&record);
  if (raw == nullptr || raw->payload.size() < 20) return std::nullopt;
  const std::uint8_t* payload = AsBytes(raw->payload).data();
  switch (static_cast<archive::RecordType>(LoadI32(payload))) {
    case archive::RecordType::kIndomV2:
      return Indom{LoadU32(payload + 4 + archive::kLayoutV2.timestamp)};
    case archive::RecordType::kIndom:
    case archive::RecordType::kIndomDelta:
      return Indom{LoadU32(payload + 4 + archive::kLayoutV3.timestamp)};
    case archive::RecordType::kDesc:
    case archive::RecordType::kLabelV2:
    case archive::RecordType::kText:
    case archive::RecordType::kLabel:
      break;
  }
  return std::nullopt;
}

// The records without which no other one of their domain would mean something else (as in
// ARC-1423): each is the last of its domain.
std::set<std::size_t> LastOfTheirDomains(const ArchivePlan& plan) {
  std::map<Indom, std::pair<Timestamp, std::size_t>> last;
  for (std::size_t i = 0; i < plan.meta.size(); ++i) {
    const std::optional<Indom> indom = DomainOf(plan.meta[i]);
    if (!indom) continue;
    auto& known = last.try_emplace(*indom).first->second;
    known = std::max(known, {*TimeOf(plan.meta[i]), i});
  }
  std::set<std::size_t> records;
  for (const auto& entry : last) records.insert(entry.second.second);
  return records;
}

// Which record an edit is for.
struct Wish {
  enum class Kind { kAny, kFull, kDelta };

  Kind kind = Kind::kAny;
  bool last = false;  // of its domain, and with instances
  bool (*other)(const IndomModel&) = nullptr;
};

std::vector<std::size_t> FittingRecords(const ArchivePlan& plan, const Wish& wish) {
  std::vector<std::size_t> records = MetaRecords<IndomModel>(plan, [&](const IndomModel& indom) {
    return (wish.kind == Wish::Kind::kAny || indom.delta == (wish.kind == Wish::Kind::kDelta)) &&
           (wish.other == nullptr || wish.other(indom)) && (!wish.last || !indom.instances.empty());
  });
  if (!wish.last) return records;
  const std::set<std::size_t> last = LastOfTheirDomains(plan);
  std::erase_if(records, [&](std::size_t record) { return !last.contains(record); });
  return records;
}

// A record of the archive or of a domain that is added to it.
NotApplicable FindRecord(ArchivePlan& plan, const Wish& wish, Random& random, std::size_t* found) {
  std::vector<std::size_t> records = FittingRecords(plan, wish);
  if (records.empty()) {
    const bool delta = wish.kind == Wish::Kind::kDelta;
    FreshDomain domain;
    if (NotApplicable lack = AddFreshDomain(plan, {.times = delta ? 2U : 1U}, random, &domain))
      return lack;
    domain.Begin(plan, {domain.Full(0, {domain.Entry(0, "a"), domain.Entry(1, "bc")})}, random);
    if (delta) {
      domain.Add(plan, 1, {domain.Delta(1, {domain.Deleted(1), domain.Entry(2, "d")})}, random);
    }
    records = FittingRecords(plan, wish);
  }
  if (records.empty()) return "it has no such record of an instance domain";
  *found = random.Pick(records);
  return std::nullopt;
}

// Has `edit` change such a record in its bytes.
template <typename Edit>
NotApplicable EditRecord(ArchivePlan& plan, const Wish& wish, Random& random, Edit edit) {
  std::size_t found = 0;
  if (NotApplicable lack = FindRecord(plan, wish, random, &found)) return lack;
  const auto model = std::get<IndomModel>(plan.meta[found]);
  RawDomain domain(model, plan.label.version);
  edit(domain, model);
  plan.meta[found] = std::move(domain.raw);
  return std::nullopt;
}

// For edits that readers cannot load: the record is lost.
constexpr Wish kAnyLast = {Wish::Kind::kAny, true};
constexpr Wish kFullLast = {Wish::Kind::kFull, true};
constexpr Wish kDeltaLast = {Wish::Kind::kDelta, true};

NotApplicable NegativeCount(ArchivePlan& plan, Random& random) {
  return EditRecord(plan, kAnyLast, random, [&](RawDomain& domain, const IndomModel&) {
    SetWord(domain.raw, domain.Count(), Word(random.Between(INT32_MIN, -1)));
  });
}

NotApplicable LargeCount(ArchivePlan& plan, Random& random) {
  return EditRecord(plan, kAnyLast, random, [&](RawDomain& domain, const IndomModel&) {
    const auto room =
        static_cast<std::int64_t>((domain.raw.payload.size() - domain.Identifier(0)) / 8);
    const std::int64_t most = random.Chance(1, 2) ? room + 8 : INT32_MAX;
    SetWord(domain.raw, domain.Count(), Word(random.Between(room + 1, most)));
  });
}

NotApplicable NameBehindTheTable(ArchivePlan& plan, Random& random) {
  return EditRecord(plan, kAnyLast, random, [&](RawDomain& domain, const IndomModel&) {
    const auto behind = static_cast<std::int64_t>(domain.TableSize()) + 1;
    const std::size_t at = domain.NameOffset(random.Below(domain.instances));
    SetWord(domain.raw, at, Word(random.Between(behind, behind + 5000)));
  });
}

NotApplicable NameBeforeTheTable(ArchivePlan& plan, Random& random) {
  return EditRecord(plan, kFullLast, random, [&](RawDomain& domain, const IndomModel&) {
    const std::size_t at = domain.NameOffset(random.Below(domain.instances));
    SetWord(domain.raw, at, Word(random.Between(INT32_MIN, -2)));
  });
}

// In a domain of its own: the name of the instance is lost.
NotApplicable NameAtTheEndOfTheTable(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {}, random, &domain)) return lack;
  RawDomain record(domain.Full(0, {domain.Entry(0, "a"), domain.Deleted(1)}), plan.label.version);
  SetWord(record.raw, record.NameOffset(1), Word(static_cast<std::int64_t>(record.TableSize())));
  domain.Begin(plan, {record.raw}, random);
  return std::nullopt;
}

// The end of the table takes the place of the NUL, so that the name stays.
NotApplicable NoNulBehindTheLastName(ArchivePlan& plan, Random& random) {
  const auto wanted = [](const IndomModel& indom) {
    const auto last = std::find_if(indom.instances.rbegin(), indom.instances.rend(),
                                   [](const InstanceModel& instance) { return instance.name; });
    return last != indom.instances.rend() && !last->name->empty();
  };
  return EditRecord(plan, {.other = wanted}, random,
                    [](RawDomain& domain, const IndomModel&) { domain.raw.payload.pop_back(); });
}

NotApplicable DeletionInFullRecord(ArchivePlan& plan, Random& random) {
  return EditRecord(plan, kFullLast, random, [&](RawDomain& domain, const IndomModel&) {
    const std::size_t at = domain.NameOffset(random.Below(domain.instances));
    SetWord(domain.raw, at, Word(-1));
  });
}

NotApplicable NegativeNameInDelta(ArchivePlan& plan, Random& random) {
  return EditRecord(plan, kDeltaLast, random, [&](RawDomain& domain, const IndomModel&) {
    const std::size_t at = domain.NameOffset(random.Below(domain.instances));
    SetWord(domain.raw, at, Word(random.Between(INT32_MIN, -2)));
  });
}

NotApplicable NegativeIdentifier(ArchivePlan& plan, Random& random) {
  return EditRecord(plan, kAnyLast, random, [&](RawDomain& domain, const IndomModel&) {
    const std::size_t at = domain.Identifier(random.Below(domain.instances));
    SetWord(domain.raw, at, Word(random.Between(INT32_MIN, -1)));
  });
}

NotApplicable AddUnreachable(ArchivePlan& plan, Indom indom, Random& random) {
  const std::vector<Timestamp> times = DataTimes(plan);
  if (times.empty()) return "it has no data record";
  const Timestamp time = times[random.Below(times.size())];
  InsertTimedMeta(plan, time, {IndomModel{time, indom, {{0, "a"}}, false}}, random);
  return std::nullopt;
}

NotApplicable NullDomain(ArchivePlan& plan, Random& random) {
  return AddUnreachable(plan, Indom::Null(), random);
}

NotApplicable FlagOfDomain(ArchivePlan& plan, Random& random) {
  const std::vector<std::size_t> records = MetaRecords<IndomModel>(plan);
  const Indom indom = records.empty() ? FreshIndom(plan, random, FreshPmid(plan, random).domain())
                                      : std::get<IndomModel>(plan.meta[random.Pick(records)]).indom;
  return AddUnreachable(plan, Indom{indom.value | 0x80000000}, random);
}

NotApplicable NoInstances(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {.times = 2}, random, &domain)) return lack;
  domain.Begin(plan, {domain.Full(0, {domain.Entry(0, "a")})}, random);
  const bool delta = plan.label.version == 3 && random.Chance(1, 2);
  domain.Add(plan, 1, {delta ? domain.Delta(1, {}) : domain.Full(1, {})}, random);
  return std::nullopt;
}

NotApplicable DescendingIdentifiers(ArchivePlan& plan, Random& random) {
  const auto wanted = [](const IndomModel& indom) {
    return std::adjacent_find(indom.instances.begin(), indom.instances.end(),
                              [](const InstanceModel& a, const InstanceModel& b) {
                                return a.id >= b.id;
                              }) == indom.instances.end() &&
           indom.instances.size() > 1;
  };
  std::size_t found = 0;
  if (NotApplicable lack = FindRecord(plan, {.other = wanted}, random, &found)) return lack;
  auto& instances = std::get<IndomModel>(plan.meta[found]).instances;
  const auto middle = random.Between(1, static_cast<std::int64_t>(instances.size()) - 1);
  std::rotate(instances.begin(), instances.begin() + middle, instances.end());
  return std::nullopt;
}

// In front of a name, which keeps its bytes.
NotApplicable BytesBetweenNames(ArchivePlan& plan, Random& random) {
  const auto wanted = [](const IndomModel& indom) {
    return std::any_of(indom.instances.begin(), indom.instances.end(),
                       [](const InstanceModel& instance) { return instance.name.has_value(); });
  };
  return EditRecord(plan, {.other = wanted}, random,
                    [&](RawDomain& domain, const IndomModel& model) {
                      std::vector<std::size_t> named;
                      for (std::size_t i = 0; i < model.instances.size(); ++i) {
                        if (model.instances[i].name) named.push_back(i);
                      }
                      const std::size_t first_moved = random.Pick(named);
                      const std::string junk = Junk(8, random);
                      std::size_t offset = 0;
                      std::size_t junk_at = 0;
                      for (const std::size_t i : named) {
                        if (i == first_moved) junk_at = offset;
                        if (i >= first_moved) {
                          SetWord(domain.raw, domain.NameOffset(i),
                                  Word(static_cast<std::int64_t>(offset + junk.size())));
                        }
                        offset += model.instances[i].name->size() + 1;
                      }
                      domain.raw.payload.insert(domain.Table() + junk_at, junk);
                    });
}

// One is the tail of the other: equal names would be ARC-1409.
NotApplicable SharedName(ArchivePlan& plan, Random& random) {
  FreshDomain domain;
  if (NotApplicable lack = AddFreshDomain(plan, {}, random, &domain)) return lack;
  RawDomain record(
      domain.Full(0, {domain.Entry(0, "a"), domain.Entry(1, "long"), domain.Deleted(2)}),
      plan.label.version);
  SetWord(record.raw, record.NameOffset(2), Word(random.Between(3, 5)));
  domain.Begin(plan, {record.raw}, random);
  return std::nullopt;
}

NotApplicable BytesBehindTheLastName(ArchivePlan& plan, Random& random) {
  return EditRecord(plan, {}, random, [&](RawDomain& domain, const IndomModel&) {
    domain.raw.payload += Junk(16, random);
  });
}

}  // namespace

std::vector<Mutation> DomainFieldMutations() {
  return {
      {.rule = "ARC-1401"_clause,
       .edit = "the number of instances is negative",
       .plan = NegativeCount},
      {.rule = "ARC-1402"_clause,
       .edit = "the record has no room for its number of instances",
       .plan = LargeCount},
      {.rule = "ARC-1403"_clause,
       .edit = "the name of an instance begins after the string table",
       .plan = NameBehindTheTable},
      {.rule = "ARC-1403"_clause,
       .edit = "the name of an instance begins before the string table",
       .plan = NameBeforeTheTable},
      {.rule = "ARC-1403"_clause,
       .edit = "the name of an instance begins where the string table ends",
       .plan = NameAtTheEndOfTheTable},
      {.rule = "ARC-1404"_clause,
       .edit = "the last name of an instance has no NUL",
       .plan = NoNulBehindTheLastName},
      {.rule = "ARC-1405"_clause,
       .edit = "a full record deletes an instance",
       .plan = DeletionInFullRecord},
      {.rule = "ARC-1406"_clause,
       .edit = "a delta has a name offset below -1",
       .plan = NegativeNameInDelta,
       .version = 3},
      {.rule = "ARC-1407"_clause,
       .edit = "an instance identifier is negative",
       .plan = NegativeIdentifier},
      {.rule = "ARC-1412"_clause, .edit = "instances of PM_INDOM_NULL", .plan = NullDomain},
      {.rule = "ARC-1412"_clause,
       .edit = "the identifier of an instance domain has its flag set",
       .plan = FlagOfDomain},
      {.rule = "ARC-1418"_clause,
       .edit = "a record of an instance domain has no instances",
       .plan = NoInstances},
      {.rule = "ARC-1419"_clause,
       .edit = "the instances of a record do not ascend",
       .plan = DescendingIdentifiers,
       .version = 3},
      {.rule = "ARC-1420"_clause,
       .edit = "bytes in the string table belong to no name",
       .plan = BytesBetweenNames},
      {.rule = "ARC-1421"_clause,
       .edit = "the name of an instance is the end of another one",
       .plan = SharedName},
      {.rule = "ARC-1427"_clause,
       .edit = "bytes follow the last name of an instance",
       .plan = BytesBehindTheLastName},
  };
}

}  // namespace pmproof::generators
