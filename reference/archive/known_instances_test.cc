// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/known_instances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/model.h"
#include "reference/archive/testing/meta_record_bytes.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MetaRecordBytes;
using testing::RecordingReporter;

std::vector<InstanceModel> Processes(int count) {
  std::vector<InstanceModel> instances;
  for (int i = 0; i < count; ++i) {
    const int id = 1000 + i * 37 % 101;
    instances.push_back({id, std::to_string(id) + " sleep 60"});
  }
  return instances;
}

// The records of one domain in the order of an archive.
class Domain {
 public:
  explicit Domain(int version) : version_(version) {}

  MetaRecordBytes Record(const std::vector<InstanceModel>& instances) const {
    return MetaRecordBytes(IndomModel{{1700000000, 0}, Indom::Of(29, 1), instances, false},
                           version_);
  }

  // Decodes the next record beside the same without any before it: what is found must be the same.
  // The entries that are fresh, if it was held against the one before.
  std::shared_ptr<const IndomRecord::Fresh> Add(MetaRecordBytes bytes) {
    return Add(std::move(bytes), version_);
  }
  // The same of a record that is of another version than the archive.
  std::shared_ptr<const IndomRecord::Fresh> Add(MetaRecordBytes bytes, int version) {
    records_.push_back(std::make_unique<MetaRecordBytes>(std::move(bytes)));
    RecordView view = records_.back()->View();
    view.offset = 1000 * records_.size();
    RecordingReporter alone;
    RecordingReporter known;
    const std::optional<IndomRecord> expected = DecodeIndom(view, version, alone);
    const std::optional<IndomRecord> record = DecodeIndom(view, version, known, &instances_);
    EXPECT_EQ(Shown(known), Shown(alone));
    EXPECT_EQ(record.has_value(), expected.has_value());
    if (!record) return nullptr;
    EXPECT_EQ(record->distinct, expected->distinct);
    EXPECT_EQ(record->tangled(), expected->tangled());
    if (record->fresh() != nullptr) CheckFresh(*record);
    decoded_.push_back(*record);
    if (record->fresh() == nullptr) return nullptr;
    return std::make_shared<const IndomRecord::Fresh>(*record->fresh());
  }

 private:
  static std::vector<std::string> Shown(const RecordingReporter& reporter) {
    std::vector<std::string> shown;
    for (const testing::Recorded& one : reporter.violations) {
      shown.push_back(one.rule.ToString() + " " + std::to_string(one.where.offset) + " " +
                      std::to_string(one.where.length) + " " + one.details.message);
    }
    return shown;
  }

  void CheckFresh(const IndomRecord& record) const {
    const auto before = std::ranges::find(decoded_, record.fresh()->before,
                                          [](const IndomRecord& r) { return r.record.offset; });
    ASSERT_NE(before, decoded_.end());
    for (std::uint32_t i = 0; i < record.count; ++i) {
      if (std::ranges::count(record.fresh()->entries, i) > 0) continue;
      bool found = false;
      for (std::uint32_t k = 0; k < before->count; ++k)
        found |= before->Id(k) == record.Id(i) && before->Name(k) == record.Name(i);
      EXPECT_TRUE(found) << "entry " << i;
    }
  }

  int version_;
  std::vector<std::unique_ptr<MetaRecordBytes>> records_;
  std::vector<IndomRecord> decoded_;
  KnownInstances instances_;
};

class KnownInstancesTest : public ::testing::TestWithParam<int> {
 protected:
  // So many records alike that the next one is held against the last of them.
  Domain Known(const std::vector<InstanceModel>& instances) {
    Domain domain(GetParam());
    for (int i = 0; i < 3; ++i) fresh_ = domain.Add(domain.Record(instances));
    return domain;
  }

  // Of version 3 in ascending order (ARC-347).
  std::vector<InstanceModel> InOrder(std::vector<InstanceModel> instances) {
    if (GetParam() == 3) {
      std::ranges::stable_sort(instances, {}, [](const InstanceModel& one) { return one.id; });
    }
    return instances;
  }

  std::shared_ptr<const IndomRecord::Fresh> fresh_;
};
INSTANTIATE_TEST_SUITE_P(Versions, KnownInstancesTest, ::testing::Values(2, 3),
                         [](const auto& of) { return "Version" + std::to_string(of.param); });

TEST_P(KnownInstancesTest, NothingIsFreshInARecordThatRepeatsTheOneBefore) {  // ARC-341..343
  (void)Known(InOrder(Processes(40)));
  ASSERT_NE(fresh_, nullptr);
  EXPECT_THAT(fresh_->entries, IsEmpty());
}

TEST_P(KnownInstancesTest, InstancesThatComeAndGoAreFresh) {  // ARC-341..343
  std::vector<InstanceModel> instances = InOrder(Processes(40));
  Domain domain = Known(instances);
  instances.erase(instances.begin() + 7);
  instances.erase(instances.begin() + 20, instances.begin() + 22);
  instances.push_back({5000, "5000 make"});
  instances[3].name = "another name";
  const auto fresh = domain.Add(domain.Record(instances));
  ASSERT_NE(fresh, nullptr);
  EXPECT_THAT(fresh->entries, ElementsAre(3, 37));
}

TEST_P(KnownInstancesTest, AnInstanceThatReturnsWithAnotherNameIsFresh) {  // ARC-343
  std::vector<InstanceModel> instances = InOrder(Processes(40));
  Domain domain = Known(instances);
  const InstanceModel gone = instances[39];
  instances.pop_back();
  ASSERT_NE(domain.Add(domain.Record(instances)), nullptr);
  instances.push_back({gone.id, "2 of it"});
  const auto fresh = domain.Add(domain.Record(instances));
  ASSERT_NE(fresh, nullptr);
  EXPECT_THAT(fresh->entries, ElementsAre(39));
}

// More than are compared at once.
TEST_P(KnownInstancesTest, WhatChangesBetweenManyThatStayIsFresh) {  // ARC-341..343
  const std::vector<InstanceModel> before = InOrder(Processes(100));
  for (std::uint32_t at = 0; at < before.size(); ++at) {
    const std::string& name = *before[at].name;
    for (const std::string& other : {name + " 1", name.substr(0, name.size() - 1), "5" + name}) {
      Domain domain = Known(before);
      std::vector<InstanceModel> instances = before;
      instances[at].name = other;
      const auto fresh = domain.Add(domain.Record(instances));
      ASSERT_NE(fresh, nullptr);
      ASSERT_THAT(fresh->entries, ElementsAre(at));
    }
    Domain domain = Known(before);
    std::vector<InstanceModel> instances = before;
    instances.erase(instances.begin() + at);
    auto fresh = domain.Add(domain.Record(instances));
    ASSERT_NE(fresh, nullptr);
    ASSERT_THAT(fresh->entries, IsEmpty());
    fresh = domain.Add(domain.Record(before));
    ASSERT_NE(fresh, nullptr);
    ASSERT_THAT(fresh->entries, ElementsAre(at));
  }
}

// In an archive that has records of both versions.
TEST(KnownInstances, TheOrderIsThatOfTheVersionOfTheRecord) {  // ARC-1419
  Domain domain(2);
  for (int i = 0; i < 3; ++i) (void)domain.Add(domain.Record(Processes(40)));
  const MetaRecordBytes newer(IndomModel{{1700000000, 0}, Indom::Of(29, 1), Processes(40), false},
                              3);
  EXPECT_EQ(domain.Add(MetaRecordBytes(newer), 3), nullptr);
}

TEST_P(KnownInstancesTest, FewInstancesAreLookedAtEachTime) {
  (void)Known(InOrder(Processes(5)));
  EXPECT_EQ(fresh_, nullptr);
}

TEST_P(KnownInstancesTest, ManyThatChangeAreLookedAtEachTime) {
  Domain domain = Known(InOrder(Processes(60)));
  std::vector<InstanceModel> instances = InOrder(Processes(60));
  for (std::size_t i = 0; i < instances.size(); i += 2) instances[i].name = std::to_string(i);
  EXPECT_EQ(domain.Add(domain.Record(instances)), nullptr);
}

TEST_P(KnownInstancesTest, WhatAFreshInstanceBreaksIsFound) {  // ARC-1408..1411, ARC-1429, ARC-1431
  const std::vector<InstanceModel> sound = InOrder(Processes(40));
  for (const char* name : {"", "tab\there", "right\xe2\x80\xaeleft", "\x80", "1005 sleep 60"}) {
    for (const std::size_t at : {0U, 20U, 39U}) {
      Domain domain = Known(sound);
      std::vector<InstanceModel> instances = sound;
      instances[at].name = name;
      (void)domain.Add(domain.Record(instances));
      (void)domain.Add(domain.Record(sound));
    }
  }
  for (const std::int32_t id : {sound[0].id, sound[38].id}) {
    Domain domain = Known(sound);
    std::vector<InstanceModel> instances = sound;
    instances[39] = {id, "the same again"};
    (void)domain.Add(domain.Record(instances));
  }
}

TEST_P(KnownInstancesTest, AnyByteThatChangesIsSeen) {  // ARC-1404..1411, ARC-1419..1431
  const std::vector<InstanceModel> sound = InOrder(Processes(18));
  const std::size_t size = Domain(GetParam()).Record(sound).View().bytes.size();
  for (std::size_t at = 8; at < size - 4; ++at) {
    for (const int bits : {0x01, 0x20, 0x80, 0xff}) {
      Domain domain = Known(sound);
      MetaRecordBytes damaged = domain.Record(sound);
      damaged.SetByte(at, static_cast<std::uint8_t>(damaged.View().bytes[at] ^ bits));
      (void)domain.Add(std::move(damaged));
      ASSERT_FALSE(HasFailure()) << "byte " << at << " ^ " << bits;
    }
  }
}

RC_GTEST_PROP(KnownInstances, FindWhatIsFoundInEachRecordAlone, ()) {  // ARC-1408..1411, ARC-1419
  const int version = *rc::gen::element(2, 3);
  Domain domain(version);
  std::vector<InstanceModel> instances = Processes(*rc::gen::inRange(16, 101));
  if (version == 3)
    std::ranges::stable_sort(instances, {}, [](const InstanceModel& one) { return one.id; });
  const int records = *rc::gen::inRange(4, 14);
  for (int n = 0; n < records; ++n) {
    (void)domain.Add(domain.Record(instances));
    const int changes = *rc::gen::weightedElement<int>({{3, 0}, {4, 1}, {2, 3}, {1, 20}});
    for (int k = 0; k < changes && instances.size() > 2; ++k) {
      const auto at = *rc::gen::inRange<std::size_t>(0, instances.size());
      const auto other = *rc::gen::inRange<std::size_t>(0, instances.size());
      switch (*rc::gen::weightedElement<int>(
          {{6, 0}, {6, 1}, {2, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}})) {
        case 0:
          instances.erase(instances.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        case 1: {
          const int id = *rc::gen::inRange(2000, 9000);
          instances.insert(instances.begin() + static_cast<std::ptrdiff_t>(at),
                           {id, std::to_string(id)});
          break;
        }
        case 2:
          instances[at].name = "renamed " + std::to_string(n);
          break;
        case 3:
          instances[at].id = instances[other].id;
          break;
        case 4:
          instances[at].name = instances[other].name;
          break;
        case 5:
          std::swap(instances[at], instances[other]);
          break;
        default:
          instances[at].name = instances[at].name->substr(0, instances[at].name->find(' ')) + " x";
      }
    }
  }
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace pmproof::archive
