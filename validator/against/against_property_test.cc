// SPDX-License-Identifier: Apache-2.0
// Archives by chance: in each other form nothing is lost, and each single edit is found and named.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generators/arbitrary/random_story.h"
#include "generators/archive_image.h"
#include "generators/random.h"
#include "generators/story/composer.h"
#include "generators/transform.h"
#include "validator/against/against.h"
#include "validator/against/testing/held_against.h"

namespace pmproof::validator::against {
namespace {

using archive::BlockModel;
using archive::IndomModel;
using archive::LabelRecordModel;
using archive::ResultModel;
using archive::TextModel;
using archive::ValueModel;
using archive::ValueSetModel;
using generators::ArchivePlan;
using generators::Random;
using ::testing::ElementsAre;

constexpr std::uint64_t kStories = 60;

ArchivePlan PlanBy(Random& random) {
  return generators::Compose(generators::RandomStory(random, {random.Chance(1, 2), 16, 5}));
}

// What an edit did: all differences are of this kind and change, at this time, of these metrics.
struct Edit {
  Kind kind = Kind::kValues;
  std::optional<Change> change;
  std::optional<Timestamp> time;
  std::set<Pmid> metrics;  // empty: any, or none
  std::uint64_t count = 1;
};

struct Place {
  archive::Part volume = 0;
  std::size_t record = 0;
};

template <typename Wanted>
std::optional<Place> AnyRecord(const ArchivePlan& plan, Random& random, Wanted&& wanted) {
  std::vector<Place> places;
  for (const auto& [volume, records] : plan.volumes) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (wanted(records[i])) places.push_back({volume, i});
    }
  }
  if (places.empty()) return std::nullopt;
  return random.Pick(places);
}

template <typename Model, typename Wanted>
Model* AnyMeta(ArchivePlan& plan, Random& random, Wanted&& wanted) {
  std::vector<Model*> found;
  for (archive::MetaRecordModel& record : plan.meta) {
    auto* model = std::get_if<Model>(&record);
    if (model != nullptr && wanted(*model)) found.push_back(model);
  }
  return found.empty() ? nullptr : random.Pick(found);
}

ResultModel& At(ArchivePlan& plan, const Place& place) {
  return plan.volumes.at(place.volume)[place.record];
}

bool IsMark(const ResultModel& result) { return result.sets.empty(); }

bool HasValues(const ResultModel& result) {
  return std::ranges::any_of(result.sets,
                             [](const ValueSetModel& set) { return !set.values.empty(); });
}

ValueSetModel& AnySet(ResultModel& result, Random& random) {
  std::vector<ValueSetModel*> sets;
  for (ValueSetModel& set : result.sets) {
    if (!set.values.empty()) sets.push_back(&set);
  }
  return *random.Pick(sets);
}

void Erase(ArchivePlan& plan, const Place& place) {
  auto& records = plan.volumes.at(place.volume);
  records.erase(records.begin() + static_cast<std::ptrdiff_t>(place.record));
}

std::uint64_t AnswersOf(const ValueSetModel& set) {
  return set.values.empty() ? 1 : set.values.size();
}

std::optional<Edit> ChangeValue(ArchivePlan& plan, Random& random) {
  const auto place = AnyRecord(plan, random, HasValues);
  if (!place) return std::nullopt;
  ValueSetModel& set = AnySet(At(plan, *place), random);
  ValueModel& value = random.Pick(set.values);
  if (auto* word = std::get_if<std::uint32_t>(&value.value)) {
    *word ^= 1U << random.Below(31);
  } else {
    auto& block = std::get<BlockModel>(value.value);
    const auto type = static_cast<MetricType>(block.type);
    if (block.payload.empty() || IsEvent(type)) return std::nullopt;
    if (type == MetricType::kString && block.payload.size() < 2) return std::nullopt;
    const std::size_t end = block.payload.size() - (type == MetricType::kString ? 1 : 0);
    char& byte = block.payload[IsNumeric(type) ? end - 1 : random.Below(end)];
    byte = static_cast<char>(byte ^ 1);
  }
  return Edit{Kind::kValues, Change::kChanged, At(plan, *place).time, {set.pmid}};
}

std::optional<Edit> DropValue(ArchivePlan& plan, Random& random) {
  const auto place = AnyRecord(plan, random, [](const ResultModel& result) {
    return std::ranges::any_of(result.sets,
                               [](const ValueSetModel& set) { return set.values.size() > 1; });
  });
  if (!place) return std::nullopt;
  for (ValueSetModel& set : At(plan, *place).sets) {
    if (set.values.size() < 2) continue;
    set.values.erase(set.values.begin() +
                     static_cast<std::ptrdiff_t>(random.Below(set.values.size())));
    return Edit{Kind::kValues, Change::kLost, At(plan, *place).time, {set.pmid}};
  }
  return std::nullopt;
}

std::optional<Edit> DropSet(ArchivePlan& plan, Random& random) {
  const auto place =
      AnyRecord(plan, random, [](const ResultModel& result) { return result.sets.size() > 1; });
  if (!place) return std::nullopt;
  auto& sets = At(plan, *place).sets;
  const auto set = sets.begin() + static_cast<std::ptrdiff_t>(random.Below(sets.size()));
  Edit edit{Kind::kValues, Change::kLost, At(plan, *place).time, {set->pmid}, AnswersOf(*set)};
  sets.erase(set);
  return edit;
}

std::optional<Edit> DropRecord(ArchivePlan& plan, Random& random) {
  const auto place =
      AnyRecord(plan, random, [](const ResultModel& result) { return !IsMark(result); });
  if (!place) return std::nullopt;
  Edit edit{Kind::kValues, Change::kLost, At(plan, *place).time, {}, 0};
  for (const ValueSetModel& set : At(plan, *place).sets) {
    edit.metrics.insert(set.pmid);
    edit.count += AnswersOf(set);
  }
  Erase(plan, *place);
  return edit;
}

std::optional<Edit> DropMark(ArchivePlan& plan, Random& random) {
  const auto place = AnyRecord(plan, random, IsMark);
  if (!place) return std::nullopt;
  const Edit edit{Kind::kMarks, Change::kLost, At(plan, *place).time, {}};
  Erase(plan, *place);
  return edit;
}

std::optional<Edit> ChangeHelp(ArchivePlan& plan, Random& random) {
  TextModel* text = AnyMeta<TextModel>(plan, random, [](const TextModel&) { return true; });
  if (text == nullptr) return std::nullopt;
  const auto [type, identifier] = std::pair(text->type, text->identifier);
  for (archive::MetaRecordModel& record : plan.meta) {
    auto* each = std::get_if<TextModel>(&record);
    if (each != nullptr && each->type == type && each->identifier == identifier) each->text += "x";
  }
  return Edit{Kind::kHelp, Change::kChanged, std::nullopt, {}};
}

std::optional<Edit> RenameInstance(ArchivePlan& plan, Random& random) {
  IndomModel* indom = AnyMeta<IndomModel>(plan, random, [](const IndomModel& model) {
    return std::ranges::any_of(model.instances,
                               [](const auto& instance) { return instance.name.has_value(); });
  });
  if (indom == nullptr) return std::nullopt;
  for (archive::InstanceModel& instance : indom->instances) {
    if (!instance.name) continue;
    *instance.name += "~new";
    break;
  }
  return Edit{Kind::kInstances, std::nullopt, std::nullopt, {}};
}

std::optional<Edit> ChangeLabel(ArchivePlan& plan, Random& random) {
  LabelRecordModel* labels = AnyMeta<LabelRecordModel>(plan, random, [&](const auto& model) {
    // The first of one time counts (ARC-400).
    for (const archive::MetaRecordModel& record : plan.meta) {
      const auto* each = std::get_if<LabelRecordModel>(&record);
      if (each == &model) break;
      if (each != nullptr && each->label_class == model.label_class &&
          each->identifier == model.identifier && each->time == model.time) {
        return false;
      }
    }
    return !model.sets.empty() && !model.sets[0].json.empty();
  });
  if (labels == nullptr) return std::nullopt;
  archive::LabelSetModel& set = labels->sets[0];
  for (char& character : set.json) {
    if (character < 'a' || character > 'y') continue;
    ++character;
    return Edit{Kind::kLabels, std::nullopt, std::nullopt, {}};
  }
  return std::nullopt;
}

std::optional<Edit> DropMetric(ArchivePlan& plan, Random& random) {
  std::set<Pmid> described;
  for (const archive::MetaRecordModel& record : plan.meta) {
    const auto* desc = std::get_if<archive::DescModel>(&record);
    if (desc != nullptr) described.insert(desc->descriptor.pmid);
  }
  std::vector<Pmid> all(described.begin(), described.end());
  if (all.empty()) return std::nullopt;
  const Pmid gone = random.Pick(all);
  std::erase_if(plan.meta, [&](const archive::MetaRecordModel& record) {
    const auto* desc = std::get_if<archive::DescModel>(&record);
    return desc != nullptr && desc->descriptor.pmid == gone;
  });
  for (auto& [volume, records] : plan.volumes) {
    for (ResultModel& result : records) {
      const bool mark = IsMark(result);
      std::erase_if(result.sets, [&](const ValueSetModel& set) { return set.pmid == gone; });
      if (!mark && IsMark(result)) return std::nullopt;  // a mark would come of it
    }
  }
  return Edit{Kind::kMetrics, Change::kLost, std::nullopt, {gone}, 0};
}

bool IsReadable(const AgainstReport& report) {
  return std::ranges::all_of(report.original.archives, &ArchiveReport::readable);
}

TEST(Property, InEachOtherFormNothingIsLost) {
  HeldAgainst held;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= kStories; ++seed) {
    Random random(seed);
    const ArchivePlan plan = PlanBy(random);
    std::vector<ArchivePlan> forms{plan, generators::MergeVolumes(plan),
                                   generators::SplitIntoVolumes(plan, {1, 3, 4, 9}),
                                   generators::DropIndex(plan), generators::IndexEvery(plan, 2)};
    if (plan.label.version == 2) {
      const auto converted = generators::ToVersion(plan, 3);
      if (converted) forms.push_back(*converted);
    }
    for (const ArchivePlan& form : forms) {
      const AgainstReport report = held.Run(plan, form);
      if (!IsReadable(report)) continue;
      ++compared;
      EXPECT_THAT(Lines(report), ElementsAre("nothing lost")) << "seed " << seed;
    }
    if (const AgainstReport report = held.Run(plan, plan); !IsReadable(report)) continue;
    ASSERT_FALSE(generators::StoreCompressed(generators::Encode(plan), "packed/a",
                                             archive::Compression::kZstd, &held.storage));
    EXPECT_THAT(Lines(held.Run(std::vector<std::string>{"original/a1"}, {"packed/a"})),
                ElementsAre("nothing lost"))
        << "seed " << seed;
  }
  EXPECT_GT(compared, 4 * kStories);
}

class EditTest : public ::testing::TestWithParam<
                     std::pair<const char*, std::optional<Edit> (*)(ArchivePlan&, Random&)>> {};

TEST_P(EditTest, IsALossThatNamesWhatAndWhen) {
  HeldAgainst held;
  std::uint64_t tried = 0;
  for (std::uint64_t seed = 1; seed <= kStories; ++seed) {
    Random random(seed);
    const ArchivePlan plan = PlanBy(random);
    ArchivePlan edited = plan;
    const std::optional<Edit> edit = GetParam().second(edited, random);
    if (!edit) continue;
    edited = generators::IndexEvery(std::move(edited), 0);
    if (edited.index.empty()) continue;
    const AgainstReport report = held.Run(plan, edited);
    // What is left may be something that readers do not read.
    if (report.outcome() == Outcome::kNoAnswer) continue;
    ++tried;
    ASSERT_EQ(report.outcome(), Outcome::kLoss) << "seed " << seed;
    std::uint64_t count = 0;
    std::set<Pmid> metrics;
    for (const Difference& difference : report.comparison->differences) {
      EXPECT_EQ(difference.kind, edit->kind) << "seed " << seed;
      EXPECT_EQ(difference.change, edit->change.value_or(difference.change)) << "seed " << seed;
      if (edit->time) {
        EXPECT_EQ(difference.first, edit->time->Normalised()) << "seed " << seed;
        EXPECT_EQ(difference.last, edit->time->Normalised()) << "seed " << seed;
      }
      if (difference.pmid && !edit->metrics.empty()) metrics.insert(*difference.pmid);
      count += difference.count;
    }
    EXPECT_EQ(metrics, edit->metrics) << "seed " << seed;
    if (edit->kind == Kind::kValues || edit->kind == Kind::kMarks) {
      EXPECT_EQ(count, edit->count) << "seed " << seed;
    }
  }
  EXPECT_GT(tried, kStories / 6);
}

INSTANTIATE_TEST_SUITE_P(
    All, EditTest,
    ::testing::Values(std::pair("ChangeValue", &ChangeValue), std::pair("DropValue", &DropValue),
                      std::pair("DropSet", &DropSet), std::pair("DropRecord", &DropRecord),
                      std::pair("DropMark", &DropMark), std::pair("ChangeHelp", &ChangeHelp),
                      std::pair("RenameInstance", &RenameInstance),
                      std::pair("ChangeLabel", &ChangeLabel), std::pair("DropMetric", &DropMetric)),
    [](const auto& param) { return std::string(param.param.first); });

}  // namespace
}  // namespace pmproof::validator::against
