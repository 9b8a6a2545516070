// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/reference_agents/simple.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/pdu/result_builder.h"
#include "reference/pmda/pdu/testing/vector_file.h"
#include "reference/pmda/pdu/vectors.h"
#include "reference/pmda/reference_agents/agent_files.h"
#include "reference/pmda/reference_agents/trivial.h"
#include "reference/pmda/runtime/testing/conversation.h"

// Chapter 13, and the captured sessions of section 18.

namespace pmproof::pmda {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Pmid kFetches = Pmid::Of(253, 0, 0);
constexpr Pmid kColor = Pmid::Of(253, 0, 1);
constexpr Pmid kUser = Pmid::Of(253, 1, 2);
constexpr Pmid kSystem = Pmid::Of(253, 1, 3);
constexpr Pmid kNow = Pmid::Of(253, 2, 4);
constexpr Pmid kUnknown = Pmid::Of(253, 0, 5);
constexpr Indom kColors = Indom::Of(253, 0);
constexpr Indom kParts = Indom::Of(253, 1);

std::string Error(int code) { return "ERROR from=0 code=" + std::to_string(code); }

class SimpleTest : public testing::Test {
 protected:
  // What one fetch gives: "253.0.0: 1; 253.0.1: 0=1 1=101".
  std::string Fetch(const std::vector<Pmid>& pmids) {
    pdu::Buffer request;
    EXPECT_TRUE(pdu::Encode({0, pdu::Fetch{0, pmids}}, &request));
    const pdu::Buffer answer = talk_.Answer(request);
    pdu::Decoder decoder;
    const auto decoded = decoder.Decode(answer);
    if (!decoded || !std::holds_alternative<pdu::Result>(decoded->body)) return AllToText(answer);
    std::string text;
    for (const pdu::ValueSet& set : std::get<pdu::Result>(decoded->body).sets) {
      text += (text.empty() ? "" : "; ") + ToText(set.pmid) + ":";
      if (set.values.empty()) text += " " + std::to_string(set.numval());
      for (const pdu::InstanceValue& value : set.values) {
        text += " ";
        if (value.instance != kInstanceNull) text += std::to_string(value.instance) + "=";
        if (const auto number = pdu::ValueOf(value, set.format, MetricType::kDouble)) {
          std::ostringstream stream;
          stream << number->AsDouble();
          text += stream.str();
        } else {
          text += std::to_string(value.word);
        }
      }
    }
    return text;
  }

  struct Set {
    Pmid pmid;
    std::vector<std::pair<std::int32_t, Value>> values;
  };
  static Set Singular(Pmid pmid, const Value& value) { return {pmid, {{kInstanceNull, value}}}; }
  std::string Store(const std::vector<Set>& sets) {
    pdu::ResultBuilder builder;
    builder.Begin();
    for (const Set& set : sets) {
      builder.AddSet(set.pmid);
      for (const auto& [instance, value] : set.values) builder.Add(instance, value);
    }
    pdu::Buffer bytes;
    EXPECT_TRUE(builder.Finish(pdu::ResultBuilder::Envelope{}, &bytes));
    return talk_.AskBytes(bytes);
  }

  void Profile(std::int32_t state, const std::vector<pdu::ProfileEntry>& entries) {
    EXPECT_EQ(talk_.Ask(pdu::Profile{0, state, entries}), "silent");
  }

  void Configure(const std::string& text) {
    text_ = text;
    changed_ = changed_.value_or(0) + 1;
  }

  SimpleWorld World() {
    return {.time_of_day = [this] { return time_; },
            .cpu_time = [this] { return cpu_; },
            .configuration_time = [this] { return changed_; },
            .configuration = [this] { return ++reads_, text_; },
            .log = [this](std::string_view line) { log_.emplace_back(line); }};
  }

  std::string text_ = "sec,min,hour\n";
  std::optional<std::int64_t> changed_ = 1;
  int reads_ = 0;
  SimpleWorld::TimeOfDay time_{10, 7, 7};
  SimpleWorld::CpuTime cpu_;
  std::vector<std::string> log_;
  Simple simple_{World()};
  Conversation talk_{simple_.agent()};
};

// --- The session of 18.2.

TEST_F(SimpleTest, AnswersAsTheCapturedAgentDoes) {  // 18.2, T20, T22
  // What is not imitated: PMD-112, and the byte order of PDU-066.
  const std::map<std::string, std::string> corrected = {
      {"18.2/12", Error(-12358)},
      {"18.2/39", "TEXT from=0 ident=3f400000 text='Number of pmFetch operations.'"},
      {"18.2/41", "TEXT from=0 ident=3f400000 text='Instance domain \"colour\" for simple PMDA'"}};
  std::string answer;
  int compared = 0;
  for (const pdu::TestVector& vector : pdu::LoadTestVectors()) {
    if (!vector.id.starts_with("18.2/")) continue;
    if (vector.title.starts_with(">")) {
      // The collector was back at all instances here (PMD-014).
      if (vector.id == "18.2/54") Profile(pdu::kInclude, {});
      answer = talk_.AskBytes(vector.bytes);
      if (vector.title.find("PROFILE") != std::string::npos || answer == "silent") continue;
      continue;
    }
    const auto other = corrected.find(vector.id);
    EXPECT_EQ(answer, other == corrected.end() ? AllToText(vector.bytes) : other->second)
        << vector.id << " " << vector.title;
    ++compared;
  }
  EXPECT_EQ(compared, 34);
}

// --- The table of 18.7, each PDU to a fresh agent that is asked again afterwards.

struct Malformed {
  std::string id;
  std::string old_agent;  // 6.0.3
  std::string new_agent;  // 7.2.2
};

std::vector<Malformed> MalformedPdus() {
  std::vector<Malformed> found;
  for (const EmbeddedFile& file : pdu::vectors()) {
    std::istringstream lines{std::string(file.content)};
    std::string id;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("18.")) id = line.substr(0, line.find(' '));
      if (!line.starts_with("# agent: ")) continue;
      std::string deed = line.substr(9, line.find(';') - 9);
      const std::size_t slash = deed.find(" / ");
      const auto without_death = [](const std::string& text) {
        return text.ends_with(" D") ? text.substr(0, text.size() - 2) : text;
      };
      found.push_back({id, without_death(deed.substr(0, slash)),
                       without_death(slash == std::string::npos ? deed : deed.substr(slash + 3))});
    }
  }
  return found;
}

// In the words of that table.
std::string Outcome(const pdu::TestVector& vector, const pdu::Strictness& strictness,
                    SimpleWorld world) {
  pdu::FrameReader frames;
  frames.Append(vector.bytes);
  const auto frame = frames.Next();
  if (!frame) return "X";
  Simple simple(std::move(world));
  Conversation talk(simple.agent(), strictness);
  const pdu::Buffer answer = talk.Answer(**frame);
  EXPECT_THAT(talk.Ask(pdu::DescReq{kFetches}), HasSubstr("DESC from=0 descriptor={253.0.0 "));
  if (answer.empty()) return "-";
  const pdu::Header header = pdu::LoadHeader(answer);
  EXPECT_EQ(static_cast<std::size_t>(header.length), answer.size()) << "more than one answer";
  if (header.type != pdu::PduType::kError) {
    return pdu::ToText(header.type) + " len=" + std::to_string(header.length);
  }
  const std::int32_t code = LoadI32(answer.data() + 12);
  return code == -12366 ? "IPC" : "ERR " + std::to_string(code);
}

TEST_F(SimpleTest, AnswersBrokenPdusAsTheTableSaysAndLives) {  // 18.7, CKA-130..150, PMD-110
  const std::vector<pdu::TestVector> vectors = pdu::LoadTestVectors();
  const std::vector<Malformed> table = MalformedPdus();
  EXPECT_EQ(table.size(), 84U);
  for (const Malformed& row : table) {
    const auto vector = std::find_if(vectors.begin(), vectors.end(),
                                     [&](const pdu::TestVector& v) { return v.id == row.id; });
    ASSERT_NE(vector, vectors.end()) << row.id;
    EXPECT_EQ(Outcome(*vector, pdu::kV60, World()), row.old_agent) << row.id << vector->title;
    EXPECT_EQ(Outcome(*vector, pdu::kV72, World()), row.new_agent) << row.id << vector->title;
  }
}

TEST_F(SimpleTest, SurvivesTheSequenceOfPmd115) {  // PMD-115, CKA-166, T54
  const std::vector<pdu::TestVector> vectors = pdu::LoadTestVectors();
  for (int round = 0; round < 5; ++round) {
    Fetch({kFetches, kColor});
    EXPECT_EQ(talk_.AskBytes(vectors.back().bytes), Error(-12366));
    Fetch({Pmid::Of(253, 9, 9), kColor});
    EXPECT_EQ(Store({Singular(kUser, Value::Of(1.0))}), Error(-12387));
  }
}

// --- Values.

TEST_F(SimpleTest, EveryFetchCounts) {  // PMD-222, T29
  EXPECT_EQ(Fetch({kFetches}), "253.0.0: 1");
  EXPECT_EQ(Fetch({kUnknown}), "253.0.5: -12358");
  EXPECT_EQ(Fetch({kFetches}), "253.0.0: 3");
  EXPECT_EQ(Store({Singular(kFetches, Value::Of(10))}), Error(0));
  EXPECT_EQ(Fetch({kFetches}), "253.0.0: 11");
}

TEST_F(SimpleTest, ColorsAdvanceWithEachEvaluation) {  // PMD-221, PMD-223, T30
  EXPECT_EQ(Fetch({kColor, kColor, kFetches}),
            "253.0.1: 0=1 1=101 2=201; 253.0.1: 0=2 1=102 2=202; 253.0.0: 1");
}

TEST_F(SimpleTest, AColorThatIsLeftOutStays) {  // PMD-223, T31
  const std::vector<std::int32_t> red = {0};
  Profile(pdu::kExclude, {{kColors, pdu::kExclude, red}});
  for (int i = 1; i <= 256; ++i) {
    EXPECT_EQ(Fetch({kColor}), "253.0.1: 0=" + std::to_string(i % 256));
  }
  Profile(pdu::kInclude, {});
  EXPECT_EQ(Fetch({kColor}), "253.0.1: 0=1 1=101 2=201");
}

TEST_F(SimpleTest, ColorsWrapAt256) {  // PMD-223: the C version
  const Value last = Value::Of(254);
  EXPECT_EQ(Store({{kColor, {{0, last}, {1, last}, {2, last}}}}), Error(0));
  EXPECT_EQ(Fetch({kColor}), "253.0.1: 0=255 1=255 2=255");
  EXPECT_EQ(Fetch({kColor}), "253.0.1: 0=0 1=0 2=0");
  EXPECT_EQ(Fetch({kColor}), "253.0.1: 0=1 1=1 2=1");
}

TEST_F(SimpleTest, CpuTimeIsTakenOncePerFetch) {  // PMD-227
  cpu_ = {1.5, 0.25};
  EXPECT_EQ(Fetch({kUser, kSystem}), "253.1.2: 1.5; 253.1.3: 0.25");
}

TEST_F(SimpleTest, CpuTimeFreezesUntilTheCountHasCaughtUp) {  // PMD-227, T36
  Fetch({kFetches});
  Fetch({kFetches});
  Fetch({kFetches});
  cpu_ = {1, 0};
  EXPECT_EQ(Fetch({kUser}), "253.1.2: 1");
  EXPECT_EQ(Store({Singular(kFetches, Value::Of(0))}), Error(0));
  cpu_ = {2, 0};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(Fetch({kUser}), "253.1.2: 1");
  EXPECT_EQ(Fetch({kUser}), "253.1.2: 2");
}

// --- simple.conf.

std::string Instances(Conversation& talk) {
  const std::string text = talk.Ask(pdu::InstanceReq{kParts});
  return text.substr(text.find('['));
}

TEST_F(SimpleTest, PartsOfTheTimeKeepTheirNumbers) {  // PMD-224, PMD-226, CKA-086, T35
  EXPECT_EQ(Instances(talk_), "[0:'sec' 1:'min' 2:'hour']");
  EXPECT_EQ(Fetch({kNow}), "253.2.4: 0=10 1=7 2=7");
  Configure("hour\n");
  EXPECT_EQ(Instances(talk_), "[2:'hour']");
  Configure("hour,sec\n");
  time_.second = 11;
  EXPECT_EQ(Fetch({kNow}), "253.2.4: 0=11 2=7");
  EXPECT_EQ(Instances(talk_), "[0:'sec' 2:'hour']");
  Configure("sec,min,hour");
  EXPECT_EQ(Instances(talk_), "[0:'sec' 1:'min' 2:'hour']");
}

TEST_F(SimpleTest, NumbersAreGivenByFirstAppearance) {  // PMD-224
  Configure("hour,min\n");
  EXPECT_EQ(Instances(talk_), "[0:'hour' 1:'min']");
  time_.minute = 8;
  EXPECT_EQ(Fetch({kNow}), "253.2.4: 0=7 1=8");
}

TEST_F(SimpleTest, TheFileIsReadOnlyWhenItHasChanged) {  // PMD-224
  Fetch({kNow});
  Instances(talk_);
  EXPECT_EQ(reads_, 1);
  text_ = "hour\n";
  EXPECT_EQ(Instances(talk_), "[0:'sec' 1:'min' 2:'hour']");
  changed_ = 2;
  EXPECT_EQ(Instances(talk_), "[2:'hour']");
}

TEST_F(SimpleTest, WithoutTheFileThereAreNoInstances) {  // PMD-224
  changed_.reset();
  EXPECT_EQ(Fetch({kNow}), "253.2.4: 0");
  EXPECT_EQ(Instances(talk_), "[]");
  changed_ = 5;
  EXPECT_EQ(Instances(talk_), "[0:'sec' 1:'min' 2:'hour']");
  changed_.reset();
  EXPECT_EQ(Instances(talk_), "[]");
}

TEST_F(SimpleTest, OnlyKnownWordsOfTheFirstLineCount) {  // PMD-224, PMD-225
  Configure("sec,day, min,,hour,sec\nmin\n");
  EXPECT_EQ(Instances(talk_), "[0:'sec' 1:'hour']");
  EXPECT_THAT(log_, ElementsAre(HasSubstr("day"), HasSubstr(" min")));
}

// --- Stores.

TEST_F(SimpleTest, ANegativeCountIsRefusedAndTakenForZero) {  // PMD-233
  EXPECT_EQ(Store({Singular(kFetches, Value::Of(-3))}), Error(-12400));
  EXPECT_EQ(Fetch({kFetches}), "253.0.0: 1");
}

TEST_F(SimpleTest, AColorBeyondTheLimitsIsRefusedAndSetToTheLimit) {  // PMD-235, T32
  const Value much = Value::Of(300);
  EXPECT_EQ(Store({{kColor, {{0, much}, {1, much}, {2, much}}}}), Error(-12400));
  EXPECT_EQ(Fetch({kColor}), "253.0.1: 0=0 1=101 2=201");
  EXPECT_EQ(Store({{kColor, {{1, Value::Of(-1)}, {0, Value::Of(9)}}}}), Error(-12400));
  EXPECT_EQ(Fetch({kColor}), "253.0.1: 0=1 1=1 2=202");
  EXPECT_EQ(Store({{kColor, {{0, much}}}, Singular(kFetches, Value::Of(50))}), Error(-12400));
  EXPECT_EQ(Fetch({kFetches}), "253.0.0: 3");
}

TEST_F(SimpleTest, AnUnknownColorIsRefused) {  // PMD-236, CKA-114
  EXPECT_EQ(Store({{kColor, {{9, Value::Of(1)}, {0, Value::Of(7)}}}}), Error(-12360));
  EXPECT_EQ(Fetch({kColor}), "253.0.1: 0=1 1=101 2=201");
}

TEST_F(SimpleTest, WhatIsReadOnlyEndsTheStore) {  // PMD-237, PMD-238, T34, CKA-110
  const Set count = Singular(kFetches, Value::Of(77));
  EXPECT_EQ(Store({Singular(kUser, Value::Of(1.0)), count}), Error(-12387));
  EXPECT_EQ(Store({Singular(kSystem, Value::Of(1)), count}), Error(-12387));
  EXPECT_EQ(Store({{kNow, {{0, Value::Of(1)}}}, count}), Error(-12387));
  EXPECT_EQ(Fetch({kFetches}), "253.0.0: 1");
}

TEST_F(SimpleTest, AnUnknownItemOfClusterZeroDoesNotEndTheStore) {  // PMD-239, T33
  EXPECT_EQ(Store({Singular(kUnknown, Value::Of(1)), Singular(kFetches, Value::Of(77))}),
            Error(-12358));
  EXPECT_EQ(Fetch({kFetches}), "253.0.0: 78");
}

TEST_F(SimpleTest, AnotherUnknownMetricEndsTheStore) {  // PMD-240, CKA-112
  for (const Pmid pmid : {Pmid::Of(253, 1, 9), Pmid::Of(253, 3, 0), Pmid::Of(7, 0, 0)}) {
    EXPECT_EQ(Store({Singular(pmid, Value::Of(1)), Singular(kFetches, Value::Of(77))}),
              Error(-12358));
  }
  EXPECT_EQ(Fetch({kFetches}), "253.0.0: 1");
}

TEST_F(SimpleTest, AValueOfAnotherTypeIsRefused) {  // PMD-094, CKA-113
  EXPECT_EQ(Store({Singular(kFetches, Value::Of(1.0))}), Error(-12362));
  EXPECT_EQ(Store({{kColor, {{0, Value::Of(std::int64_t{1})}}}}), Error(-12362));
  EXPECT_EQ(Fetch({kFetches}), "253.0.0: 1");
}

// --- Help, names.

std::vector<NameTree::Leaf> Leaves(std::string_view agent) {
  const NameTree names = AgentNames(agent);
  const auto leaves = names.Traverse("");
  return leaves ? *leaves : std::vector<NameTree::Leaf>();
}

TEST_F(SimpleTest, EverythingHasHelp) {  // PMD-229, CKA-087
  for (const NameTree::Leaf& leaf : Leaves("simple")) {
    for (const std::uint32_t type : {5U, 6U}) {
      const std::string text = talk_.Ask(pdu::TextReq{leaf.pmid.value, type});
      EXPECT_THAT(text, HasSubstr("TEXT from=0 ")) << leaf.name;
      EXPECT_TRUE(type == 6 || text.size() - text.find("text=") < 80) << leaf.name;
    }
  }
  for (const Indom indom : {kColors, kParts}) {
    EXPECT_THAT(talk_.Ask(pdu::TextReq{indom.value, 9}), HasSubstr("TEXT from=0 "));
    EXPECT_THAT(talk_.Ask(pdu::TextReq{indom.value, 10}), HasSubstr("TEXT from=0 "));
  }
}

TEST(AgentFilesTest, NamesAreThoseOfTheTables) {  // 13.1, 13.2, PMD-330
  const auto names = [](std::string_view agent) {
    std::vector<std::string> found;
    for (const NameTree::Leaf& leaf : Leaves(agent)) {
      found.push_back(leaf.name + " " + ToText(leaf.pmid));
    }
    return found;
  };
  EXPECT_THAT(names("trivial"), ElementsAre("trivial.time 250.0.0"));
  EXPECT_THAT(names("simple"), ElementsAre("simple.numfetch 253.0.0", "simple.color 253.0.1",
                                           "simple.time.user 253.1.2", "simple.time.sys 253.1.3",
                                           "simple.now 253.2.4"));
  EXPECT_THAT(AgentFileNames("simple"),
              ElementsAre("domain.h", "help", "pmns", "root", "simple.conf"));
  EXPECT_THAT(AgentFileNames("trivial"), ElementsAre("domain.h", "help", "pmns", "root"));
  EXPECT_THAT(AgentFileNames("simp"), IsEmpty());
}

// --- trivial.

TEST(TrivialTest, BehavesAsItsTableSays) {  // PMD-200..208, T37
  const auto agent = MakeTrivial([] { return std::uint64_t{1700000000}; });
  ASSERT_FALSE(agent->fault());
  Conversation talk(*agent);
  const Pmid time = Pmid::Of(250, 0, 0);
  EXPECT_EQ(talk.Ask(pdu::DescReq{time}),
            "DESC from=0 descriptor={250.0.0 type=3 indom=PM_INDOM_NULL sem=1 units=01003000}");
  EXPECT_EQ(talk.Ask(pdu::Fetch{0, std::array{time, Pmid::Of(250, 0, 1)}}),
            "RESULT from=0 seconds=0 microseconds=0 sets=[{250.0.0 dynamic -1:3/000000006553f100} "
            "{250.0.1 -12358}]");
  EXPECT_EQ(talk.Ask(pdu::DescReq{Pmid::Of(250, 0, 1)}), Error(-12358));
  EXPECT_EQ(talk.Ask(pdu::InstanceReq{Indom::Of(250, 0)}), Error(-12359));
  EXPECT_EQ(talk.Ask(pdu::InstanceReq{Indom::Null()}), Error(-12359));
  EXPECT_THAT(talk.Ask(pdu::TextReq{time.value, 5}), HasSubstr("TEXT from=0 "));
  EXPECT_THAT(talk.Ask(pdu::TextReq{time.value, 6}), HasSubstr("TEXT from=0 "));
  EXPECT_EQ(talk.Ask(pdu::TextReq{Indom::Of(250, 0).value, 9}), Error(-12349));
  EXPECT_EQ(talk.Ask(pdu::LabelReq{250, 2}), "LABEL from=0 ident=ffffffff type=2 sets=[]");
  EXPECT_EQ(talk.Ask(pdu::PmnsNames{false, std::array{pdu::PmnsName{"trivial.time"}}}),
            Error(-12357));
  EXPECT_EQ(talk.Ask(pdu::PmnsIds{0, std::array{time}}), Error(-12358));
  const std::array value = {pdu::InstanceValue{kInstanceNull, 1}};
  EXPECT_EQ(talk.Ask(pdu::Result{0, 0, std::array{pdu::ValueSet{.pmid = time, .values = value}}}),
            Error(-12387));
}

}  // namespace
}  // namespace pmproof::pmda
