// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.4 that concern the names of one descriptor and of several.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "generators/mutations/descriptor_mutations.h"
#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"

namespace pmproof::generators {
namespace {

using archive::DescModel;
using archive::RawRecordModel;

// Offsets in the payload (ARC-302).
constexpr std::size_t kNameCount = 24;
constexpr std::size_t kFirstLength = 28;

constexpr std::size_t kNameLimit = 4096;  // ARC-017

constexpr char kNoNames[] = "it has no descriptor with a name";

std::string Letters(std::size_t count, Random& random) {
  std::string letters;
  while (letters.size() < count) letters += static_cast<char>('a' + random.Below(26));
  return letters;
}

// A descriptor whose record cannot be decoded: nothing uses it.
RawRecordModel UnusedDesc(const ArchivePlan& plan, Random& random) {
  return RawOf(FreshDesc(plan, random), plan.label.version);
}

NotApplicable InsertAnywhere(ArchivePlan& plan, archive::MetaRecordModel record, Random& random) {
  InsertMeta(plan, random.Below(plan.meta.size() + 1), std::move(record));
  return std::nullopt;
}

// A metric with `name` only, or as its second one.
NotApplicable AddNamed(ArchivePlan& plan, DescModel desc, std::string name, Random& random) {
  if (random.Chance(1, 2)) desc.names.clear();
  desc.names.push_back(std::move(name));
  return AddMetric(plan, desc, random);
}

// Names of the archive, each as often as it stands there.
std::vector<std::string> Names(const ArchivePlan& plan) {
  std::vector<std::string> names;
  for (const archive::MetaRecordModel& record : plan.meta) {
    const auto* desc = std::get_if<DescModel>(&record);
    if (desc != nullptr) names.insert(names.end(), desc->names.begin(), desc->names.end());
  }
  return names;
}

NotApplicable NoName(ArchivePlan& plan, Random& random) {
  DescModel desc = FreshDesc(plan, random);
  desc.names.clear();
  return AddMetric(plan, desc, random);
}

NotApplicable NegativeNumberOfNames(ArchivePlan& plan, Random& random) {
  DescModel desc = FreshDesc(plan, random);
  desc.names.clear();
  RawRecordModel raw = RawOf(desc, plan.label.version);
  SetWord(raw, kNameCount, static_cast<std::uint32_t>(random.Between(INT32_MIN, -1)));
  return AddMetric(plan, desc.descriptor, std::move(raw), random);
}

NotApplicable NoNumberOfNames(ArchivePlan& plan, Random& random) {
  RawRecordModel raw = UnusedDesc(plan, random);
  raw.payload.resize(kNameCount);
  return InsertAnywhere(plan, std::move(raw), random);
}

NotApplicable NameRunsPastItsRecord(ArchivePlan& plan, Random& random) {
  RawRecordModel raw = UnusedDesc(plan, random);
  const std::size_t length = raw.payload.size() - kFirstLength - 4;
  SetWord(raw, kFirstLength, static_cast<std::uint32_t>(length + 1 + random.Below(100'000)));
  return InsertAnywhere(plan, std::move(raw), random);
}

NotApplicable NegativeLength(ArchivePlan& plan, Random& random) {
  RawRecordModel raw = UnusedDesc(plan, random);
  SetWord(raw, kFirstLength, static_cast<std::uint32_t>(random.Between(INT32_MIN, -1)));
  return InsertAnywhere(plan, std::move(raw), random);
}

NotApplicable BytesBehindTheNames(ArchivePlan& plan, Random& random) {
  RawRecordModel raw = UnusedDesc(plan, random);
  raw.payload += Letters(1 + random.Below(12), random);
  return InsertAnywhere(plan, std::move(raw), random);
}

NotApplicable EmptyName(ArchivePlan& plan, Random& random) {
  return AddNamed(plan, FreshDesc(plan, random), "", random);
}

NotApplicable LongName(ArchivePlan& plan, Random& random) {
  DescModel desc = FreshDesc(plan, random);
  std::string name = desc.names[0] + "x";
  name += Letters(kNameLimit + random.Below(2000) - name.size(), random);
  return AddNamed(plan, std::move(desc), std::move(name), random);
}

NotApplicable NameOfOtherForm(ArchivePlan& plan, Random& random) {
  DescModel desc = FreshDesc(plan, random);
  const std::string name = std::exchange(desc.names[0], desc.names[0] + "x");
  const std::string wrong[] = {"1" + name,          "." + name,   name + ".",
                               name + "..x",        name + ".9x", name + ".x-y",
                               name + ".two words", "_" + name,   name + "\xc3\xa4"};
  return AddNamed(plan, std::move(desc), random.Pick(wrong), random);
}

// In a descriptor that is not repeated: its repetition would have other names (ARC-1315).
NotApplicable NameTwice(ArchivePlan& plan, Random& random) {
  std::map<Pmid, std::size_t> times;
  for (const std::size_t i : MetaRecords<DescModel>(plan))
    ++times[std::get<DescModel>(plan.meta[i]).descriptor.pmid];
  const std::vector<std::size_t> descs = MetaRecords<DescModel>(plan, [&](const DescModel& desc) {
    return !desc.names.empty() && times.at(desc.descriptor.pmid) == 1;
  });
  if (descs.empty()) return "it has no descriptor that has a name and is not repeated";
  auto& names = std::get<DescModel>(plan.meta[random.Pick(descs)]).names;
  const std::string name = random.Pick(names);
  names.insert(names.begin() + static_cast<std::ptrdiff_t>(random.Below(names.size() + 1)), name);
  return std::nullopt;
}

NotApplicable NameOfAnotherMetric(ArchivePlan& plan, Random& random) {
  const std::vector<std::string> names = Names(plan);
  if (names.empty()) return kNoNames;
  DescModel desc = FreshDesc(plan, random);
  return AddNamed(plan, std::move(desc), random.Pick(names), random);
}

NotApplicable NameBelowAnother(ArchivePlan& plan, Random& random) {
  DescModel desc = FreshDesc(plan, random);
  std::vector<std::string> names = Names(plan);
  std::erase_if(names, [&](const std::string& name) {
    return name.size() + 1 + desc.names[0].size() >= kNameLimit;
  });
  if (names.empty()) return kNoNames;
  std::string below = random.Pick(names) + "." + desc.names[0];
  return AddNamed(plan, std::move(desc), std::move(below), random);
}

NotApplicable NameAboveAnother(ArchivePlan& plan, Random& random) {
  std::vector<std::string> above;
  for (const std::string& name : Names(plan)) {
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
      above.push_back(name.substr(0, dot));
  }
  if (above.empty()) return "no metric name in it has more than one component";
  DescModel desc = FreshDesc(plan, random);
  return AddNamed(plan, std::move(desc), random.Pick(above), random);
}

NotApplicable MoreNamesThanThereAre(ArchivePlan& plan, Random& random) {
  RawRecordModel raw = UnusedDesc(plan, random);
  SetWord(raw, kNameCount, static_cast<std::uint32_t>(random.Between(2, INT32_MAX)));
  return InsertAnywhere(plan, std::move(raw), random);
}

}  // namespace

std::vector<Mutation> DescNameMutations() {
  return {
      {.rule = "ARC-1303"_clause, .edit = "a metric has no name", .plan = NoName},
      {.rule = "ARC-1303"_clause,
       .edit = "the number of names of a metric is negative",
       .plan = NegativeNumberOfNames},
      {.rule = "ARC-1303"_clause,
       .edit = "a descriptor ends before the number of its names",
       .plan = NoNumberOfNames},
      {.rule = "ARC-1304"_clause,
       .edit = "the length of a metric name runs past its record",
       .plan = NameRunsPastItsRecord},
      {.rule = "ARC-1304"_clause,
       .edit = "the length of a metric name is negative",
       .plan = NegativeLength},
      {.rule = "ARC-1304"_clause,
       .edit = "bytes are left over after the names of a metric",
       .plan = BytesBehindTheNames},
      {.rule = "ARC-1304"_clause, .edit = "a metric name is empty", .plan = EmptyName},
      {.rule = "ARC-1305"_clause, .edit = "a metric name has 4096 bytes or more", .plan = LongName},
      {.rule = "ARC-1306"_clause,
       .edit = "a metric name has a form that no name may have",
       .plan = NameOfOtherForm},
      {.rule = "ARC-1307"_clause, .edit = "a metric has a name twice", .plan = NameTwice},
      {.rule = "ARC-1308"_clause,
       .edit = "a metric has the name of another one",
       .plan = NameOfAnotherMetric},
      {.rule = "ARC-1309"_clause,
       .edit = "a metric name lies below that of another metric",
       .plan = NameBelowAnother},
      {.rule = "ARC-1309"_clause,
       .edit = "a metric name is the beginning of another one",
       .plan = NameAboveAnother},
      {.rule = "ARC-1335"_clause,
       .edit = "a descriptor announces more names than it has",
       .plan = MoreNamesThanThereAre},
  };
}

}  // namespace pmproof::generators
