// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.11 that concern sets of archives: a second archive is put beside the
// first one, which stays as it is.

#include "generators/mutations/set_mutations.h"

#include <cstdint>
#include <iterator>
#include <string>

#include "generators/mutations/mutations.h"
#include "generators/mutations/second_archive.h"
#include "reference/core/metric.h"

namespace pmproof::generators {
namespace {

constexpr std::int64_t kMicrosecond = 1'000;

// The archive before, which ends with the start of this one, after an edit.
template <NotApplicable (*edit)(ArchivePlan& second, Random& random)>
NotApplicable Second(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::int64_t span = Span(plan);
  if (span == 0) return "all its records have one time";
  ArchivePlan second = plan;
  if (NotApplicable lack = MoveBack(second, span)) return lack;
  if (NotApplicable lack = edit(second, random)) return lack;
  AddSecond(second, files);
  return std::nullopt;
}

template <typename Edit>
void EditLabels(ArchivePlan& plan, Edit edit) {
  edit(plan.label);
  for (auto& [part, label] : plan.labels) edit(label);
}

// Labels of the context that name the host are left out (ARC-1520).
void ForgetHostLabels(ArchivePlan& plan) {
  for (archive::MetaRecordModel& record : plan.meta) {
    auto* labels = std::get_if<archive::LabelRecordModel>(&record);
    if (labels == nullptr ||
        labels->label_class != static_cast<std::uint32_t>(LabelClass::kContext))
      continue;
    for (archive::LabelSetModel& set : labels->sets) {
      if (set.json.find("\"hostname\"") != std::string::npos) set = {set.instance, "{}", {}, 0};
    }
  }
}

NotApplicable OtherHost(ArchivePlan& second, Random& random) {
  std::string host = "host" + std::to_string(random.Below(1'000'000));
  if (host == second.label.host) host += "x";
  EditLabels(second, [&](archive::LabelModel& label) { label.host = host; });
  ForgetHostLabels(second);
  return std::nullopt;
}

NotApplicable Overlapping(MutatedFiles& files, const ArchivePlan& plan, Random& random) {
  const std::int64_t span = Span(plan);
  if (span < 2 * kMicrosecond) return "all its records have one time";
  ArchivePlan second = plan;
  const std::int64_t back = kMicrosecond * random.Between(1, (span - 1) / kMicrosecond);
  if (NotApplicable lack = MoveBack(second, back)) return lack;
  AddSecond(second, files);
  return std::nullopt;
}

NotApplicable Copy(MutatedFiles& files, const ArchivePlan& plan, Random&) {
  AddSecond(plan, files);
  return std::nullopt;
}

// .meta has nothing in it, so that the archive cannot be opened.
NotApplicable Junk(MutatedFiles& files, const ArchivePlan& plan, Random&) {
  const std::int64_t span = Span(plan);
  if (span == 0) return "all its records have one time";
  ArchivePlan second = plan;
  if (NotApplicable lack = MoveBack(second, span)) return lack;
  AddSecond(second, files);
  files.files.at(files.base + "-2.meta").clear();
  return std::nullopt;
}

NotApplicable OtherTimezone(ArchivePlan& second, Random& random) {
  constexpr const char* kZones[] = {"EST5", "CET-1", "AEST-10", "JST-9"};
  const std::uint64_t first = random.Below(std::size(kZones));
  std::string zone = kZones[first];
  if (zone == second.label.timezone) zone = kZones[(first + 1) % std::size(kZones)];
  EditLabels(second, [&](archive::LabelModel& label) { label.timezone = zone; });
  return std::nullopt;
}

NotApplicable EndsEarlier(ArchivePlan& second, Random& random) {
  return MoveBack(second, kMicrosecond * random.Between(1, 100'000'000));
}

constexpr Mutation kMutations[] = {
    {.rule = "ARC-2101"_clause,
     .edit = "an archive of another host is put in front",
     .files = Second<OtherHost>},
    {.rule = "ARC-2102"_clause,
     .edit = "an archive that ends too late is put in front",
     .files = Overlapping},
    {.rule = "ARC-2103"_clause, .edit = "a copy of the archive is added", .files = Copy},
    {.rule = "ARC-2104"_clause,
     .edit = "an archive with other units of a metric is put in front",
     .files = Second<OtherUnits>},
    {.rule = "ARC-2104"_clause,
     .edit = "an archive with other semantics of a metric is put in front",
     .files = Second<OtherSemantics>},
    {.rule = "ARC-2104"_clause,
     .edit = "an archive with another type of a metric is put in front",
     .files = Second<OtherType>},
    {.rule = "ARC-2104"_clause,
     .edit = "an archive with another number for an instance domain is put in front",
     .files = Second<OtherDomain>},
    {.rule = "ARC-2105"_clause,
     .edit = "an archive with another name of a metric is put in front",
     .files = Second<Renamed>},
    {.rule = "ARC-2105"_clause,
     .edit = "an archive with one name more for a metric is put in front",
     .files = Second<MoreNames>},
    {.rule = "ARC-2106"_clause,
     .edit = "an archive with another PMID for a name is put in front",
     .files = Second<OtherMetric>},
    {.rule = "ARC-2107"_clause, .edit = "an archive with an empty .meta is added", .files = Junk},
    {.rule = "ARC-2108"_clause,
     .edit = "an archive with another timezone is put in front",
     .files = Second<OtherTimezone>},
    {.rule = "ARC-2108"_clause,
     .edit = "an archive of the other version is put in front",
     .files = Second<OtherVersion>},
    {.rule = "ARC-2109"_clause,
     .edit = "an archive that ends earlier is put in front",
     .files = Second<EndsEarlier>},
};

}  // namespace

std::span<const Mutation> SetMutations() { return kMutations; }

}  // namespace pmproof::generators
