// SPDX-License-Identifier: Apache-2.0
// What `check` finds in an archive of people and machines, and where: each place is held against
// the bytes of the file.

#include "validator/check/disclosure/find_disclosures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "validator/check/check.h"

namespace pmproof::validator {
namespace {

using archive::BlockModel;
using archive::DescModel;
using archive::IndomModel;
using archive::LabelRecordModel;
using archive::ResultModel;
using archive::TextModel;
using archive::ValueSetModel;
using generators::ArchivePlan;
using ::testing::Contains;

constexpr Indom kIndom = Indom::Of(60, 9);

DescModel Metric(Pmid pmid, MetricType type, const std::string& name) {
  DescModel desc;
  desc.descriptor.pmid = pmid;
  desc.descriptor.type = type;
  desc.descriptor.indom = kIndom;
  desc.names = {name};
  return desc;
}

BlockModel Block(MetricType type, std::string payload) {
  BlockModel block;
  block.type = static_cast<std::uint8_t>(type);
  block.payload = std::move(payload);
  return block;
}
BlockModel StringBlock(const std::string& text) { return Block(MetricType::kString, text + '\0'); }

class FindDisclosuresTest : public ::testing::Test {
 protected:
  FindDisclosuresTest() : catalogue_(Catalogue::Shipped()), plan_(generators::BaseArchive(3)) {
    plan_.label.host = "build7.acme.example";
    plan_.meta.clear();
    plan_.volumes.begin()->second.resize(1);
    result().sets.clear();
    plan_.index.clear();
    plan_.has_index = false;
  }

  ResultModel& result() { return plan_.volumes.begin()->second.front(); }

  // A metric with values that are blocks.
  void Add(const std::string& name, MetricType type, std::vector<BlockModel> blocks) {
    const Pmid pmid = Pmid::Of(60, 1, static_cast<std::uint32_t>(result().sets.size()));
    plan_.meta.emplace_back(Metric(pmid, type, name));
    ValueSetModel set{.pmid = pmid, .format = archive::kDynamic, .values = {}};
    for (BlockModel& block : blocks) {
      set.values.push_back(
          {.instance = static_cast<std::int32_t>(set.values.size()), .value = std::move(block)});
    }
    result().sets.push_back(std::move(set));
  }
  void AddString(const std::string& name, const std::string& text) {
    Add(name, MetricType::kString, {StringBlock(text)});
  }

  // Kind and field of all that is found, with its example. Each place has as many bytes of its file
  // as it says, the first place those of the example.
  std::map<std::pair<std::string, std::string>, std::string> Found() {
    const generators::ArchiveImage image = Encode(plan_);
    archive::MemoryStorage storage;
    image.Store("d/a", &storage);
    CheckOptions options;
    options.disclose = true;
    const ArchiveReport report = CheckArchive(storage, "d/a", catalogue_, options);
    EXPECT_TRUE(report.disclosures) << report.failure.value_or(Status{}).ToText();
    disclosures_ = report.disclosures.value_or(Disclosures{});
    std::map<std::pair<std::string, std::string>, std::string> found;
    for (const Disclosure& disclosure : disclosures_.fields) {
      found[{ToText(disclosure.kind), disclosure.field}] = disclosure.example;
      for (const Disclosure::Place& place : disclosure.places) {
        const auto& bytes = image.files.at(place.file.substr(2));
        EXPECT_LE(place.offset + place.length, bytes.size());
        if (&place != &disclosure.places.front()) continue;
        EXPECT_EQ(
            std::string(bytes.begin() + static_cast<std::ptrdiff_t>(place.offset),
                        bytes.begin() + static_cast<std::ptrdiff_t>(place.offset + place.length)),
            disclosure.example);
      }
    }
    return found;
  }

  Catalogue catalogue_;
  ArchivePlan plan_;
  Disclosures disclosures_;
};

TEST_F(FindDisclosuresTest, TheHostStandsInTheLabelOfEachFile) {
  AddString("x.y", "nothing");
  EXPECT_THAT(Found(),
              ::testing::ElementsAre(::testing::Pair(
                  std::pair("host", "hostname of the archive's labels"), "build7.acme.example")));
  ASSERT_EQ(disclosures_.fields.size(), 1U);
  EXPECT_EQ(disclosures_.fields[0].count, 2U);  // .meta and .0
}

TEST_F(FindDisclosuresTest, ValuesAreKnownByTheNameOfTheirMetricOrByTheirForm) {
  AddString("proc.psinfo.psargs", "make -j");
  AddString("x.y", "peer 10.1.2.3");
  Add("x.blob", MetricType::kAggregate,
      {Block(MetricType::kAggregate, std::string("\0\1ann@acme.example\0", 19))});
  const auto found = Found();
  EXPECT_THAT(found, Contains(::testing::Pair(std::pair("command", "values of proc.psinfo.psargs"),
                                              "make -j")));
  EXPECT_THAT(found, Contains(::testing::Pair(std::pair("address", "values of x.y"), "10.1.2.3")));
  EXPECT_THAT(found,
              Contains(::testing::Pair(std::pair("user", "values of x.blob"), "ann@acme.example")));
}

TEST_F(FindDisclosuresTest, NumbersOfUsersAreCounted) {
  const Pmid pmid = Pmid::Of(60, 2, 0);
  plan_.meta.emplace_back(Metric(pmid, MetricType::kU32, "proc.id.uid"));
  result().sets.push_back({.pmid = pmid, .format = 0, .values = {{0, 1000U}, {1, 1001U}}});
  archive::MemoryStorage storage;
  Encode(plan_).Store("d/a", &storage);
  CheckOptions options;
  options.disclose = true;
  const ArchiveReport report = CheckArchive(storage, "d/a", catalogue_, options);
  const Disclosure& users = report.disclosures.value().fields.back();
  EXPECT_EQ(users.field, "values of proc.id.uid");
  EXPECT_EQ(users.example, "1000");
  EXPECT_EQ(users.count, 2U);
}

TEST_F(FindDisclosuresTest, MetadataIsSearched) {
  AddString("x.y", "nothing");
  plan_.meta.emplace_back(IndomModel{.time = result().time,
                                     .indom = kIndom,
                                     .instances = {{0, "001234 vi notes"}, {1, "/home/ann"}}});
  plan_.meta.emplace_back(
      LabelRecordModel{.time = result().time,
                       .label_class = 1,
                       .identifier = 0xffffffff,
                       .sets = {{.json = R"({"machineid":"abc","note":"see build7"})",
                                 .entries = {{2, 9, 0, 13, 5}, {20, 4, 0, 26, 12}}}}});
  plan_.meta.emplace_back(
      TextModel{.type = 5, .identifier = Pmid::Of(60, 1, 0).value, .text = "ask ann@acme.example"});
  const auto found = Found();
  EXPECT_THAT(found,
              Contains(::testing::Pair(std::pair("command", "instance names of 60.9, processes"),
                                       "001234 vi notes")));
  EXPECT_THAT(found,
              Contains(::testing::Pair(std::pair("path", "instance names of 60.9"), "/home/ann")));
  EXPECT_THAT(found, Contains(::testing::Pair(
                         std::pair("identifier", "label machineid of the context"), "abc")));
  EXPECT_THAT(found,
              Contains(::testing::Pair(std::pair("host", "label note of the context"), "build7")));
  EXPECT_THAT(found,
              Contains(::testing::Pair(std::pair("user", "help texts"), "ann@acme.example")));
}

TEST_F(FindDisclosuresTest, FieldsHaveTwentyPlacesAndTheirNumber) {
  std::vector<BlockModel> blocks;
  blocks.reserve(100);
  for (int i = 0; i < 100; ++i) blocks.push_back(StringBlock("10.0.0." + std::to_string(i)));
  Add("x.y", MetricType::kString, std::move(blocks));
  Found();
  ASSERT_EQ(disclosures_.fields.size(), 2U);
  EXPECT_EQ(disclosures_.fields[1].count, 100U);
  EXPECT_EQ(disclosures_.fields[1].places.size(), Disclosure::kMostPlaces);
}

TEST_F(FindDisclosuresTest, WithoutTheOptionThereAreNone) {
  AddString("x.y", "10.1.2.3");
  archive::MemoryStorage storage;
  Encode(plan_).Store("d/a", &storage);
  EXPECT_FALSE(CheckArchive(storage, "d/a", catalogue_, {}).disclosures);
}

}  // namespace
}  // namespace pmproof::validator
