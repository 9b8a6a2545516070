// SPDX-License-Identifier: Apache-2.0
// What is said of archives, as a reader of the document sees it.

#include "generators/truth.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "generators/archive_image.h"
#include "generators/plan_truth.h"
#include "reference/archive/testing/arbitrary_model.h"

namespace pmproof::generators {
namespace {

using archive::BlockModel;
using archive::DescModel;
using archive::IndomModel;
using archive::LabelRecordModel;
using archive::MetaRecordModel;
using archive::RawRecordModel;
using archive::ResultModel;
using archive::TextModel;
using archive::ValueSetModel;
using nlohmann::json;

// A document in memory while it is being written.
class Truth {
 public:
  explicit Truth(const TruthHead& head)
      : file_(*output_.Create("a.truth.json")), writer(head, *file_) {}
  explicit Truth(int version) : Truth(HeadOf(version)) {}

  std::string Finish() {
    EXPECT_FALSE(writer.Finish());
    const auto& bytes = storage_.files["a.truth.json"];
    return {bytes.begin(), bytes.end()};
  }

 private:
  static TruthHead HeadOf(int version) {
    TruthHead head;
    head.label.version = version;
    return head;
  }

  archive::MemoryStorage storage_;
  archive::MemoryOutput output_{storage_};
  std::unique_ptr<archive::OutputFile> file_;

 public:
  TruthWriter writer;
};

std::string TextOf(const ArchivePlan& plan) {
  archive::MemoryStorage storage;
  archive::MemoryOutput output{storage};
  const auto file = output.Create("a");
  EXPECT_FALSE(WriteTruth(plan, {{"seed", "7"}}, **file));
  const auto& bytes = storage.files["a"];
  return {bytes.begin(), bytes.end()};
}

json EntryOf(const MetaRecordModel& record, int version = 3) {
  Truth truth(version);
  EXPECT_FALSE(truth.writer.Take(record));
  return json::parse(truth.Finish())["log"][0];
}

json EntryOf(const ResultModel& result, MetricType type = MetricType::kUnknown, int version = 3) {
  Truth truth(version);
  for (const ValueSetModel& set : result.sets) {
    EXPECT_FALSE(
        truth.writer.Take(MetaRecordModel{DescModel{{set.pmid, type, {}, {}, {}}, {"m"}}}));
  }
  EXPECT_FALSE(truth.writer.Take(result, 0));
  return json::parse(truth.Finish())["log"].back();
}

// The value as it is written, but for its instance.
json ValueOf(std::variant<std::uint32_t, BlockModel> value,
             MetricType type = MetricType::kUnknown) {
  const std::int32_t format = value.index() == 0 ? 0 : 1;
  const ResultModel result{{5, 0}, {{Pmid::Of(1, 2, 3), format, {{kInstanceNull, value}}, 0}}};
  json written = EntryOf(result, type)["metrics"][0]["values"][0];
  EXPECT_TRUE(written["instance"].is_null());
  written.erase("instance");
  return written;
}

json BlockOf(MetricType type, std::string payload) {
  return ValueOf(BlockModel{static_cast<std::uint8_t>(type), std::move(payload), std::nullopt});
}

std::string BigEndian64(std::uint64_t bits) {
  return BigEndian({static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)});
}

TEST(TruthTest, TheHeadOfTheBaseArchiveIsItsLabelAndRecipe) {
  const json truth = json::parse(TextOf(BaseArchive(3)));
  EXPECT_EQ(truth["schema"], "pmproof-truth/1");
  EXPECT_EQ(truth["archive_version"], 3);
  EXPECT_EQ(truth["compression"], "none");
  EXPECT_EQ(truth["recipe"], json::parse(R"({"seed": "7"})"));
  EXPECT_EQ(truth["violates"], json::array());
  EXPECT_EQ(truth["label"], json::parse(R"({"pid": 4242, "start": "1700000000.000000000",
      "host": "testhost", "timezone": "UTC", "zoneinfo": ":UTC", "features": 0, "reserved": 0})"));
}

TEST(TruthTest, TheLogOfTheBaseArchiveHasEveryRecordInItsOrder) {
  const json truth = json::parse(TextOf(BaseArchive(3)));
  const json& log = truth["log"];
  ASSERT_EQ(log.size(), 23U);
  EXPECT_EQ(log[5], json::parse(R"({"type": "desc", "pmid": "29.0.6", "pmid_word": 121634822,
      "names": ["m.inst"], "metric_type": "u32", "semantics": "instant", "indom": "29.1",
      "indom_word": 121634817, "units": "Kbyte", "units_word": 268500992})"));
  EXPECT_EQ(log[6], json::parse(R"({"type": "indom", "time": "1700000000.000000000",
      "indom": "29.1", "indom_word": 121634817, "stored": "full",
      "instances": [{"instance": 0, "name": "a"}, {"instance": 1, "name": "b"}]})"));
  EXPECT_EQ(log[12], json::parse(R"({"type": "labels", "time": "1700000000.000000000",
      "class": "instances", "indom": "29.1", "identifier": 121634817, "sets": [
        {"instance": 0, "json": "{\"k\":\"A\"}",
         "labels": [{"name": "k", "value": "\"A\"", "flags": 32}]},
        {"instance": 1, "json": "", "labels": []}]})"));
  EXPECT_EQ(log[14], json::parse(R"({"type": "text", "text_type": 6, "pmid": "29.0.1",
      "identifier": 121634817, "text": "long\nhelp"})"));
  EXPECT_EQ(log[16], json::parse(R"({"type": "indom", "time": "1700000003.000000000",
      "indom": "29.1", "indom_word": 121634817, "stored": "delta",
      "changes": [{"instance": 1, "name": null}, {"instance": 2, "name": "c"}],
      "instances": [{"instance": 0, "name": "a"}, {"instance": 2, "name": "c"}]})"));
  EXPECT_EQ(truth["footer"], json::parse(R"({"complete": true, "counts": {"desc": 10, "indom": 2,
      "labels": 2, "text": 3, "raw": 0, "result": 6, "mark": 0, "values": 60}})"));
}

TEST(TruthTest, AResultOfTheBaseArchiveHasEveryValue) {
  const json result = json::parse(TextOf(BaseArchive(3)))["log"][18];
  EXPECT_EQ(result["type"], "result");
  EXPECT_EQ(result["volume"], 0);
  EXPECT_EQ(result["time"], "1700000001.000000000");
  EXPECT_EQ(result["metrics"], json::parse(R"([
      {"pmid": "29.0.1", "status": 0, "format": 0,
       "values": [{"instance": null, "type": "u32", "value": "1010"}]},
      {"pmid": "29.0.2", "status": 0, "format": 1,
       "values": [{"instance": null, "type": "64", "value": "-4"}]},
      {"pmid": "29.0.3", "status": 0, "format": 1,
       "values": [{"instance": null, "type": "string", "value": "hello1"}]},
      {"pmid": "29.0.4", "status": 0, "format": 1,
       "values": [{"instance": null, "type": "float", "value": "2.5"}]},
      {"pmid": "29.0.5", "status": 0, "format": 1,
       "values": [{"instance": null, "type": "double", "value": "2.25"}]},
      {"pmid": "29.0.6", "status": 0, "format": 0,
       "values": [{"instance": 0, "type": "u32", "value": "1"},
                  {"instance": 1, "type": "u32", "value": "8"}]},
      {"pmid": "29.0.7", "status": 0, "format": 1,
       "values": [{"instance": null, "type": "aggregate", "value": "base64:AQIDBAU="}]},
      {"pmid": "29.0.8", "status": 0, "format": 1,
       "values": [{"instance": null, "type": "event", "records": [
         {"time": "1700000001.000005000", "flags": 1, "parameters": [
           {"pmid": "29.0.9", "type": "u32", "value": "77"}]},
         {"time": "1700000001.000006000", "flags": 2147483648, "missed": 3}]}]},
      {"pmid": "29.0.10", "status": 0, "format": 1,
       "values": [{"instance": null, "type": "highres_event", "records": [
         {"time": "1700000001.000000005", "flags": 1, "parameters": [
           {"pmid": "29.0.9", "type": "u32", "value": "78"}]}]}]}])"));
}

TEST(TruthTest, TheWorkedExampleHasItsErrorItsEmptySetAndItsMark) {  // ARC-202, ARC-203, ARC-151
  const json log = json::parse(TextOf(WorkedExample(3)))["log"];
  const json& metrics = log[log.size() - 2]["metrics"];
  EXPECT_EQ(metrics[3], json::parse(R"({"pmid": "29.0.10", "status": -12350,
      "error": "PM_ERR_APPVERSION", "values": []})"));
  EXPECT_EQ(metrics[4], json::parse(R"({"pmid": "29.0.11", "status": 0, "values": []})"));
  EXPECT_EQ(log.back(),
            json::parse(R"({"type": "mark", "volume": 0, "time": "1700000001.501000000"})"));
}

TEST(TruthTest, EachEntryOfTheLogIsOneLine) {
  const std::string text = TextOf(BaseArchive(2));
  const json log = json::parse(text)["log"];
  std::istringstream lines(text.substr(text.find("\"log\":[\n") + 8));
  std::string line;
  for (const json& entry : log) {
    ASSERT_TRUE(std::getline(lines, line));
    if (line.ends_with(',')) line.pop_back();
    EXPECT_EQ(json::parse(line), entry);
  }
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(line, "],");
}

TEST(TruthTest, AllOfItIsAscii) {
  TextModel text;
  text.text = "caf\xc3\xa9 \xf0\x9f\x98\x80 \x1b[0m\t\"\\";
  Truth truth(3);
  EXPECT_FALSE(truth.writer.Take(MetaRecordModel{text}));
  const std::string document = truth.Finish();
  for (const char c : document) EXPECT_TRUE((c >= ' ' && c <= '~') || c == '\n');
  EXPECT_EQ(json::parse(document)["log"][0]["text"], text.text);
}

TEST(TruthTest, BytesThatAreNoUtf8AreInBase64) {  // ARC-002
  EXPECT_EQ(EntryOf(TextModel{5, 0, "caf\xe9"})["text"], "base64:Y2Fm6Q==");
}

TEST(TruthTest, ATextThatLooksLikeBase64IsInBase64Itself) {
  EXPECT_EQ(EntryOf(TextModel{5, 0, "base64:"})["text"], "base64:YmFzZTY0Og==");
}

TEST(TruthTest, IntegersAreDecimalAtTheirLimits) {
  EXPECT_EQ(ValueOf(0x80000000U, MetricType::k32)["value"], "-2147483648");
  EXPECT_EQ(ValueOf(0xffffffffU, MetricType::kU32)["value"], "4294967295");
  EXPECT_EQ(BlockOf(MetricType::k64, BigEndian64(std::uint64_t{1} << 63))["value"],
            "-9223372036854775808");
  EXPECT_EQ(BlockOf(MetricType::kU64, BigEndian64(~std::uint64_t{0}))["value"],
            "18446744073709551615");
}

TEST(TruthTest, FloatsReadBackToTheSameBits) {
  const auto written = [](double number) {
    return BlockOf(MetricType::kDouble, BigEndian64(std::bit_cast<std::uint64_t>(number)))
        .at("value")
        .get<std::string>();
  };
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(-0.0), "-0");
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(written(-std::numeric_limits<double>::infinity()), "-inf");
  for (const double number : {1.7976931348623157e308, 1e22, 123456789.123456789, 2.0 / 3}) {
    EXPECT_EQ(std::stod(written(number)), number);
  }
  EXPECT_EQ(written(5e-324), "5e-324");
  EXPECT_EQ(ValueOf(std::bit_cast<std::uint32_t>(0.1F), MetricType::kFloat)["value"], "0.1");
}

TEST(TruthTest, NanIsToldWithItsBits) {
  const json written = BlockOf(MetricType::kDouble, BigEndian64(0xfff8000000000001));
  EXPECT_EQ(written,
            json::parse(R"({"type": "double", "value": "nan", "bits": "18444492273895866369"})"));
}

TEST(TruthTest, AStringEndsAtItsFirstNulAndNothingIsHidden) {  // ARC-235
  EXPECT_EQ(BlockOf(MetricType::kString, std::string("a\0", 2)),
            json::parse(R"({"type": "string", "value": "a"})"));
  EXPECT_EQ(BlockOf(MetricType::kString, std::string("a\0b\0", 4)),
            json::parse(R"({"type": "string", "value": "a", "payload": "base64:YQBiAA=="})"));
  EXPECT_EQ(BlockOf(MetricType::kString, "a"),
            json::parse(R"({"type": "string", "value": "a", "payload": "base64:YQ=="})"));
  EXPECT_EQ(BlockOf(MetricType::kString, ""),
            json::parse(R"({"type": "string", "value": "", "payload": "base64:"})"));
}

TEST(TruthTest, AnInsituValueOfAMetricWithoutDescriptorHasNoType) {
  const ResultModel result{{5, 0}, {{Pmid::Of(1, 2, 3), 0, {{kInstanceNull, 0xfffffffeU}}, 0}}};
  Truth truth(3);
  EXPECT_FALSE(truth.writer.Take(result, 4));
  const json entry = json::parse(truth.Finish())["log"][0];
  EXPECT_EQ(entry["volume"], 4);
  EXPECT_EQ(entry["metrics"][0]["values"][0]["type"], "unknown");
  EXPECT_EQ(entry["metrics"][0]["values"][0]["value"], "4294967294");
}

TEST(TruthTest, ABlockOfAWrongLengthIsBytes) {  // ARC-234
  EXPECT_EQ(BlockOf(MetricType::kU64, std::string(4, '\0')),
            json::parse(R"({"type": "u64", "value": "base64:AAAAAA=="})"));
}

TEST(TruthTest, AnEventArrayThatLeavesItsBlockIsBytes) {  // ARC-277
  const json written =
      BlockOf(MetricType::kEvent, BigEndian({1, 5, 0, 1, 1, 0x07400009, 0x010000ff}));
  EXPECT_EQ(written["value"].get<std::string>().substr(0, 7), "base64:");
  EXPECT_FALSE(written.contains("records"));
  EXPECT_TRUE(BlockOf(MetricType::kEvent, BigEndian({0, 0})).contains("value"));  // bytes after it
  EXPECT_EQ(BlockOf(MetricType::kEvent, BigEndian({0})),
            json::parse(R"({"type": "event", "records": []})"));  // ARC-276
}

TEST(TruthTest, TimesOfVersion2AreInMicroseconds) {  // ARC-003
  ResultModel mark{{5, 123'456'789}, {}};
  EXPECT_EQ(EntryOf(mark, MetricType::kUnknown, 2)["time"], "5.123456000");
  EXPECT_EQ(EntryOf(mark, MetricType::kUnknown, 3)["time"], "5.123456789");
  mark.fraction = 2'000'000;
  EXPECT_EQ(EntryOf(mark, MetricType::kUnknown, 2),
            json::parse(
                R"({"type": "mark", "volume": 0, "time": "5.+2000000000", "fraction": 2000000})"));
}

TEST(TruthTest, TimesReachBeyond2038) {  // ARC-004
  EXPECT_EQ(EntryOf(ResultModel{{5'000'000'000, 1}, {}})["time"], "5000000000.000000001");
}

TEST(TruthTest, WhatIsInForceFollowsFromAllRecordsOfTheDomain) {  // ARC-346, ARC-372, ARC-373
  const Indom indom = Indom::Of(1, 1);
  const Indom other = Indom::Of(1, 2);
  Truth truth(3);
  for (const IndomModel& record :
       std::initializer_list<IndomModel>{{{1, 0}, indom, {{7, "c"}, {3, "a"}}, false},
                                         {{2, 0}, other, {{1, "x"}}, false},
                                         {{3, 0}, indom, {{5, "b"}, {3, std::nullopt}}, true},
                                         {{4, 0}, indom, {{5, std::nullopt}, {5, "renamed"}}, true},
                                         {{5, 0}, indom, {{5, "ignored"}, {6, std::nullopt}}, true},
                                         {{6, 0}, indom, {}, false}}) {
    EXPECT_FALSE(truth.writer.Take(MetaRecordModel{record}));
  }
  const json log = json::parse(truth.Finish())["log"];
  EXPECT_EQ(log[0]["instances"],
            json::parse(R"([{"instance": 3, "name": "a"}, {"instance": 7, "name": "c"}])"));
  EXPECT_EQ(log[1]["instances"], json::parse(R"([{"instance": 1, "name": "x"}])"));
  EXPECT_EQ(log[2]["instances"],
            json::parse(R"([{"instance": 5, "name": "b"}, {"instance": 7, "name": "c"}])"));
  const json renamed =
      json::parse(R"([{"instance": 5, "name": "renamed"}, {"instance": 7, "name": "c"}])");
  EXPECT_EQ(log[3]["instances"], renamed);
  EXPECT_EQ(log[4]["instances"], renamed);
  EXPECT_EQ(log[5]["instances"], renamed);  // ARC-345
}

TEST(TruthTest, ARecordThatComesLateSaysSo) {  // ARC-347
  Truth truth(3);
  for (const std::int64_t second : {5, 4, 5}) {
    EXPECT_FALSE(truth.writer.Take(
        MetaRecordModel{IndomModel{{second, 0}, Indom::Of(1, 1), {{1, "x"}}, false}}));
  }
  const json log = json::parse(truth.Finish())["log"];
  EXPECT_FALSE(log[0].contains("out_of_order"));
  EXPECT_EQ(log[1]["out_of_order"], true);
  EXPECT_FALSE(log[2].contains("out_of_order"));
}

TEST(TruthTest, ALabelSetThatIsAnErrorSaysItsCode) {  // ARC-399
  LabelRecordModel record{{1, 0}, 2, 60, {{kInstanceNull, "", {}, -12351}}};
  EXPECT_EQ(EntryOf(record), json::parse(R"({"type": "labels", "time": "1.000000000",
      "class": "domain", "domain": 60, "identifier": 60,
      "sets": [{"instance": null, "json": "", "status": -12351, "labels": []}]})"));
}

TEST(TruthTest, ALabelEntryOutsideItsJsonIsNull) {  // ARC-398
  LabelRecordModel record{{1, 0}, 1, 0xffffffff, {{kInstanceNull, "{}", {{2, 1, 1, 1, 1}}, 0}}};
  EXPECT_EQ(EntryOf(record)["sets"][0]["labels"][0],
            json::parse(R"({"name": null, "value": "}", "flags": 1})"));
}

TEST(TruthTest, ARawRecordIsItsBytes) {
  EXPECT_EQ(EntryOf(RawRecordModel{std::string("\0\xff", 2)}),
            json::parse(R"({"type": "raw", "payload": "base64:AP8="})"));
}

TEST(TruthTest, ADocumentThatIsNotFinishedIsNoJson) {
  archive::MemoryStorage storage;
  archive::MemoryOutput output{storage};
  const auto file = output.Create("a");
  {
    TruthWriter writer(TruthHead{}, **file);
    for (int i = 0; i < 10'000; ++i) EXPECT_FALSE(writer.Take(ResultModel{{i, 0}, {}}, 0));
  }
  const auto& bytes = storage.files["a"];
  EXPECT_FALSE(bytes.empty());
  EXPECT_FALSE(json::accept(bytes.begin(), bytes.end()));
}

TEST(TruthTest, AFullDiskIsAnErrorOnceAndForAll) {
  archive::MemoryStorage storage;
  archive::MemoryOutput output{storage};
  output.space = 1000;
  const auto file = output.Create("a");
  TruthWriter writer(TruthHead{}, **file);
  std::optional<Status> status;
  for (int i = 0; i < 100'000 && !status; ++i) status = writer.Take(ResultModel{{i, 0}, {}}, 0);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->message, "No space left on device");
  EXPECT_TRUE(writer.Finish());
  EXPECT_EQ(storage.files["a"].size(), 1000U);
}

RC_GTEST_PROP(TruthProperty, WhateverRecordsThereAreTheDocumentIsJsonAndCountsThem, ()) {
  const int version = archive::testing::AnyVersion();
  TruthHead head;
  head.label = archive::testing::AnyLabel(version);
  Truth truth(head);
  const int records = *rc::gen::inRange(0, 20);
  std::size_t values = 0;
  for (int i = 0; i < records; ++i) {
    if (*rc::gen::arbitrary<bool>()) {
      RC_ASSERT(!truth.writer.Take(archive::testing::AnyMetaRecord(version)));
    } else {
      const ResultModel result = archive::testing::AnyResult(version);
      for (const ValueSetModel& set : result.sets) values += set.values.size();
      RC_ASSERT(!truth.writer.Take(result, *rc::gen::inRange(0, 9)));
    }
  }
  const json document = json::parse(truth.Finish());
  RC_ASSERT(document["log"].size() == static_cast<std::size_t>(records));
  RC_ASSERT(document["footer"]["counts"]["values"] == values);
}

}  // namespace
}  // namespace pmproof::generators
