// SPDX-License-Identifier: Apache-2.0
// Answers of replay.interp, and what is none.

#include "validator/testee/client/interp_reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "validator/replay/value_text.h"

namespace pmproof::validator {
namespace {

using testing::HasSubstr;
using Kind = InterpReply::Kind;

InterpAsked Asked() {
  InterpAsked asked;
  asked.seq = "k1";
  asked.metrics = {{Pmid::Of(29, 0, 1), "m.a", MetricType::kU32},
                   {Pmid::Of(29, 0, 2), "m.b", MetricType::kString}};
  asked.times = {Timestamp{10, 0}, Timestamp{11, 500'000'000}};
  asked.most_values = 10;
  return asked;
}

std::string A(const std::string& values) {
  return R"({"metric":"m.a","status":0,"values":[)" + values + "]}";
}
const std::string kB = R"({"metric":"m.b","status":0,"values":[]})";

std::string Fetch(const std::string& time, const std::string& metrics) {
  return R"({"time":")" + time + R"(","status":0,"metrics":[)" + metrics + "]}";
}

std::string Result(const std::string& fetches) {
  return R"({"seq":"k1","result":{"fetches":[)" + fetches + "]}}";
}

// Two fetches, the first one of these metrics.
std::string Line(const std::string& metrics) {
  return Result(Fetch("10.000000000", metrics) + "," + Fetch("11.5", A("") + "," + kB));
}

std::string ProblemOf(const std::string& line) {
  const InterpReply reply = ReadInterpReply(line, Asked());
  return reply.kind == Kind::kProtocol || reply.kind == Kind::kOutOfStep ? reply.text : "none";
}

TEST(InterpReply, HasTheValuesByInstance) {
  const InterpReply reply =
      ReadInterpReply(Line(A(R"({"instance":7,"type":"u32","value":"4294967295"},
                {"instance":-2,"type":"u32","value":"3"})") +
                           R"(,{"metric":"m.b","status":0,"values":[)"
                           R"({"instance":null,"type":"string","value":"a\u00e9"},)"
                           R"({"instance":null,"type":"string","value":"base64:AP8="}]})"),
                      Asked());
  ASSERT_EQ(reply.kind, Kind::kResult) << reply.text;
  ASSERT_EQ(reply.fetches.size(), 2);
  const auto& metrics = reply.fetches[0].metrics;
  ASSERT_EQ(metrics[0].values.size(), 2);
  EXPECT_EQ(metrics[0].values[0].instance, -2);
  EXPECT_EQ(metrics[0].values[1].instance, 7);
  EXPECT_EQ(metrics[0].values[1].value.AsU32(), 4294967295U);
  EXPECT_EQ(metrics[1].values[0].instance, kInstanceNull);
  EXPECT_EQ(ValueText(metrics[1].values[0].value), "a\u00e9");
  EXPECT_EQ(ValueText(metrics[1].values[1].value), "base64:AP8=");
  EXPECT_EQ(reply.fetches[1].time, (Timestamp{11, 500'000'000}));
}

TEST(InterpReply, HasErrorsOfMetricsAndFetches) {
  const std::string end = R"({"time":"10","status":-12370,"error":"PM_ERR_EOL"})";
  const std::string failed = R"({"time":"11.5","status":-12373,"error":"PM_ERR_LOGREC"})";
  const InterpReply reply = ReadInterpReply(Result(end + "," + failed), Asked());
  ASSERT_EQ(reply.kind, Kind::kResult) << reply.text;
  EXPECT_EQ(reply.fetches[0].status, ErrorCode::kEndOfLog);
  EXPECT_EQ(reply.fetches[1].status, ErrorCode::kOk);
  EXPECT_EQ(reply.fetches[1].metrics[1].status, ErrorCode::kLogRecord);
  const InterpReply of_metric = ReadInterpReply(
      Line(R"({"metric":"m.a","status":-12397,"error":"PM_ERR_TYPE","values":[]},)" + kB), Asked());
  ASSERT_EQ(of_metric.kind, Kind::kResult) << of_metric.text;
  EXPECT_EQ(of_metric.fetches[0].metrics[0].status, ErrorCode::kType);
}

TEST(InterpReply, PassesOverWhatItDoesNotKnow) {
  const InterpReply reply = ReadInterpReply(
      R"({"more":[{"seq":"k2"}],"result":{"deviations":{"fetches":[1]},"fetches":[)" +
          Fetch("10", A("") + "," + kB) + "," + Fetch("11.5", A("") + "," + kB) +
          R"(],"x":1.5},"seq":"k1"})",
      Asked());
  EXPECT_EQ(reply.kind, Kind::kResult) << reply.text;
}

TEST(InterpReply, TellsWhyThereIsNone) {
  const auto read = [](const std::string& member) {
    return ReadInterpReply(R"({"seq":"k1",)" + member + "}", Asked());
  };
  EXPECT_EQ(read(R"("skip":{"reason":"no strings","issue":""})").kind, Kind::kSkip);
  EXPECT_EQ(read(R"("skip":{"reason":"no strings","issue":""})").text, "no strings");
  EXPECT_EQ(read(R"("reject":{"class":"label.magic"})").kind, Kind::kReject);
  EXPECT_EQ(read(R"("reject":{"class":"label.magic"})").text, "label.magic");
  EXPECT_EQ(read(R"("error":{"context":"x"})").kind, Kind::kError);
  EXPECT_EQ(read(R"("error":{"outcome":"crash","context":"x","fetches":[{}]})").kind, Kind::kCrash);
  EXPECT_EQ(read(R"("error":{"context":"x","outcome":"timeout"})").kind, Kind::kTimeout);
  EXPECT_LT(read(R"("skip":{"reason":")" + std::string(5000, 'x') + "\"}").text.size(), 300);
}

TEST(InterpReply, OfAnotherRequestOrNoJsonIsOutOfStep) {
  for (const char* line : {"", "x", "{", "[]", "1", "{}", R"({"seq":"k2","skip":{"reason":"x"}})",
                           R"({"seq":1,"skip":{"reason":"x"}})"}) {
    EXPECT_EQ(ReadInterpReply(line, Asked()).kind, Kind::kOutOfStep) << line;
  }
}

TEST(InterpReply, ThatIsNoAnswerSaysWhy) {
  const std::string good = A(R"({"instance":null,"type":"u32","value":"1"})") + "," + kB;
  ASSERT_EQ(ProblemOf(Line(good)), "none");
  EXPECT_EQ(ProblemOf(R"({"seq":"k1"})"), "neither result nor reject, skip or error");
  EXPECT_EQ(ProblemOf(Result(Fetch("10", good))), "1 of 2 fetches");
  EXPECT_EQ(
      ProblemOf(Result(Fetch("10", good) + "," + Fetch("11.5", good) + "," + Fetch("13", good))),
      "more fetches than asked for");
  EXPECT_EQ(ProblemOf(Result(Fetch("10.5", good))),
            "a fetch at 10.500000000 in place of 10.000000000");
  EXPECT_EQ(ProblemOf(Line(kB)), "not m.a in its place: m.b");
  EXPECT_EQ(ProblemOf(Line(A(""))), "a fetch with 1 of 2 metrics");
  EXPECT_EQ(ProblemOf(Line(good + "," + kB)), "more metrics than asked for");
  EXPECT_EQ(ProblemOf(Line(A(R"({"instance":null,"type":"64","value":"1"})"))),
            "m.a: a value of type 64, the archive has u32");
  for (const char* value : {"-1", "1.5", "", "4294967296", "0x1"}) {
    EXPECT_THAT(
        ProblemOf(Line(A(R"({"instance":1,"type":"u32","value":")" + std::string(value) + "\"}"))),
        HasSubstr("m.a: no value of type u32"));
  }
  EXPECT_EQ(ProblemOf(Line(A(R"({"type":"u32","value":"1"})"))),
            "m.a: a value without instance or value");
  EXPECT_EQ(ProblemOf(R"({"seq":"k1","result":{},"skip":{"reason":"x"}})"), "two answers in one");
  EXPECT_EQ(ProblemOf(Result(R"({"time":"10","status":7})")),
            "a status that is no error code of PCP");
  std::string many;
  for (int i = 0; i < 11; ++i) {
    many += (i > 0 ? "," : "") + (R"({"instance":)" + std::to_string(i)) +
            R"(,"type":"u32","value":"1"})";
  }
  EXPECT_EQ(ProblemOf(Line(A(many))), "more values than the archive has instances");
}

TEST(InterpReply, IsNotReadWithoutEnd) {
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(ProblemOf(R"({"seq":"k1","x":)" + deep), "objects within objects, too deep");
}

}  // namespace
}  // namespace pmproof::validator
