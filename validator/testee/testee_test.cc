// SPDX-License-Identifier: Apache-2.0
// The testee in memory: damaged requests, and the reader of lines.

#include "validator/testee/testee.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "reference/replay/testing/plan.h"
#include "validator/testee/line_reader.h"
#include "validator/testee/reject_class.h"

namespace pmproof::validator {
namespace {

using replay::testing::Plan;
using replay::testing::U32;

archive::MemoryStorage SmallArchive() {
  Plan plan;
  plan.Metric(1, MetricType::kU32, Semantics::kCounter);
  for (int i = 0; i < 5; ++i) plan.Record(i, {U32(1, 10 * static_cast<std::uint32_t>(i))});
  archive::MemoryStorage storage;
  plan.Store("a", &storage);
  return storage;
}

std::vector<std::string> Answers(const std::string& input) {
  static const archive::MemoryStorage kStorage = SmallArchive();
  static const Catalogue kCatalogue = Catalogue::Shipped();
  Testee testee(AllOperations(kStorage, kCatalogue, replay::NamedProfiles), {"r"});
  std::istringstream in(input);
  std::ostringstream out;
  EXPECT_TRUE(testee.Serve(in, out));
  std::istringstream lines(out.str());
  std::vector<std::string> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(line);
  return answers;
}

const std::vector<std::string> kRequests = {
    R"({"cmd":"hello","protocol":1})",
    // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): some requests take several lines
    R"({"cmd":"run","seq":"k","op":"replay.interp","input":{"path":"a"},"args":)"
    R"({"metrics":["m.1"],"start":"0.5","interval":"-1.5","count":3,"instances":[1,2]}})",
    R"({"cmd":"run","seq":"k","op":"replay.interp","input":{"paths":["a","a"]},"args":)"
    R"({"metrics":["m.1"],"emulate":"6.0.3","counter_wrap":true,"fetches":)"
    R"([{"time":"3","interval":"-0.25"},{"metrics":["m.1","x"]},{"time":"2","interval":"9"}]}})",
    R"({"cmd":"run","seq":"k","op":"derive.parse","input":{"path":"a"},"args":{"definitions":)"
    R"([{"name":"d.x","expression":"rate(m.1) + 2 * m.1","per_context":true}],"pmids":true,)"
    R"("config":"d.y = m.1\nd.y(oneline) = x\n","metrics":["d.x","d.y"],"dialect":"7.2.2"}})",
    R"({"cmd":"run","seq":"k","op":"derive.eval","input":{"path":"a"},"args":{"metrics":)"
    R"(["d.x","m.1"],"derived":[{"name":"d.x","expression":"delta(m.1) > 5 ? m.1 : m.1"}],)"
    R"("start":"1","interval":"0.5","count":4,"missing_is_novalue":true}})",
    R"({"cmd":"run","seq":"k","op":"derive.eval","input":{"path":"a"},"args":{"metrics":["d.x"],)"
    R"("derived":[{"name":"d.x","expression":"delta(m.1) * 1"}],"start":"1","count":4,"raw":true
}
})",
    R"({"cmd":"run","seq":"k","op":"units.parse","input":{},"args":{"text":"2 KB^2 / 4 s"}})",
    R"({"cmd":"run","seq":"k","op":"units.convert","input":{},"args":{"type":"double",)"
    R"("value":"-1.5","from":"Kbyte / sec","to":{"word":"1f025300"}}})",
    R"({"cmd":"run","seq":"k","op":"value.format","input":{},"args":{"style":"print","type":)"
    R"("event","value":"base64:AAAAAQAAAAAAAAAAAAAAAQAAAAA=","width":8,"format":"ptr"}})",
    R"({"cmd":"run","seq":"k","op":"value.extract","input":{},"args":{"from":"double","value":)"
    R"("base64:QAQAAAAAAAA=","to":"string","format":"ptr","block_type":5}})",
    R"({"cmd":"run","seq":"k","op":"archive.decode","input":{"path":"a"},"args":{}})",
    R"({"cmd":"run","seq":"k","op":"archive.validate","input":{"paths":["a","a"]},"args":)"
    R"({"least":"info","profile":"live"}})",
    R"({"cmd":"run","seq":"k","op":"archive.write","input":{"path":"a"},"args":{"version":2}})",
    R"({"cmd":"run","seq":"k","op":"archive.write","input":{},"args":{"description":{"schema":)"
    R"("pmproof-archive/1","version":3,"metrics":[{"name":"m.a","type":"u32"}],"records":)"
    R"([{"time":0,"values":{"m.a":1}}]}}})",
    R"({"cmd":"run","seq":"k","op":"archive.describe","input":{"path":"a"},"args":{"metrics":)"
    R"(["m.1","m"],"dialect":"6.3.8"}})",
    R"({"cmd":"run","seq":"k","op":"archive.indom","input":{"path":"a"},"args":{"indom":"29.1",)"
    R"("time":"1.5"}})",
    R"({"cmd":"run","seq":"k","op":"archive.labels","input":{"path":"a"},"args":{"metric":"m.1",)"
    R"("time":"0"}})",
    R"({"cmd":"run","seq":"k","op":"archive.text","input":{"path":"a"},"args":{"metric":"m.1",)"
    R"("kind":"help"}})",
    R"({"cmd":"run","seq":"k","op":"replay.raw","input":{"path":"a"},"args":{"metrics":["m.1"],)"
    R"("start":"0","count":7,"instances":[1]}})",
    R"({"cmd":"run","seq":"k","op":"pdu.decode","input":{},"args":{"bytes":)"
    R"("0000002c00007001000000000000000000000000000000013f40000000000001)"
    R"(00000000ffffffff00000001","dialect":"6.0.3"}})",
    R"({"cmd":"run","seq":"k","op":"pdu.encode","input":{},"args":{"pdus":[{"pdu":"RESULT",)"
    R"("from":0,"seconds":0,"microseconds":0,"sets":[{"pmid":"3f400000","format":"dynamic",)"
    R"("values":[{"instance":-1,"type":5,"body":"4024000000000000"}]}]},{"pdu":"LABEL","from":0,)"
    R"("identifier":"000000fd","type":2,"sets":[{"instance":-1,"status":0,"json":"{}","labels":)"
    R"([{"name_offset":0,"name_length":0,"flags":2,"value_offset":0,"value_length":0}]}]}]}})",
    R"({"cmd":"run","seq":"k","op":"pdu.encode","input":{},"args":{"typed_result":{"pdu":"RESULT",)"
    R"("from":0,"seconds":0,"fraction":0,"sets":[{"pmid":"3f400000","status":-1},{"pmid":"3f400001",)"
    R"("values":[{"instance":-1,"type":"event","records":[{"time":"1","flags":1,"parameters":[)"
    R"({"pmid":"3f400002","type":"u32","value":"7"}]},{"time":"2","missed":1}]}]}]}}})",
};

TEST(Testee, AnswersTheseRequests) {
  EXPECT_EQ(Answers(kRequests[1] + "\n"),
            std::vector<std::string>{
                R"({"seq":"k","result":{"fetches":[{"time":"0.500000000","status":0,"metrics":)"
                R"([{"metric":"m.1","status":0,"values":[{"instance":null,"type":"u32",)"
                R"("value":"5"}]}]},{"time":"-1.000000000","status":-12370,"error":"PM_ERR_EOL"},)"
                R"({"time":"-2.500000000","status":-12370,"error":"PM_ERR_EOL"}]}})"});
}

// Bytes of a request are replaced, removed and put in; the next request is answered as ever.
RC_GTEST_PROP(Testee, AnswersEachLineWithOne, ()) {
  std::string line = *rc::gen::elementOf(kRequests);
  for (int edits = *rc::gen::inRange(1, 6); edits > 0 && !line.empty(); --edits) {
    const auto place = *rc::gen::inRange<std::size_t>(0, line.size());
    const char byte = *rc::gen::oneOf(rc::gen::elementOf(std::string("[]{}\":,-.e09 \\")),
                                      rc::gen::nonZero<char>());
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        line[place] = byte;
        break;
      case 1:
        line.erase(place, *rc::gen::inRange<std::size_t>(1, 20));
        break;
      case 2:
        line.insert(place, *rc::gen::inRange<std::size_t>(1, 60), byte);
        break;
      default:
        line.insert(place, line.substr(*rc::gen::inRange<std::size_t>(0, line.size()), 30));
        break;
    }
  }
  std::erase(line, '\n');
  RC_PRE(line.find("bye") == std::string::npos);
  const std::vector<std::string> answers = Answers(line + "\n" + kRequests[1] + "\n");
  RC_ASSERT(answers.size() == 2U);
  RC_ASSERT(answers[0].starts_with("{") && answers[0].ends_with("}"));
  RC_ASSERT(Json::accept(answers[0]));
  RC_ASSERT(answers[1] == Answers(kRequests[1] + "\n").front());
}

TEST(LineReader, GivesLinesUpToALength) {
  std::istringstream in("1234\n12345\n\n123456");
  LineReader reader(in, 5);
  std::string line;
  EXPECT_EQ(reader.Next(&line), LineReader::Outcome::kLine);
  EXPECT_EQ(line, "1234");
  EXPECT_EQ(reader.Next(&line), LineReader::Outcome::kLine);
  EXPECT_EQ(line, "12345");
  EXPECT_EQ(reader.Next(&line), LineReader::Outcome::kLine);
  EXPECT_EQ(line, "");
  EXPECT_EQ(reader.Next(&line), LineReader::Outcome::kTooLong);
  EXPECT_EQ(reader.Next(&line), LineReader::Outcome::kEnd);
}

TEST(RejectClass, OfASetIsWhatKeepsItsMembersApart) {  // ARC-551, ARC-553
  const auto class_of = [](ErrorCode code) { return RejectOf({.code = code}).error_class; };
  EXPECT_EQ(class_of(ErrorCode::kLogHost), "set.host");
  EXPECT_EQ(class_of(ErrorCode::kLogOverlap), "set.overlap");
  EXPECT_EQ(class_of(ErrorCode::kLogChangeType), "set.type");
  EXPECT_EQ(class_of(ErrorCode::kLogRecord), "damaged");
}

}  // namespace
}  // namespace pmproof::validator
