// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/dso/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/pmda/pdu/collector_session.h"
#include "reference/pmda/pdu/pdu_text.h"
#include "reference/pmda/transport/agent_process.h"

namespace pmproof::dso {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A safety net: nothing below waits for it.
pmda::Deadline Soon() { return pmda::Deadline::After(std::chrono::seconds(120)); }

constexpr std::uint32_t kDomain = 77;
constexpr Pmid kFetches = Pmid::Of(kDomain, 0, 0);
constexpr Pmid kColour = Pmid::Of(kDomain, 0, 1);
constexpr Pmid kHello = Pmid::Of(kDomain, 0, 2);
constexpr Pmid kTarget = Pmid::Of(kDomain, 0, 3);
constexpr Pmid kClient = Pmid::Of(kDomain, 0, 4);
constexpr Pmid kAttribute = Pmid::Of(kDomain, 0, 5);
constexpr Pmid kEnded = Pmid::Of(kDomain, 0, 6);
constexpr Pmid kEvents = Pmid::Of(kDomain, 0, 7);
constexpr Indom kColours = Indom::Of(kDomain, 0);

// One agent of testing/agents.cc, served by the host in a process of its own.
class Served {
 public:
  explicit Served(const std::string& init, const char* library = "AGENTS") {
    // The agents crash and leak on purpose, which a sanitizer must not take for the host's.
    setenv("ASAN_OPTIONS", "handle_segv=0:detect_leaks=0", 1);
    setenv("TSAN_OPTIONS", "handle_segv=0", 1);
    auto started = pmda::AgentProcess::Start(
        {.words = {std::getenv("HOST"), std::string(std::getenv(library)) + ":" + init,
                   std::to_string(kDomain)}},
        Soon());
    if (!started) return;
    process_.emplace(std::move(*started));
    session_ = std::make_unique<pmda::Session>(*process_->transport());
  }

  std::string Greet(pmda::Deadline deadline = Soon()) {
    const auto greeting = session_->Greet(deadline);
    if (!greeting) return greeting.error().ToText();
    return "version " + std::to_string(greeting->version) + " flags " +
           std::to_string(greeting->flags);
  }
  void Send(const pdu::Body& body, std::int32_t from = 0) {
    EXPECT_TRUE(session_->Send({.from = from, .body = body}, Soon()));
  }
  // The answer in the words of pdu_text.h, or why there is none.
  std::string Ask(const pdu::Body& body, std::int32_t from = 0, pmda::Deadline deadline = Soon()) {
    const auto answer = session_->Ask({.from = from, .body = body}, deadline);
    return answer ? pdu::ToText(*answer) : answer.error().ToText();
  }
  std::string Fetch(std::vector<Pmid> pmids, std::int32_t from = 0,
                    pmda::Deadline deadline = Soon()) {
    return Ask(pdu::Fetch{.pmids = pmids}, from, deadline);
  }
  // Ends it, and gives what it told on its log.
  std::string Log() {
    ending_ = process_->End({.by_itself = std::chrono::seconds(120)});
    return process_->log().text;
  }
  std::string Exit() {
    if (!ending_) Log();
    return ending_->exit ? ending_->exit->ToText() : "unknown";
  }
  // For an agent that will not end; whether nothing is left of it.
  bool Kill() { return process_->End({.by_itself = {}, .terminated = {}}).all_gone; }

 private:
  std::optional<pmda::AgentProcess> process_;
  std::unique_ptr<pmda::Session> session_;
  std::optional<pmda::Ending> ending_;
};

std::string Log(const std::string& init) {
  Served served(init);
  served.Greet();
  return served.Log();
}

// What an agent with a fault answers to a fetch, and what is told about it.
struct Fault {
  std::string answer;
  std::string log{};
};
Fault FetchFrom(const std::string& init) {
  Served served(init);
  EXPECT_EQ(served.Greet(), "version 2 flags 4");
  Fault fault{.answer = served.Fetch({kFetches})};
  // The host lives on.
  EXPECT_THAT(served.Ask(pdu::DescReq{kFetches}), StartsWith("DESC"));
  fault.log = served.Log();
  EXPECT_EQ(served.Exit(), "exit status 0");
  return fault;
}
constexpr char kIpc[] = "ERROR from=0 code=-12366";

class EachVersion : public ::testing::TestWithParam<int> {
 protected:
  int version() const { return GetParam(); }
  Served served_{"good_" + std::to_string(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(Interface, EachVersion, ::testing::Range(2, 8));

TEST_P(EachVersion, StartsWithTheFlagsOfItsAgent) {  // DSO-002, DSO-020, DSO-021, CKA-164
  EXPECT_EQ(served_.Greet(), version() >= 6 ? "version 2 flags 4" : "version 2 flags 0");
  const std::string log = served_.Log();
  EXPECT_THAT(log, HasSubstr("load: loaded 1 resolved 1 init 1 \n"));
  EXPECT_THAT(log, HasSubstr("init: status 0 version " + std::to_string(version()) + " pmapi 2 "));
  EXPECT_THAT(log, Not(AnyOf(HasSubstr("missing"), HasSubstr("violation"))));
  EXPECT_EQ(served_.Exit(), "exit status 0");
}

TEST_P(EachVersion, GivesValuesWithinTheProfile) {  // DSO-024, DSO-025, PMD-024, PMD-025
  served_.Greet();
  const std::string both = "{77.0.1 dynamic 0:5/3fe0000000000000 1:5/3ff8000000000000}";
  const std::string one = "{77.0.1 dynamic 1:5/3ff8000000000000}";
  EXPECT_THAT(served_.Fetch({kColour, kFetches, kHello, Pmid::Of(kDomain, 1, 1)}),
              HasSubstr("sets=[" + both +
                        " {77.0.0 insitu -1:00000001} {77.0.2 static "
                        "-1:6/68656c6c6f00} {77.1.1 -12358}]"));
  const std::int32_t only[] = {1};
  const pdu::ProfileEntry entry[] = {
      {.indom = kColours, .state = pdu::kExclude, .instances = only}};
  served_.Send(pdu::Profile{.entries = entry});
  EXPECT_THAT(served_.Fetch({kColour}), HasSubstr("sets=[" + one + "]"));
  EXPECT_THAT(served_.Fetch({kFetches}), HasSubstr("{77.0.0 insitu -1:00000003}"));
  served_.Send(pdu::Profile{});
  EXPECT_THAT(served_.Fetch({kColour, kColour}), HasSubstr("[" + both + " " + both + "]"));
  EXPECT_EQ(served_.Exit(), "exit status 0");
}

TEST_P(EachVersion, DescribesMetricsInstancesAndTexts) {  // DSO-026..028
  served_.Greet();
  EXPECT_THAT(served_.Ask(pdu::DescReq{kColour}), HasSubstr("77.0.1 type=5 indom=77.0"));
  EXPECT_THAT(served_.Ask(pdu::DescReq{Pmid::Of(1, 0, 0)}), HasSubstr("code=-12358"));
  EXPECT_THAT(served_.Ask(pdu::InstanceReq{.indom = kColours}),
              HasSubstr("instances=[0:'red' 1:'dark green']"));
  EXPECT_THAT(served_.Ask(pdu::InstanceReq{.indom = kColours, .instance = 1}),
              HasSubstr("instances=[-1:'dark green']"));
  EXPECT_THAT(served_.Ask(pdu::InstanceReq{.indom = kColours, .name = "dark green"}),
              HasSubstr("instances=[1:'']"));
  EXPECT_THAT(served_.Ask(pdu::InstanceReq{.indom = kColours, .instance = 0, .name = "red"}),
              HasSubstr("code=-12360"));
  EXPECT_THAT(
      served_.Ask(pdu::InstanceReq{.indom = kColours, .name = std::string_view("red\0x", 5)}),
      HasSubstr("code=-12360"));  // CKA-145
  EXPECT_THAT(served_.Ask(pdu::InstanceReq{.indom = Indom::Of(kDomain, 9)}),
              HasSubstr("code=-12359"));
  EXPECT_THAT(served_.Ask(pdu::TextReq{kHello.value, 5}), HasSubstr("'one line'"));
  EXPECT_THAT(served_.Ask(pdu::TextReq{kColours.value, 9}), HasSubstr("code=-12349"));
  EXPECT_THAT(served_.Log(), Not(HasSubstr("violation")));
}

TEST_P(EachVersion, TakesStores) {  // DSO-029
  served_.Greet();
  const auto store = [](Pmid pmid, pdu::ValueFormat format, pdu::InstanceValue value) {
    static std::vector<pdu::InstanceValue> values;
    static std::vector<pdu::ValueSet> sets;
    values = {value};
    sets = {{.pmid = pmid, .format = format, .values = values}};
    return pdu::Result{.sets = sets};
  };
  EXPECT_THAT(served_.Ask(store(kTarget, pdu::ValueFormat::kInsitu, {.word = 42})),
              HasSubstr("code=0"));
  EXPECT_THAT(served_.Fetch({kTarget}), HasSubstr("-1:0000002a"));
  const std::uint8_t seven[] = {0x40, 0x1c, 0, 0, 0, 0, 0, 0};  // 7.0, turned round on the way
  EXPECT_THAT(served_.Ask(store(kTarget, pdu::ValueFormat::kDynamic,
                                {.type = MetricType::kDouble, .body = seven})),
              HasSubstr("code=0"));
  EXPECT_THAT(served_.Fetch({kTarget}), HasSubstr("-1:00000007"));
  EXPECT_THAT(served_.Ask(store(kFetches, pdu::ValueFormat::kInsitu, {.word = 1})),
              HasSubstr("code=-12387"));
  EXPECT_THAT(served_.Ask(pdu::Result{}), HasSubstr("code=0"));  // CKA-115
}

TEST_P(EachVersion, AnswersNamesOnlyFromVersion4On) {  // DSO-030, PMD-100
  served_.Greet();
  const pdu::PmnsName name[] = {{.name = "test.hello"}};
  const Pmid pmid[] = {kHello};
  const bool names = version() >= 4;
  EXPECT_THAT(served_.Ask(pdu::PmnsNames{.names = name}),
              HasSubstr(names ? "[77.0.2]" : "code=-12357"));
  EXPECT_THAT(served_.Ask(pdu::PmnsIds{.pmids = pmid}),
              HasSubstr(names ? "'test.hello'" : "code=-12358"));
  EXPECT_THAT(served_.Ask(pdu::PmnsChild{.subtype = 1, .name = "test"}),
              HasSubstr(names ? "'hello'" : "code=-12357"));
  EXPECT_THAT(served_.Ask(pdu::PmnsTraverse{.name = "test"}),
              HasSubstr(names ? "'test.hello'" : "code=-12357"));
  EXPECT_THAT(served_.Ask(pdu::PmnsTraverse{.name = "nothing"}), HasSubstr("code=-12357"));
}

TEST_P(EachVersion, TellsTheClientOnlyFromVersion5On) {  // DSO-023
  served_.Greet();
  const bool marked = version() >= 5;
  EXPECT_THAT(served_.Fetch({kClient}, 7), HasSubstr(marked ? ":00000007" : ":00000000"));
  served_.Send(pdu::Error{.code = pdu::kErrNotConnected}, 7);
  EXPECT_THAT(served_.Fetch({kEnded}, 3), HasSubstr(marked ? ":00000007" : ":00000063"));
}

TEST_P(EachVersion, HandsAttributesOnOnlyFromVersion6On) {  // DSO-031
  served_.Greet();
  served_.Send(pdu::Attr{pdu::Attribute::kUserId, std::string_view("1000", 5)}, 4);
  const std::string hex = version() >= 6 ? "343a31313a313030303a3500" : "6e6f6e6500";
  EXPECT_THAT(served_.Fetch({kAttribute}), HasSubstr(":6/" + hex));  // "4:11:1000:5" or "none"
}

TEST_P(EachVersion, HasLabelsOnlyInVersion7) {  // DSO-032, PMD-093
  served_.Greet();
  const std::string domain = served_.Ask(pdu::LabelReq{kDomain, 2});
  const std::string bad = served_.Ask(pdu::LabelReq{kDomain, 64});
  if (version() >= 7) {
    EXPECT_THAT(domain, HasSubstr(R"({"role":"test"})"));
    EXPECT_THAT(bad, HasSubstr("code=-12397"));
  } else {
    EXPECT_THAT(domain, HasSubstr("sets=[]"));
    EXPECT_THAT(bad, HasSubstr("sets=[]"));
  }
}

TEST(Host, TurnsEventArraysRound) {  // 5.3, 11.3
  Served served("good_7");
  served.Greet();
  EXPECT_THAT(served.Fetch({kEvents}),
              HasSubstr(":9/00000002000003e80000000500000001000000011340000005"
                        "00000c"
                        "4004000000000000000003e9000000068000000000000003"));
  EXPECT_THAT(served.Log(), Not(HasSubstr("violation")));
}

TEST(Host, AnswersWhatCanNotBeDecoded) {  // CKA-137..150
  Served served("good_7");
  served.Greet();
  EXPECT_THAT(served.Ask(pdu::PmnsNames{}), HasSubstr("code=-12366"));
  const Pmid two[] = {kHello, kHello};
  EXPECT_THAT(served.Ask(pdu::PmnsIds{.pmids = two}), HasSubstr("code=-12366"));
  // Answers, and what is for clients only, are met with silence.
  served.Send(pdu::DescIds{.pmids = two});
  served.Send(pdu::Text{});
  EXPECT_THAT(served.Ask(pdu::DescReq{kHello}), StartsWith("DESC"));
}

TEST(Host, DoesNotStartWhatCanNotBeLoaded) {  // DSO-022
  Served no_init("no_such_function");
  EXPECT_EQ(no_init.Greet(), "end of file");
  EXPECT_THAT(no_init.Log(), HasSubstr("load: loaded 1 resolved 1 init 0 "));
  EXPECT_EQ(no_init.Exit(), "exit status 3");
  Served no_library("x", "HOST");
  EXPECT_EQ(no_library.Greet(), "end of file");
  EXPECT_THAT(no_library.Log(), HasSubstr("load: loaded 0 resolved 0 init 0 "));
  EXPECT_EQ(no_library.Exit(), "exit status 3");
}

TEST(Host, RefusesWhatInitLeft) {  // DSO-021, CKA-164
  EXPECT_THAT(Log("nothing_in_init"), HasSubstr("refused: init did not set the interface version"));
  EXPECT_THAT(Log("status_in_init"), HasSubstr("refused: init set status -12345"));
  EXPECT_THAT(Log("version_1"), HasSubstr("refused: interface version 1 is not 2 to 7"));
  EXPECT_THAT(Log("version_8"), HasSubstr("refused: interface version 8 is not 2 to 7"));
  EXPECT_THAT(Log("pmapi_untouched"), HasSubstr("refused: PMAPI version 253"));
  EXPECT_THAT(Log("label_missing"), HasSubstr("version 7 pmapi 2 flags 4 missing label\n"));
}

TEST(Host, LoadsLazilyWhatIsNeverCalled) {  // DSO-042, CKA-165
  Served served("", "UNRESOLVED");
  EXPECT_EQ(served.Greet(), "version 2 flags 0");
  const std::string log = served.Log();
  EXPECT_THAT(log, HasSubstr("load: loaded 1 resolved 0 init 1 "));
  EXPECT_THAT(log, HasSubstr("pmproof_symbol_that_is_nowhere"));
  EXPECT_THAT(log, HasSubstr("missing profile missing desc missing instance missing text "));
}

TEST(Host, TellsOfWhatInitDoesToTheProcess) {  // DSO-022, DSO-033
  Served crash("crash_in_init");
  EXPECT_EQ(crash.Greet(), "end of file");
  EXPECT_EQ(crash.Exit(), "signal 11 (SEGV)");
  Served exits("exit_in_init");
  EXPECT_EQ(exits.Greet(), "end of file");
  EXPECT_THAT(exits.Log(), HasSubstr("violation: DSO-022 init() called exit(3)"));
}

TEST(Host, LeavesPatienceToItsCollector) {  // DSO-033: there is no time-out
  const auto moment = pmda::Deadline::After(std::chrono::milliseconds(20));
  Served in_init("hang_in_init");
  EXPECT_EQ(in_init.Greet(moment), "no answer in time");
  EXPECT_TRUE(in_init.Kill());
  Served in_fetch("hang_in_fetch");
  in_fetch.Greet();
  EXPECT_EQ(in_fetch.Fetch({kFetches}, 0, moment), "no answer in time");
  EXPECT_TRUE(in_fetch.Kill());
}

TEST(Host, TellsOfWhatACallDoesToTheProcess) {  // DSO-033
  Served crash("crash_in_fetch");
  crash.Greet();
  EXPECT_EQ(crash.Fetch({kFetches}), "end of file");
  EXPECT_EQ(crash.Exit(), "signal 11 (SEGV)");
  Served exits("exit_in_fetch");
  exits.Greet();
  EXPECT_EQ(exits.Fetch({kFetches}), "end of file");
  EXPECT_THAT(exits.Log(), HasSubstr("violation: DSO-033 fetch() called exit(0)"));
  Served closes("closes_channel");
  closes.Greet();
  EXPECT_EQ(closes.Fetch({kFetches}), "end of file");
  EXPECT_THAT(closes.Log(), HasSubstr("violation: DSO-033 () the channel was closed"));
}

TEST(Host, KeepsTheChannelFreeOfWhatAgentsPrint) {  // DSO-033, PMD-001
  Served prints("prints");
  EXPECT_EQ(prints.Greet(), "version 2 flags 4");
  EXPECT_THAT(prints.Fetch({kFetches}), StartsWith("RESULT"));
  EXPECT_THAT(prints.Log(), HasSubstr("fetch says hello"));
  Served closes("closes_stdout");
  closes.Greet();
  EXPECT_THAT(closes.Fetch({kFetches}), StartsWith("RESULT"));
  EXPECT_THAT(closes.Ask(pdu::DescReq{kFetches}), StartsWith("DESC"));
}

TEST(Host, TellsOfResultsThatAreNone) {  // DSO-025
  const auto expect_note = [](const std::string& init, const std::string& what) {
    const Fault fault = FetchFrom(init);
    EXPECT_EQ(fault.answer, kIpc) << init;
    EXPECT_THAT(fault.log, HasSubstr("violation: " + what)) << init;
  };
  expect_note("no_result", "DSO-025 fetch() returned 0 and no result");
  expect_note("one_set_too_many", "PDU-109 fetch() gave 2 value sets for 1 metrics");
  expect_note("many_values", "PDU-107 fetch() gave 2147483647 values of a metric");
  expect_note("value_format_9", "PDU-101 fetch() gave value format 9");
  expect_note("null_block", "PDU-104 fetch() gave a value block that is null");
  const Fault null_set = FetchFrom("null_set");
  EXPECT_THAT(null_set.answer, HasSubstr("{77.0.0 -12366}"));
  EXPECT_THAT(null_set.log, HasSubstr("violation: DSO-025 fetch() gave a value set that is null"));
  const Fault short_double = FetchFrom("short_double");
  EXPECT_THAT(short_double.answer, HasSubstr(":5/31323334"));
  EXPECT_THAT(short_double.log, HasSubstr("violation: PDU-105 fetch() gave a value block of type"));
  EXPECT_EQ(FetchFrom("no_extension").log.find("violation"), std::string::npos);
}

TEST(Host, TellsOfOtherAnswersThatAreNone) {  // DSO-027, DSO-028, DSO-030, DSO-032
  const auto expect_note = [](const std::string& init, const pdu::Body& body,
                              const std::string& what) {
    Served served(init);
    served.Greet();
    EXPECT_EQ(served.Ask(body), kIpc) << init;
    EXPECT_THAT(served.Ask(pdu::DescReq{kFetches}), StartsWith("DESC")) << init;
    EXPECT_THAT(served.Log(), HasSubstr("violation: " + what)) << init;
  };
  const Pmid pmid[] = {kHello};
  expect_note("no_text", pdu::TextReq{kHello.value, 5}, "DSO-028 text() returned 0 and no text");
  expect_note("no_instances", pdu::InstanceReq{.indom = kColours},
              "DSO-027 instance() returned 0 and no instances");
  expect_note("negative_instances", pdu::InstanceReq{.indom = kColours},
              "DSO-027 instance() gave -5 instances");
  expect_note("no_label_sets", pdu::LabelReq{kDomain, 2},
              "DSO-032 label() returned 1 and no label sets");
  expect_note("no_names", pdu::PmnsIds{.pmids = pmid},
              "DSO-030 name() returned 2147483647 and no names");
  expect_note("no_states", pdu::PmnsChild{.subtype = 1, .name = "test"},
              "DSO-030 children() returned 1 and no names, or no states");
}

TEST(LibraryName, HasTheCustomaryInit) {
  EXPECT_EQ(LibraryName::Parse("/usr/pmda_sample.so"),
            (LibraryName{"/usr/pmda_sample.so", "sample_init"}));
  EXPECT_EQ(LibraryName::Parse("pmda_a.so:b"), (LibraryName{"pmda_a.so", "b"}));
  EXPECT_EQ(LibraryName::Parse("/x:y/mine.so.2"), (LibraryName{"/x:y/mine.so.2", "mine_init"}));
}

}  // namespace
}  // namespace pmproof::dso
