// SPDX-License-Identifier: Apache-2.0
#include "generators/description/description.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "reference/archive/layout.h"

namespace pmproof::generators {
namespace {

using archive::BlockModel;
using archive::ResultModel;
using archive::ValueSetModel;

constexpr char kMetrics[] = R"("metrics": {
  "m.c": {"pmid": "60.0.1", "type": "u32", "semantics": "counter"},
  "m.f": {"pmid": "60.0.2", "type": "float", "semantics": "instant"},
  "m.q": {"pmid": "60.0.3", "type": "64", "semantics": "instant"},
  "m.s": {"pmid": "60.0.4", "type": "string", "semantics": "discrete"},
  "m.i": {"pmid": "60.0.5", "type": "u32", "semantics": "instant", "indom": "60.1"}})";

std::string Text(const std::string& members) {
  return std::string(R"({"schema": "pmproof-archive/1", )") + kMetrics + ", " + members + "}";
}

DescribedArchive Read(const std::string& members) {
  const auto archives = ReadDescription(Text(members));
  EXPECT_TRUE(archives) << archives.error().ToText();
  return archives ? archives->front() : DescribedArchive();
}

std::string Refusal(const std::string& members) {
  const auto archives = ReadDescription(Text(members));
  return archives ? "it is read" : archives.error().ToText();
}

ValueSetModel SetOf(const std::string& values) {
  const auto archive = Read(R"("records": [{"time": 1, "values": )" + values + "}]");
  const auto& records = archive.plan.volumes.at(0);
  return records.empty() ? ValueSetModel() : records.front().sets.back();
}

std::string PayloadOf(const std::string& values) {
  return std::get<BlockModel>(SetOf(values).values.at(0).value).payload;
}

TEST(DescriptionTest, TimesAreExactAndRelativeToTheEpoch) {
  const auto archive = Read(R"("epoch": "1700000000.5", "start": "-0.25",
      "records": [{"time": "10.000000001", "values": {"m.c": 1}}, {"mark": 11}])");
  EXPECT_EQ(archive.plan.label.start, (Timestamp{1700000000, 250'000'000}));
  const auto& records = archive.plan.volumes.at(0);
  EXPECT_EQ(records[0].time, (Timestamp{1700000010, 500'000'001}));
  EXPECT_EQ(records[1], (ResultModel{{1700000011, 500'000'000}, {}}));
}

TEST(DescriptionTest, ValuesInTheWidthOfTheirType) {  // ARC-231
  EXPECT_EQ(std::get<std::uint32_t>(SetOf(R"({"m.c": 4294967295})").values.at(0).value),
            4294967295U);
  EXPECT_EQ(PayloadOf(R"({"m.f": 0.1})"), "\x3d\xcc\xcc\xcd");
  EXPECT_EQ(PayloadOf(R"({"m.f": "-inf"})"), std::string("\xff\x80\0\0", 4));
  EXPECT_EQ(PayloadOf(R"({"m.q": "-9223372036854775808"})"), std::string("\x80\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(PayloadOf(R"({"m.q": 9223372036854775807})"), "\x7f\xff\xff\xff\xff\xff\xff\xff");
}

TEST(DescriptionTest, StringsEndWithANulUnlessToldInBase64) {  // ARC-235
  EXPECT_EQ(PayloadOf(R"({"m.s": "ab"})"), std::string("ab\0", 3));
  EXPECT_EQ(PayloadOf(R"({"m.s": "base64:YWI="})"), "ab");
}

TEST(DescriptionTest, NoValuesErrorsAndInstancesInAnyOrder) {  // ARC-202, ARC-203
  EXPECT_EQ(SetOf(R"({"m.i": null})").status, 0);
  EXPECT_TRUE(SetOf(R"({"m.i": null})").values.empty());
  EXPECT_EQ(SetOf(R"({"m.i": {"error": -12357}})").status, -12357);
  const ValueSetModel set = SetOf(R"({"m.i": [{"3": 1, "0": 2}, {"3": 4}]})");
  ASSERT_EQ(set.values.size(), 3U);
  EXPECT_EQ(set.values[0].instance, 3);
  EXPECT_EQ(set.values[1].instance, 0);
  EXPECT_EQ(set.values[2], (archive::ValueModel{3, 4U}));
}

TEST(DescriptionTest, AMetricTwiceInOneRecord) {
  const auto archive = Read(R"("records": [{"time": 1, "values": [{"m.c": 1}, {"m.c": 2}]}])");
  EXPECT_EQ(archive.plan.volumes.at(0).front().sets.size(), 2U);
}

TEST(DescriptionTest, ValuesStoredAsTheyUsuallyAreNot) {  // ARC-206, ARC-1814
  const ValueSetModel insitu = SetOf(R"({"m.q": {"stored": "insitu", "value": -1}})");
  EXPECT_EQ(insitu.format, archive::kInsitu);
  EXPECT_EQ(std::get<std::uint32_t>(insitu.values.at(0).value), 0xffffffffU);
  EXPECT_EQ(SetOf(R"({"m.f": {"stored": "insitu", "value": 1}})").values.at(0).value,
            (std::variant<std::uint32_t, BlockModel>(0x3f800000U)));
  EXPECT_EQ(PayloadOf(R"({"m.c": {"stored": "block", "value": 5}})"), std::string("\0\0\0\5", 4));
}

TEST(DescriptionTest, InstanceDomainsOverTime) {  // ARC-340, ARC-370
  const auto archive = Read(R"("indoms": [
      {"indom": "60.1", "time": 0, "instances": [0, 7]},
      {"indom": "60.1", "time": "5", "delta": {"0": null, "9": "nine"}}], "records": [])");
  ASSERT_EQ(archive.plan.meta.size(), 7U);
  const auto& first = std::get<archive::IndomModel>(archive.plan.meta[5]);
  EXPECT_EQ(first.instances[1], (archive::InstanceModel{7, "i7"}));
  const auto& second = std::get<archive::IndomModel>(archive.plan.meta[6]);
  EXPECT_TRUE(second.delta);
  EXPECT_EQ(second.instances[0], (archive::InstanceModel{0, std::nullopt}));
  EXPECT_EQ(second.instances[1], (archive::InstanceModel{9, "nine"}));
}

constexpr char kThree[] = R"("records": [{"time": 1, "values": {"m.c": 1}},
    {"time": 2, "values": {"m.c": 2}, "volume": 1}, {"time": 3, "values": {"m.c": 3}}])";

TEST(DescriptionTest, VolumesAndTheRecordsThatTheIndexNames) {
  const auto archive = Read(std::string(kThree) + R"(, "index": [0, 2])");
  EXPECT_EQ(archive.plan.volumes.at(0).size(), 1U);
  EXPECT_EQ(archive.plan.volumes.at(1).size(), 2U);
  ASSERT_EQ(archive.plan.index.size(), 2U);
  EXPECT_EQ(archive.plan.index[1].volume, 1);
  EXPECT_EQ(archive.plan.index[1].data_record, 1U);
  EXPECT_TRUE(Read(kThree).Image().files.count("index") == 0);
  EXPECT_EQ(Read(std::string(kThree) + R"(, "index": "all")").plan.index.size(), 3U);
}

TEST(DescriptionTest, AVolumeThatIsMissing) {  // ARC-613
  const auto archive = Read(std::string(kThree) + R"(, "missing_volumes": [1], "index": "all")");
  const auto image = archive.Image();
  EXPECT_EQ(image.files.size(), 3U);
  EXPECT_FALSE(image.files.contains("1"));
}

TEST(DescriptionTest, DamageOfOneWordAndAtTheEnd) {  // ARC-083, INT-903
  const std::string with = std::string(kThree) + R"(, "damage": )";
  const auto whole = Read(kThree).Image();
  const auto word =
      Read(with + R"([{"file": "1", "record": 1, "offset": 16, "word": 4294967295}])").Image();
  const std::size_t at = whole.Records("1")[2] + 16;
  EXPECT_EQ(whole.Word("1", at), 1U);  // one metric
  EXPECT_EQ(word.Word("1", at), 0xffffffffU);
  const auto cut = Read(with + R"([{"file": "1", "cut": 7}])").Image();
  EXPECT_EQ(cut.files.at("1").size(), whole.files.at("1").size() - 7);
  EXPECT_EQ(cut.files.at("0"), whole.files.at("0"));
  EXPECT_EQ(Refusal(with + R"([{"file": "2", "cut": 7}])"),
            "/damage/0/file: the archive has no such file");
  EXPECT_EQ(Refusal(with + R"([{"file": "0", "record": 1, "offset": 0, "word": 0}])"),
            "/damage/0/record: is not a number from 0 to 0");
  EXPECT_EQ(Refusal(with + R"([{"file": "0", "record": 0, "offset": 53, "word": 0}])"),
            "/damage/0/offset: is not a number from 0 to 40");
  EXPECT_EQ(Refusal(with + R"([{"file": "0", "cut": 0}])"),
            "/damage/0/cut: is not a number from 1 to 852");
}

TEST(DescriptionTest, ASetTakesOverWhatItsMembersDoNotSay) {
  const auto archives = ReadDescription(Text(R"("host": "a", "archives": [
      {"records": [{"time": 0, "values": {"m.c": 1}}]},
      {"start": 20, "host": "b", "records": [{"time": 20, "values": {"m.c": 2}}]}])"));
  ASSERT_TRUE(archives) << archives.error().ToText();
  ASSERT_EQ(archives->size(), 2U);
  EXPECT_EQ((*archives)[0].plan.label.host, "a");
  EXPECT_EQ((*archives)[1].plan.label.host, "b");
  EXPECT_EQ((*archives)[1].plan.label.start.seconds, 20);
  EXPECT_EQ((*archives)[1].plan.meta.size(), 5U);
}

TEST(DescriptionTest, WhatIsWrongIsSaidWithItsPlace) {
  const auto in_record = [](const std::string& record) {
    return Refusal(R"("records": [{"time": 0, "values": {"m.c": 1}}, )" + record + "]");
  };
  EXPECT_EQ(in_record(R"({"time": "1.0000000001", "values": {"m.c": 1}})"),
            "/records/1/time: is not a time in seconds, such as \"10.001\"");
  EXPECT_EQ(in_record(R"({"time": 1.5, "values": {"m.c": 1}})"),
            "/records/1/time: is not a time in seconds, such as \"10.001\"");
  EXPECT_EQ(in_record(R"({"time": 1, "values": {"m.c": -1}})"),
            "/records/1/values/m.c: is not a value of the type u32");
  EXPECT_EQ(in_record(R"({"time": 1, "values": {"m.c": "1 "}})"),
            "/records/1/values/m.c: is not a value of the type u32");
  EXPECT_EQ(in_record(R"({"time": 1, "values": {"m.q": 9223372036854775808}})"),
            "/records/1/values/m.q: is not a value of the type 64");
  EXPECT_EQ(in_record(R"({"time": 1, "values": {"m.i": 4}})"),
            "/records/1/values/m.i: the metric has instances: write {\"0\": ...}");
  EXPECT_EQ(in_record(R"({"time": 1, "values": {"m.i": {"a": 4}}})"),
            "/records/1/values/m.i: \"a\" is not an instance number");
  EXPECT_EQ(in_record(R"({"time": 1, "values": {"m.x": 4}})"),
            "/records/1/values/m.x: no metric of that name is described");
  EXPECT_EQ(in_record(R"({"time": 1, "value": {}})"), "/records/1: \"value\" is unknown here");
  EXPECT_EQ(in_record(R"({"time": 1})"), "/records/1: has no \"values\"");
  EXPECT_EQ(in_record(R"({"time": 1, "values": {}})"),
            "/records/1: a record without values is a \"mark\" (ARC-151)");
  EXPECT_EQ(in_record(R"({"mark": 1, "values": {}})"), "/records/1: \"values\" is unknown here");
  EXPECT_EQ(in_record(R"({"time": 1, "values": {"m.c": 1}, "volume": 100000})"),
            "/records/1/volume: is not a number from 0 to 99999");
  EXPECT_EQ(in_record(R"({"time": 1, "values": {"m.s": "base64:YWI"}})"),
            "/records/1/values/m.s: is not base64");
  EXPECT_EQ(in_record(R"({"time": 1, "values": {"m.c": {"error": 0}}})"),
            "/records/1/values/m.c/error: is not a number from -2147483648 to -1");
  EXPECT_EQ(in_record(R"({"time": 1, "values": {"m.q": {"stored": "here", "value": 1}}})"),
            "/records/1/values/m.q/stored: is neither \"insitu\" nor \"block\"");
}

TEST(DescriptionTest, WhatIsWrongElsewhere) {
  const std::string records = R"("records": [])";
  EXPECT_EQ(Refusal(records + R"(, "index": [0])"), "/index/0: there are no records");
  EXPECT_EQ(Refusal(records + R"(, "index": "some")"),
            "/index: is neither \"none\" nor \"all\" nor a list of records");
  EXPECT_EQ(Refusal(records + R"(, "version": 4)"), "/version: is not a number from 2 to 3");
  EXPECT_EQ(Refusal(records + R"(, "hosts": "a")"), "the whole: \"hosts\" is unknown here");
  EXPECT_EQ(Refusal(records + R"(, "version": 2, "start": "0.0000001")"),
            "/start: version 2 holds whole microseconds (ARC-003)");
  EXPECT_EQ(Refusal(records + R"(, "version": 2, "zoneinfo": ":UTC")"),
            "/zoneinfo: version 2 has no such field (ARC-100)");
  EXPECT_EQ(Refusal(records + R"(, "host": ")" + std::string(256, 'x') + "\""),
            "/host: is longer than 255 bytes (ARC-102)");
  EXPECT_EQ(Refusal(records + R"(, "indoms": [{"indom": "60", "time": 0, "instances": []}])"),
            "/indoms/0/indom: is not an instance domain identifier, such as \"60.1\"");
  EXPECT_EQ(Refusal(records + R"(, "archives": [])"), "the whole: \"records\" is unknown here");
  EXPECT_EQ(Refusal(R"("archives": [])"), "/archives: is not a list of 1 to 16 archives");
  EXPECT_EQ(Refusal("\"schema\": 1"), "\"schema\" stands there twice");
}

TEST(DescriptionTest, MetricsAreDescribedInFull) {
  const auto refusal = [](const std::string& metric) {
    const auto archives = ReadDescription(
        R"({"schema": "pmproof-archive/1", "records": [], "metrics": {"a/b": )" + metric + "}}");
    return archives ? "it is read" : archives.error().ToText();
  };
  EXPECT_EQ(refusal(R"({"pmid": "60.0.1", "type": "u32"})"), "/metrics/a~1b: has no \"semantics\"");
  EXPECT_EQ(refusal(R"({"pmid": "60.0.1024", "type": "u32", "semantics": "instant"})"),
            "/metrics/a~1b/pmid: is not a metric identifier, such as \"60.0.1\"");
  EXPECT_EQ(refusal(R"({"pmid": "60.0.1", "type": "U32", "semantics": "instant"})"),
            "/metrics/a~1b/type: is none of 32, u32, 64, u64, float, double, string, aggregate, "
            "event, highres_event, nosupport");
  EXPECT_EQ(refusal(R"({"pmid": "60.0.1", "type": 8, "semantics": 2})"), "it is read");
  EXPECT_EQ(refusal(R"({"pmid": "60.0.1", "type": 0, "semantics": 1, "units": {"count": [1]}})"),
            "/metrics/a~1b/units/count: is not a list of a dimension and a scale");
}

TEST(DescriptionTest, UnitsInWords) {  // ARC-009
  const auto archives = ReadDescription(R"({"schema": "pmproof-archive/1", "records": [],
      "metrics": {"a": {"pmid": "1.2.3", "type": "32", "semantics": "counter",
                        "units": {"space": [1, 1], "time": [-1, 3], "count": [0, -1]}}}})");
  ASSERT_TRUE(archives);
  const auto& metric = std::get<archive::DescModel>(archives->front().plan.meta[0]);
  EXPECT_EQ(metric.descriptor.units.word, 0x1f013f00U);
}

TEST(DescriptionTest, LargeDescriptionsTakeTimeInProportion) {
  const std::string name(1'000'000, 'x');
  std::string values;
  for (int i = 0; i < 100'000; ++i) values += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":1";
  const auto archives = ReadDescription(
      R"({"schema": "pmproof-archive/1", "metrics": {")" + name +
      R"(": {"pmid": "1.2.3", "type": "u32", "semantics": "counter", "indom": "1.1"}},
      "records": [{"time": 0, "values": {")" +
      name + "\": {" + values + "}}}]}");
  ASSERT_TRUE(archives) << archives.error().ToText();
  EXPECT_EQ(archives->front().plan.volumes.at(0).front().sets.front().values.size(), 100'000U);
}

TEST(DescriptionTest, WhatIsNoJsonOrTooMuchOfIt) {
  const auto refusal = [](const std::string& text) {
    const auto archives = ReadDescription(text);
    return archives ? "it is read" : archives.error().ToText();
  };
  EXPECT_EQ(refusal("{\"a\": }").substr(0, 18), "offset 6: not JSON");
  EXPECT_EQ(refusal("").substr(0, 18), "offset 0: not JSON");
  EXPECT_EQ(refusal("[]"), "the whole: is not an object");
  EXPECT_EQ(refusal("{} {}").substr(0, 9), "offset 3:");
  EXPECT_EQ(refusal(std::string(100'000, '[')), "more than 16 lists and objects in each other");
  EXPECT_EQ(refusal(std::string((4 << 20) + 1, ' ')), "more than 4194304 bytes");
  EXPECT_NE(refusal("\"\xff\"").find("not JSON"), std::string::npos);
}

}  // namespace
}  // namespace pmproof::generators
