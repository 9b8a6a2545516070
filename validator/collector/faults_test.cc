// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "validator/collector/checks.h"
#include "validator/collector/malformed.h"
#include "validator/collector/testing/fake_collector.h"

// A collector that does all that it should passes every check, and one with a fault fails the check
// that the fault is for and no other.

namespace pmproof::validator::collector {
namespace {

using agent::Outcome;
using testing::ElementsAre;
using testing::IsEmpty;

// "CKC-010: because"
std::vector<std::string> Those(const std::vector<CheckResult>& results, Outcome outcome) {
  std::vector<std::string> texts;
  for (const CheckResult& result : results) {
    if (result.verdict.outcome != outcome) continue;
    texts.push_back(result.id.ToString() + ": " + result.verdict.because);
  }
  return texts;
}

std::vector<CheckResult> CheckFake(bool old, FakeFault fault,
                                   std::chrono::milliseconds patience = std::chrono::minutes(1)) {
  FakeCollector collector(old, std::move(fault));
  CollectorUnderTest subject = collector.MakeCollectorUnderTest();
  subject.limits.patience = patience;
  return RunChecks(subject, AllChecks());
}

bool Same(Bytes a, Bytes b) { return std::ranges::equal(a, b); }

// Answers this request so instead.
FakeFault Answers(Octets request, FakeReply reply) {
  return {.answer = [request, reply](Bytes got, FakeReply* answer) {
    if (Same(got, request)) *answer = reply;
  }};
}
FakeFault Answers(Octets request, Octets reply) {
  return Answers(std::move(request), FakeReply::Of(std::move(reply)));
}
FakeFault SaysNothingTo(Octets request) { return Answers(std::move(request), FakeReply()); }

// Changes what is right: the last PDU of the answer.
FakeFault Changes(Octets request, void (*change)(Octets& answer)) {
  return {.answer = [request, change](Bytes got, FakeReply* answer) {
    if (Same(got, request) && !answer->pdus.empty()) change(answer->pdus.back());
  }};
}

void SetWord(Octets& bytes, std::size_t offset, std::uint32_t value) {
  StoreU32(bytes.data() + offset, value);
}

constexpr Pmid kNumfetch = Pmid::Of(kSimpleDomain, 0, 0);
constexpr Pmid kColor = Pmid::Of(kSimpleDomain, 0, 1);
const Octets kNoError = ErrorOf(ErrorCode::kOk);

struct Case {
  const char* check;
  FakeFault fault;
  // Where the fault lets the check wait in vain.
  std::chrono::milliseconds patience = std::chrono::minutes(1);
};

std::vector<Case> RequestFaults() {
  const Octets unknown_creds = Words({0x14, 0x700c, 0, 1, 0x09000000});
  Octets largest = Words({65536, 0x7fff, 0});
  largest.resize(65536);
  return {
      {"CKC-001", Changes({},
                          [](Octets& challenge) {
                            if (challenge.size() == 20 && LoadU32(challenge.data() + 16) != 0) {
                              SetWord(challenge, 16, 0x02010a44);
                            }
                          })},
      {"CKC-002",
       {.answer =
            [](Bytes request, FakeReply* reply) {
              if (reply->close && Same(request, DescReqOf(kNumfetch)))
                *reply = FakeReply::Of(kNoError);
            }}},
      {"CKC-003",
       {.answer =
            [open = false](Bytes request, FakeReply* reply) mutable {
              if (Same(request, CredsOf(0, 0))) open = true;
              if (open && Same(request, ChildrenOf("", 0))) {
                *reply = FakeReply::Of(kNoError);
                open = false;
              }
            }}},
      {"CKC-004", Answers(CredsOf(3, 0), kNoError)},
      {"CKC-005", Answers(unknown_creds, ErrorOf(pdu::kErrPermission))},
      {"CKC-006", SaysNothingTo(Words({0x10, 0x700c, 0, 0}))},
      {"CKC-007", Answers(CredsOf(2, pdu::kFeatureSecure), kNoError)},
      {"CKC-008",
       Answers(Encoded(pdu::Attr{.attribute = pdu::Attribute::kContainer, .value = "pmproof"}),
               kNoError)},
      {"CKC-009", Answers(CredsOf(2, pdu::kFeatureAuth), ErrorOf(pdu::kErrPermission))},
      {"CKC-010", Answers(FetchOf(-1, {kNumfetch}), ErrorOf(pdu::kErrIpc))},
      {"CKC-011", Answers(ProfileOf(3, Indom::Of(kSimpleDomain, 0), {0, 2}), kNoError)},
      {"CKC-012", SaysNothingTo(MalformedProfiles()[2].bytes)},
      {"CKC-013", Answers(ProfileOfAll(63), ErrorOf(ErrorCode{-11}))},
      {"CKC-014", SaysNothingTo(ProfileOfAll(1000000))},
      {"CKC-015", Answers(Words({0x1c, 0x7002, 0, 0, 7, 0, 0}), ErrorOf(pdu::kErrIpc))},
      {"CKC-016", Changes(FetchOf(0, {kNumfetch}),
                          [](Octets& r) {
                            constexpr std::size_t kResult = 44;
                            if (r.size() == kResult) SetWord(r, 12, 0);
                          })},
      {"CKC-017", Changes(HighresFetchOf(0, {Pmid::Of(kNoDomain, 0, 0)}),
                          [](Octets& r) { SetWord(r, 28, 1'000'000'000); })},
      {"CKC-018",
       Changes(FetchOf(0, {Pmid::Of(29, 0, 10), kColor, Pmid::Of(99, 0, 0), Pmid::Of(29, 0, 21)}),
               [](Octets& r) { SetWord(r, 24, Pmid::Of(29, 0, 21).value); })},
      {"CKC-019", Answers(FetchOf(0, {Pmid::Of(kSimpleDomain, 0, 99)}), ErrorOf(ErrorCode::kPmid))},
      {"CKC-020", SaysNothingTo(MalformedFetches()[6].bytes)},
      {"CKC-021", Answers(FetchOf(0, std::vector<Pmid>(16377, kNumfetch)), ErrorOf(pdu::kErrIpc))},
      {"CKC-023", Answers(largest, FakeReply{.close = true})},
      {"CKC-024", Changes(DescReqOf(kNumfetch),
                          [](Octets& r) {
                            if (r.size() == 32) SetWord(r, 12, 0x1234);
                          })},
      {"CKC-025",
       Answers(DescIdsOf({kColor, Pmid::Of(99, 0, 1), Pmid::Of(253, 0, 77), Pmid::Of(29, 0, 10)}),
               ErrorOf(ErrorCode::kPmid))},
      {"CKC-026", Answers(Words({0x18, 0x7016, 0, 0, 1, kColor.value}), ErrorOf(ErrorCode::kPmid))},
      {"CKC-027",
       Changes(InstanceReqOf(Indom::Of(253, 0), 1), [](Octets& r) { SetWord(r, 20, 1); })},
      {"CKC-028", Answers(TextReqOf(kColor.value, 6), ErrorOf(pdu::kErrText))},
      {"CKC-029", Changes(LabelReqOf(0xffffffff, 1), [](Octets& r) { r[r.size() - 2] = ' '; })},
      {"CKC-030", Answers(LabelReqOf(kNumfetch.value, 3), ErrorOf(pdu::kErrIpc))},
      {"CKC-031", Answers(NamesOf({"simple"}), ErrorOf(ErrorCode::kName))},
      {"CKC-032", Answers(NamesOf({"sample.secret"}), ErrorOf(ErrorCode::kName))},
      {"CKC-033", Answers(IdsOf({Pmid::Of(29, 0, 1)}), NamesOf({"sample.daemon_pid"}))},
      {"CKC-034", Answers(ChildrenOf("", 1), NamesOf({"simple", "pmcd"}))},
      {"CKC-035", Answers(ChildrenOf("simple.color", 0), ErrorOf(ErrorCode::kName))},
      {"CKC-036", Answers(LeavesOf("simple.now"), ErrorOf(ErrorCode::kName))},
      {"CKC-037", Answers(ResultOf({{kNumfetch, -3}}), kNoError)},
      {"CKC-038", Answers(Words({0x18, 0x7001, 0, 0, 0, 0}), ErrorOf(pdu::kErrIpc))},
      {"CKC-039", Answers(MalformedStores()[13].bytes, kNoError)},
      {"CKC-040", SaysNothingTo(UnexpectedPdus()[4].bytes)},
      {"CKC-042", Answers(Words({5}), FakeReply{.pdus = {kNoError}, .close = true})},
      {"CKC-043", Answers(WrongLengths()[1].bytes, kNoError)},
      {"CKC-044", Answers(OddLengths()[2].bytes, Encoded(pdu::Instance{}))},
      {"CKC-059", Answers(IdsOf({kNotReady.Metric(1)}), ErrorOf(ErrorCode::kPmid))},
      {"CKC-060", Changes(FetchOf(0, {kBadCreds.Metric(1)}),
                          [](Octets& r) { SetWord(r, 28, static_cast<std::uint32_t>(-12351)); })},
      {"CKC-063", Changes({},
                          [](Octets& challenge) {
                            if (LoadI32(challenge.data() + 12) == -1043)
                              SetWord(challenge, 12, 0xfffffbee);
                          })},
      {"CKC-064",
       {.answer =
            [greeted = 0](Bytes request, FakeReply* reply) mutable {
              // None of the other checks has nearly as many clients.
              if (request.empty() && ++greeted == 290) *reply = {.close = true};
            }}},
  };
}

std::vector<Case> AgentFaults() {
  return {
      {"CKC-045", {.profile_by_context_only = true}},
      {"CKC-046", {.profile_by_client_only = true}},
      {"CKC-047", {.tells_asked_agents_only = true}},
      {"CKC-048", {.zero_is_no_error = true}},
      {"CKC-049", {.keeps_after_timeout_code = true}},
      {"CKC-050", {.keeps_after_text_ipc = true}},
      {"CKC-051", {.numval_of_silence = -12366}},
      {"CKC-052", {.numval_of_half = -12366}},
      {"CKC-053", {.numval_of_wrong_type = -12345}},
      {"CKC-054", {.fails_stale = true}},
      {"CKC-055", {.corrects_pmids = true}},
      {"CKC-056", {.tells_asker_only = true}},
      {"CKC-057", {.visible_bits = 0x19}},
      {"CKC-058", {.asks_unready = true}},
      {"CKC-061", {.flags_to_agents = 0x44}},
      {"CKC-062", {.restarts = false}, std::chrono::seconds(5)},
      {"CKC-065", {.takes_unpadded_text = true}},
  };
}

// What is cut off wrongly: bytes that are not a request have no answer of their own.
std::vector<Case> FramingFaults() {
  const auto on_close = [](int which) {
    return FakeFault{.answer = [which, seen = 0](Bytes request, FakeReply* reply) mutable {
      if (Same(request, Words({0})) && ++seen == which) {
        reply->pdus.push_back(ErrorOf(pdu::kErrIpc));
      }
    }};
  };
  // Broken frames are those of CKC-022, and then six of CKC-041.
  return {{"CKC-022", on_close(1)}, {"CKC-041", on_close(4)}};
}

class Faults : public testing::TestWithParam<Case> {};

TEST_P(Faults, AreFoundByTheirCheckAndNoOther) {
  const std::vector<CheckResult> results =
      CheckFake(/*old=*/false, GetParam().fault, GetParam().patience);
  EXPECT_THAT(Those(results, Outcome::kFail),
              ElementsAre(testing::StartsWith(GetParam().check + std::string(": "))));
  EXPECT_THAT(Those(results, Outcome::kNotChecked), IsEmpty());
}

std::vector<Case> AllFaults() {
  std::vector<Case> all = RequestFaults();
  for (const auto& more : {AgentFaults(), FramingFaults()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(, Faults, testing::ValuesIn(AllFaults()),
                         [](const testing::TestParamInfo<Case>& one) {
                           std::string name = one.param.check;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Checks, EachHasAFaultThatItFinds) {
  std::set<std::string> found;
  for (const Case& one : AllFaults()) found.insert(one.check);
  std::set<std::string> checks;
  for (const Check& check : AllChecks()) checks.insert(check.id.ToString());
  EXPECT_EQ(checks.size(), 65U);
  EXPECT_EQ(found, checks);
}

TEST(Checks, ACollectorThatDoesAllThatItShouldPassesThem) {
  for (const bool old : {false, true}) {
    const std::vector<CheckResult> results = CheckFake(old, {});
    EXPECT_THAT(Those(results, Outcome::kFail), IsEmpty()) << "old: " << old;
    EXPECT_THAT(Those(results, Outcome::kNotChecked), IsEmpty());
    EXPECT_EQ(results.size(), 65U);
  }
}

TEST(Checks, WhereTheVersionIsNotKnownEitherBehaviourPassesAndIsRecorded) {
  for (const bool old : {false, true}) {
    FakeCollector collector(old, {});
    CollectorUnderTest subject = collector.MakeCollectorUnderTest();
    subject.version = std::nullopt;
    const std::vector<CheckResult> results = RunChecks(subject, AllChecks());
    EXPECT_THAT(Those(results, Outcome::kFail), IsEmpty()) << "old: " << old;
    for (const CheckResult& result : results) {
      const std::set<int> differing = {6, 14, 32, 44, 57, 65};
      if (!differing.contains(result.id.number())) continue;
      EXPECT_THAT(result.verdict.because, testing::HasSubstr("6.")) << result.id.number();
    }
  }
}

TEST(Checks, TheBehaviourOfAnotherVersionFails) {
  FakeCollector collector(/*old=*/true, {});
  CollectorUnderTest subject = collector.MakeCollectorUnderTest();
  subject.version = Version::Parse("7.2.2");
  std::vector<std::string> failed;
  for (const CheckResult& result : RunChecks(subject, AllChecks())) {
    if (result.verdict.outcome == Outcome::kFail) failed.push_back(result.id.ToString());
  }
  EXPECT_THAT(failed,
              ElementsAre("CKC-006", "CKC-014", "CKC-032", "CKC-044", "CKC-057", "CKC-065"));
}

TEST(Checks, WithoutAgentsThatDoWhatTheyAreToldTheyAreNotMade) {
  FakeCollector collector(/*old=*/false, {});
  CollectorUnderTest subject = collector.MakeCollectorUnderTest();
  subject.stubs = nullptr;
  subject.denied = nullptr;
  const std::vector<CheckResult> results = RunChecks(subject, AllChecks());
  EXPECT_THAT(Those(results, Outcome::kFail), IsEmpty());
  for (const CheckResult& result : results) {
    const int number = result.id.number();
    const bool made = number < 45 || number == 64;
    EXPECT_EQ(result.verdict.passed(), made) << result.id.ToString();
    if (made) continue;
    EXPECT_THAT(result.verdict.because, testing::HasSubstr("pmproof collector config"));
  }
}

TEST(Checks, ACollectorThatDiesLeavesTheRestUnchecked) {
  FakeFault fault{.answer = [dead = false](Bytes request, FakeReply* reply) mutable {
    if (Same(request, CredsOf(2, pdu::kFeatureSecure))) dead = true;
    if (dead) *reply = {.close = true};
  }};
  const std::vector<CheckResult> results = CheckFake(/*old=*/false, std::move(fault));
  EXPECT_THAT(Those(results, Outcome::kFail),
              ElementsAre(testing::AllOf(testing::StartsWith("CKC-007"),
                                         testing::HasSubstr("does not answer any more"))));
  EXPECT_EQ(Those(results, Outcome::kNotChecked).size(), 58U);
}

TEST(Checks, DescriptorsThatStayOpenAreFound) {  // CKC-064
  FakeFault fault{.answer = [clients = 0U](Bytes request, FakeReply* reply) mutable {
    if (request.empty()) ++clients;
    if (!Same(request, FetchOf(0, {Pmid::Of(kPmcdDomain, 0, 17)}))) return;
    Octets& result = reply->pdus.back();
    SetWord(result, result.size() - 4, 14 + clients);
  }};
  FakeCollector collector(/*old=*/false, std::move(fault));
  CollectorUnderTest subject = collector.MakeCollectorUnderTest();
  subject.limits.patience = std::chrono::milliseconds(200);
  const auto all = AllChecks();
  const CheckResult result = RunChecks(subject, std::vector<Check>{all[63]})[0];
  EXPECT_EQ(result.verdict.outcome, Outcome::kFail);
  EXPECT_THAT(result.verdict.because, testing::HasSubstr("open descriptors, as after the first"));
}

// pmcd.openfds is the largest number there ever was: a fresh collector comes to it once.
TEST(Checks, DescriptorsMayRiseToTheirHighWaterMark) {  // CKC-064
  FakeFault fault{.answer = [fetches = 0](Bytes request, FakeReply* reply) mutable {
    if (!Same(request, FetchOf(0, {Pmid::Of(kPmcdDomain, 0, 17)}))) return;
    Octets& result = reply->pdus.back();
    SetWord(result, result.size() - 4, ++fetches == 1 ? 14 : 114);
  }};
  FakeCollector collector(/*old=*/false, std::move(fault));
  CollectorUnderTest subject = collector.MakeCollectorUnderTest();
  subject.limits.patience = std::chrono::milliseconds(200);
  const auto all = AllChecks();
  const CheckResult result = RunChecks(subject, std::vector<Check>{all[63]})[0];
  EXPECT_TRUE(result.verdict.passed()) << result.verdict.because;
}

TEST(Checks, TheVersionIsTheOneAnnounced) {
  FakeCollector collector(/*old=*/false, {});
  EXPECT_EQ(AskVersion(collector.MakeCollectorUnderTest()), Version::Parse("7.2.2"));
  EXPECT_EQ(Version::Parse("6.3.8-1")->ToText(), "6.3.8");
  EXPECT_FALSE(Version::Parse("7"));
  EXPECT_FALSE(Version::Parse("6.x.1"));
}

TEST(Checks, TheLogShowsWhatPassedUpToTheFailure) {
  FakeCollector collector(
      /*old=*/false, Answers(ResultOf({{kNumfetch, -3}}), kNoError));
  const auto all = AllChecks();
  const CheckResult result =
      RunChecks(collector.MakeCollectorUnderTest(), std::vector<Check>{all[36]})[0];
  EXPECT_EQ(result.verdict.because,
            "store of -3 into simple.numfetch: expected ERROR -12400 (PM_ERR_BADSTORE), got "
            "ERROR 0");
  const auto lines = result.log.Lines();
  const auto offence = std::ranges::find(lines, "offence 1", &agent::ExchangeLine::text);
  ASSERT_NE(offence, lines.end());
  EXPECT_EQ((offence - 1)->text, "ERROR from=0 code=0");
}

// What one check says of a collector with this fault: each offence.
std::vector<std::string> OffencesOf(std::string_view id, FakeFault fault) {
  FakeCollector collector(/*old=*/false, std::move(fault));
  std::vector<Check> checks = AllChecks();
  std::erase_if(checks, [&](const Check& check) { return check.id.ToString() != id; });
  const agent::Verdict verdict =
      RunChecks(collector.MakeCollectorUnderTest(), checks).front().verdict;
  if (verdict.outcome != Outcome::kFail) return {};
  std::vector<std::string> offences = {verdict.because};
  offences.insert(offences.end(), verdict.further.begin(), verdict.further.end());
  EXPECT_EQ(offences.size(), verdict.offences);
  return offences;
}

// Answers each of these so instead.
FakeFault AnswersEach(std::vector<Malformed> list, FakeReply reply) {
  return {.answer = [list, reply](Bytes got, FakeReply* answer) {
    if (std::ranges::any_of(list, [&](const Malformed& one) { return Same(got, one.bytes); })) {
      *answer = reply;
    }
  }};
}

// An offence for each of these, in their order.
void ExpectEach(const std::vector<std::string>& offences, const std::vector<Malformed>& list) {
  ASSERT_EQ(offences.size(), list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_THAT(offences[i], testing::StartsWith(list[i].what));
  }
}

TEST(Offences, AreAllToldWhereAnswersAreWrong) {
  const FakeReply none = FakeReply::Of(kNoError);
  ExpectEach(OffencesOf("CKC-020", AnswersEach(MalformedFetches(), none)), MalformedFetches());
  ExpectEach(OffencesOf("CKC-039", AnswersEach(MalformedStores(), none)), MalformedStores());
  FakeFault names{.answer = [](Bytes request, FakeReply* reply) {
    if (Same(request, NamesOf({"no.such"})) || Same(request, NamesOf({"simple"}))) {
      *reply = FakeReply::Of(ErrorOf(pdu::kErrIpc));
    }
  }};
  EXPECT_THAT(OffencesOf("CKC-031", std::move(names)),
              ElementsAre(testing::StartsWith("PMNS_NAMES of no.such:"),
                          testing::StartsWith("PMNS_NAMES of simple,")));
}

TEST(Offences, AreAllToldWhereConnectionsAreClosed) {
  ExpectEach(OffencesOf("CKC-040", AnswersEach(UnexpectedPdus(), {.close = true})),
             UnexpectedPdus());
}

TEST(Offences, AreAllToldWhereThereAreTwoAnswers) {
  const Octets refusal = ErrorOf(pdu::kErrIpc);
  const auto offences =
      OffencesOf("CKC-043", AnswersEach(WrongLengths(), {.pdus = {refusal, refusal}}));
  ExpectEach(offences, WrongLengths());
  for (const std::string& offence : offences) {
    EXPECT_THAT(offence, testing::HasSubstr("then PMNS_CHILD"));
  }
}

TEST(Offences, AreToldUntilTheCollectorWasSilentTenTimes) {
  ExpectEach(OffencesOf("CKC-043", AnswersEach(WrongLengths(), {})), WrongLengths());
  EXPECT_GT(MalformedStores().size(), 10u);
  EXPECT_EQ(OffencesOf("CKC-039", AnswersEach(MalformedStores(), {})).size(), 10u);
  FakeFault nothing{.answer = [](Bytes request, FakeReply* reply) {
    if (Same(request, ChildrenOf("", 0))) *reply = {};
  }};
  EXPECT_EQ(OffencesOf("CKC-064", std::move(nothing)).size(), 10u);
}

TEST(Offences, OfSeveralAgentsAreAllTold) {  // CKC-060
  FakeFault fault{.answer = [](Bytes request, FakeReply* reply) {
    for (const Role& role : {kNoCreds, kBadCreds, kLateCreds}) {
      if (!Same(request, FetchOf(0, {role.Metric(1)}))) continue;
      SetWord(reply->pdus.back(), 28, static_cast<std::uint32_t>(-12351));
    }
  }};
  EXPECT_THAT(
      OffencesOf("CKC-060", std::move(fault)),
      ElementsAre(testing::StartsWith("agent no_creds"), testing::StartsWith("agent bad_creds"),
                  testing::StartsWith("agent late_creds")));
}

TEST(Offences, OfAClientWithProfilesOfItsOwnAreTold) {  // CKC-046
  const auto offences = OffencesOf("CKC-046", {.profile_by_client_only = true});
  EXPECT_GT(offences.size(), 60u);
  EXPECT_THAT(offences, testing::Each(testing::HasSubstr("by turns of three contexts")));
}

}  // namespace
}  // namespace pmproof::validator::collector
