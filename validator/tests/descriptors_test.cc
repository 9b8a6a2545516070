// SPDX-License-Identifier: Apache-2.0
// Rules on descriptors and names (section 14.4).

#include <string>

#include "reference/archive/encode.h"
#include "reference/core/bytes.h"
#include "validator/tests/checked_archive.h"

namespace pmproof::validator::testing {
namespace {

using archive::DescModel;
using archive::RawRecordModel;
using archive::ValueSetModel;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// m.evp (29.0.9) is what most tests change: it has no value sets, and only parameters of events use
// it.
class DescriptorsTest : public CheckedArchive {
 protected:
  // A metric that nothing uses.
  DescModel NewDesc(const std::string& name) {
    return {{Pmid::Of(29, 0, 20), MetricType::kU32, Indom::Null(), Semantics::kInstant, {}},
            {name}};
  }
  void AddValue(Pmid pmid) { Result(2).sets.push_back({pmid, 0, {{-1, 1U}}, 0}); }
  void AddUsed(const DescModel& desc) {
    AddMeta(desc);
    AddValue(desc.descriptor.pmid);
  }
  void SetUnits(std::uint32_t units) { Desc("m.evp").descriptor.units = Units{units}; }
  // Gives m.evp another PMID, in all event parameters too.
  void SetPmidOfParameter(std::uint32_t pmid) {
    Desc("m.evp").descriptor.pmid = Pmid{pmid};
    for (std::size_t record = 0; record < 6; ++record) {
      for (const std::uint32_t item : {8U, 10U}) {
        std::string& payload =
            std::get<archive::BlockModel>(Set(record, item).values.at(0).value).payload;
        auto* bytes = reinterpret_cast<std::uint8_t*>(payload.data());
        for (std::size_t at = 0; at + 4 <= payload.size(); at += 4) {
          if (LoadU32(bytes + at) == 0x07400009) StoreU32(bytes + at, pmid);
        }
      }
    }
  }
  // m.evp is record 10 of .meta. Offsets count from its leading length word.
  void SetWordOfParameter(std::size_t offset, std::uint32_t word) {
    image().SetWord("meta", RecordAt("meta", 10) + offset, word);
  }
  RawRecordModel RawPayload(std::initializer_list<std::uint32_t> words) {
    RawRecordModel raw;
    raw.payload.resize(4 * words.size());
    auto* at = reinterpret_cast<std::uint8_t*>(raw.payload.data());
    for (const std::uint32_t word : words) {
      StoreU32(at, word);
      at += 4;
    }
    return raw;
  }
  // A record as an archive of the other version has it.
  RawRecordModel OfOtherVersion(const archive::MetaRecordModel& record) {
    archive::Buffer bytes;
    archive::AppendMetaRecord(record, version() == 3 ? 2 : 3, &bytes);
    return {std::string(bytes.begin() + 4, bytes.end() - 4)};
  }
};
INSTANTIATE_TEST_SUITE_P(Versions, DescriptorsTest, ::testing::Values(2, 3), VersionName);

TEST_P(DescriptorsTest, AMetadataRecordOfAnUnknownType) {
  const generators::ArchivePlan base = plan;
  for (const std::uint32_t type : {0U, 8U, 0xffffffffU}) {
    Reset();
    plan = base;
    AddMeta(RawPayload({type, 1, 2, 3}));
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1301 fatal")) << type;
  }
}

TEST_P(DescriptorsTest, RecordsOfTheOtherVersion) {
  const generators::ArchivePlan base = plan;
  for (const std::size_t record :
       {6U, 11U, 12U}) {  // the instance domain, and both kinds of labels
    Reset();
    plan = base;
    plan.meta.at(record) = OfOtherVersion(plan.meta.at(record));
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1302 warning")) << record;
  }
}

class DescriptorsV2Test : public DescriptorsTest {};
INSTANTIATE_TEST_SUITE_P(Versions, DescriptorsV2Test, ::testing::Values(2), VersionName);

TEST_P(DescriptorsV2Test, ADeltaInVersion2) {
  plan.meta.back() = OfOtherVersion(
      archive::IndomModel{At(3), Indom::Of(29, 1), {{1, std::nullopt}, {2, "c"}}, true});
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1302 error"));
}

TEST_P(DescriptorsTest, ADescriptorWithoutName) {
  Desc("m.evp").names.clear();
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1303 error"));
}

TEST_P(DescriptorsTest, ANegativeNumberOfNames) {
  Desc("m.evp").names.clear();
  SetWordOfParameter(28, 0xffffffff);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1303 error"));
}

TEST_P(DescriptorsTest, ADescriptorThatEndsBeforeTheNumberOfNames) {
  AddMeta(RawPayload({1, 0x07400014, 1, 0xffffffff, 3, 0}));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1303 fatal"));
}

TEST_P(DescriptorsTest, ANameThatRunsPastItsRecord) {
  SetWordOfParameter(32, 100);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1304 fatal"));
}

TEST_P(DescriptorsTest, ANegativeLengthOfAName) {
  SetWordOfParameter(32, 0xfffffffd);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1304 fatal"));
}

TEST_P(DescriptorsTest, BytesBehindTheLastName) {
  AddMeta(Raw(NewDesc("m.new"), "left"));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1304 fatal"));
}

TEST_P(DescriptorsTest, AnEmptyName) {
  Desc("m.evp").names = {""};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1304 error"));
}

TEST_P(DescriptorsTest, ANameOf4096Bytes) {
  Desc("m.evp").names = {std::string(4096, 'a')};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1305 error"));
}

TEST_P(DescriptorsTest, ANameOf4095BytesIsFine) {
  Desc("m.evp").names = {std::string(4095, 'a')};
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
}

TEST_P(DescriptorsTest, NamesOfAnotherForm) {
  Desc("m.evp").names = {"1bad name", "m..x", "q.", ".m", "m.1x", "m.x-y"};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1306 warning"));
  EXPECT_EQ(Check().counts.warning, 6U);
}

TEST_P(DescriptorsTest, ANameTwiceInOneDescriptor) {
  Desc("m.evp").names = {"m.dd", "m.dd"};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1307 info"));
}

TEST_P(DescriptorsTest, AliasesAreFine) {  // ARC-306
  Desc("m.evp").names = {"m.one", "n.two"};
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
}

TEST_P(DescriptorsTest, ANameForTwoMetrics) {
  Desc("m.evp").names = {"m.cnt"};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1308 error"));
}

TEST_P(DescriptorsTest, ANameBelowThatOfAnotherMetric) {
  Desc("m.evp").names = {"m.cnt.sub"};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1309 error"));
}

TEST_P(DescriptorsTest, ANameAboveThoseOfOtherMetrics) {
  Desc("m.evp").names = {"m"};
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1309 error"));
}

TEST_P(DescriptorsTest, ADescriptorIsRepeated) {
  AddMeta(Desc("m.cnt"));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1310 info"));
}

TEST_P(DescriptorsTest, ARepeatedDescriptorHasAnotherType) {
  DescModel again = Desc("m.cnt");
  again.descriptor.type = MetricType::kU64;
  AddMeta(again);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1311 fatal"));
}

TEST_P(DescriptorsTest, ARepeatedDescriptorHasOtherSemantics) {
  DescModel again = Desc("m.cnt");
  again.descriptor.semantics = Semantics::kInstant;
  AddMeta(again);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1312 fatal"));
}

TEST_P(DescriptorsTest, ARepeatedDescriptorHasAnotherDomain) {
  DescModel again = Desc("m.cnt");
  again.descriptor.indom = Indom::Of(29, 1);
  AddMeta(again);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1313 fatal"));
}

TEST_P(DescriptorsTest, ARepeatedDescriptorHasOtherUnits) {
  DescModel again = Desc("m.cnt");
  again.descriptor.units = Units{0x00100100};
  // A scale of Count is not a violation by itself where there is a dimension of Count.
  AddMeta(again);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1314 fatal"));
}

TEST_P(DescriptorsTest, ARepeatedDescriptorHasAnotherExtraUnit) {
  DescModel again = Desc("m.evp");
  again.descriptor.units = Units{0x00000009};
  AddMeta(again);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1314 fatal", "ARC-1328 info"));
}

TEST_P(DescriptorsTest, ARepeatedDescriptorHasOtherNames) {
  DescModel again = Desc("m.cnt");
  again.names = {"m.other"};
  AddMeta(again);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1315 error"));
}

TEST_P(DescriptorsTest, ARepeatedDescriptorHasItsNamesInAnotherOrder) {
  Desc("m.evp").names = {"m.evp", "n.evp"};
  DescModel again = Desc("m.evp");
  std::swap(again.names[0], again.names[1]);
  AddMeta(again);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1315 warning"));
}

TEST_P(DescriptorsTest, ATypeThatNoMetricHas) {
  const generators::ArchivePlan base = plan;
  for (const std::int32_t type : {77, -7, 8, 255}) {
    Reset();
    plan = base;
    DescModel desc = NewDesc("m.new");
    desc.descriptor.type = static_cast<MetricType>(type);
    AddUsed(desc);
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1316 error")) << type;
  }
}

TEST_P(DescriptorsTest, SemanticsThatNoMetricHas) {
  const generators::ArchivePlan base = plan;
  for (const std::int32_t semantics : {0, 2, 5}) {
    Reset();
    plan = base;
    Desc("m.evp").descriptor.semantics = static_cast<Semantics>(semantics);
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1317 error")) << semantics;
  }
}

// A metric without support has no value: nothing uses it.
TEST_P(DescriptorsTest, NoSemanticsOfAMetricThatIsNotSupported) {
  DescModel desc = NewDesc("m.none");
  desc.descriptor.type = MetricType::kNoSupport;
  desc.descriptor.semantics = Semantics{0};
  AddMeta(desc);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1318 info", "ARC-1333 info"));
}

TEST_P(DescriptorsTest, AMetricThatIsNotSupportedHasOtherSemanticsThanAny) {
  DescModel desc = NewDesc("m.none");
  desc.descriptor.type = MetricType::kNoSupport;
  desc.descriptor.semantics = Semantics{2};
  AddMeta(desc);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1318 info", "ARC-1333 info"));
}

TEST_P(DescriptorsTest, AnInstanceDomainOfAnotherAgent) {
  Desc("m.evp").descriptor.indom = Indom::Of(60, 1);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1319 warning"));
}

TEST_P(DescriptorsTest,
       ALoggedDerivedMetricHasTheDomainOfItsOperands) {  // ARC-310, ARC-311; DER-1301, 1303
  DescModel desc = NewDesc("d.sum");
  desc.descriptor.pmid = Pmid::Of(511, 2048, 1);
  desc.descriptor.indom = Indom::Of(29, 1);
  AddMeta(desc);
  Result(2).sets.push_back({desc.descriptor.pmid, 0, {{0, 1U}, {1, 1U}}, 0});
  EXPECT_THAT(RulesWithSeverity(), IsEmpty());
}

struct UnitsCase {
  std::uint32_t units;
  const char* finding;
};
class UnitsTest : public DescriptorsTest {};
INSTANTIATE_TEST_SUITE_P(Versions, UnitsTest, ::testing::Values(2, 3), VersionName);

TEST_P(UnitsTest, UnitsThatAreNone) {
  const generators::ArchivePlan base = plan;
  for (const UnitsCase& wrong : {
           UnitsCase{0x30000000, "ARC-1320 warning"},
           {0xd0000000, "ARC-1320 warning"},
           {0x03000000, "ARC-1321 warning"},
           {0x0d000000, "ARC-1321 warning"},
           {0x00300000, "ARC-1322 warning"},
           {0x00d00000, "ARC-1322 warning"},
           {0x00010000, "ARC-1323 warning"},
           {0x10090000, "ARC-1324 warning"},
           {0x00002000, "ARC-1325 warning"},
           {0x01006000, "ARC-1326 warning"},
           {0x00000300, "ARC-1326 warning"},
           {0x00000029, "ARC-1327 error"},
           {0x0000000d, "ARC-1327 error"},
           {0x00000002, "ARC-1327 error"},
           {0x00000008, "ARC-1327 error"},
           {0x00000009, "ARC-1328 info"},
       }) {
    Reset();
    plan = base;
    SetUnits(wrong.units);
    EXPECT_THAT(RulesWithSeverity(), ElementsAre(wrong.finding)) << std::hex << wrong.units;
  }
}

TEST_P(UnitsTest, UnitsAtTheirLimitsAreFine) {
  const generators::ArchivePlan base = plan;
  for (const std::uint32_t units : {0x20000000U, 0xe0000000U, 0x02000000U, 0x0e000000U, 0x00200000U,
                                    0x00e00000U, 0x10080000U, 0x01005000U, 0x00100f00U}) {
    Reset();
    plan = base;
    SetUnits(units);
    EXPECT_THAT(RulesWithSeverity(), IsEmpty()) << std::hex << units;
  }
}

TEST_P(DescriptorsTest, AnExtraUnitInTheDenominator) {  // MET-201
  SetUnits(0xf9);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1328 info"));
}

TEST_P(DescriptorsTest, TheFlagBitOfAPmid) {
  SetPmidOfParameter(0x87400009);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1329 error"));
}

TEST_P(DescriptorsTest, ADescriptorOfNoMetric) {
  SetPmidOfParameter(0xffffffff);
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1330 error"));
}

TEST_P(DescriptorsTest, PmidsThatOnlyReplayHas) {  // DER-209, 1302
  const generators::ArchivePlan base = plan;
  for (const Pmid pmid : {Pmid::Of(511, 0, 5), Pmid::Of(511, 30, 0), Pmid::Of(511, 2048, 0)}) {
    Reset();
    plan = base;
    SetPmidOfParameter(pmid.value);
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1331 error")) << pmid.value;
  }
}

// Help text and instance labels are for something, too.
TEST_P(DescriptorsTest, NoDescriptor) {
  std::erase_if(plan.meta, [](const auto& record) {
    return !std::holds_alternative<archive::LabelRecordModel>(record);
  });
  plan.meta.resize(1);  // the context labels
  plan.index[1].meta_record = plan.index[2].meta_record = 1;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1332 fatal"));
}

TEST_P(DescriptorsTest, AMetricThatNothingUses) {
  AddMeta(NewDesc("m.new"));
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1333 info"));
}

TEST_P(DescriptorsTest, ACounterWithoutNumericType) {
  Desc("m.str").descriptor.semantics = Semantics::kCounter;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1334 error"));
}

TEST_P(DescriptorsTest, MoreNamesThanTheRecordHasRoomFor) {
  for (const std::uint32_t count : {2U, 1000U}) {
    Reset();
    SetWordOfParameter(28, count);
    EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1335 fatal")) << count;
  }
}

TEST_P(DescriptorsTest, ADescriptorThatComesTooLate) {
  const archive::MetaRecordModel desc = plan.meta.front();
  plan.meta.erase(plan.meta.begin());
  plan.meta.push_back(desc);
  plan.index[1].meta_record -= 1;
  EXPECT_THAT(RulesWithSeverity(), ElementsAre("ARC-1336 info"));
}

}  // namespace
}  // namespace pmproof::validator::testing
