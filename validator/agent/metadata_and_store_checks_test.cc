// SPDX-License-Identifier: Apache-2.0
// Finer points of the checks of 16.3 to 16.5: what sound agents may do without being blamed, and
// faults that are not among those of generators/agent, each of which has its check fail.

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <ostream>
#include <string>
#include <vector>

#include "generators/agent/faults/edit_pdu.h"
#include "generators/agent/random_agent.h"
#include "validator/agent/check.h"
#include "validator/agent/run.h"
#include "validator/agent/testing/memory_subject.h"

namespace pmproof::validator::agent {
namespace {

using generators::AgentModel;
using generators::AgentWish;
using generators::Fault;
using generators::FaultContext;
using generators::Request;
using pdu::Buffer;

constexpr std::uint64_t kSeed = 11;

// An agent that has everything.
AgentModel Complete(AgentWish::Names names = AgentWish::Names::kSome) {
  generators::Random random(kSeed);
  return generators::RandomAgent(random, {.complete = true, .dynamic = names, .most_metrics = 0});
}

// What comes of one check.
Verdict Make(Clause id, const AgentModel& model, const Fault* fault = nullptr,
             const std::vector<std::string>& stores = {"all"}) {
  const auto catalogue = CheckCatalogue::Shipped();
  const pmda::NameTree names = NamesOf(model);
  const Discovery discovery{.domain = model.domain, .names = &names, .stores = stores};
  const AgentReport report = CheckAgent(testing::MemorySubject(model, fault), discovery,
                                        AllChecks(), catalogue, {.added = {id}});
  const auto made = std::ranges::find(report.checks, id, &CheckOutcome::id);
  return made != report.checks.end() ? made->verdict : Verdict::Fail("it was not made");
}

std::string ToText(const Verdict& verdict) {
  const char* const outcome = verdict.outcome == Outcome::kPass   ? "pass"
                              : verdict.outcome == Outcome::kFail ? "fail"
                                                                  : "not checked";
  return outcome + (verdict.because.empty() ? "" : ": " + verdict.because);
}

void ExpectPass(const Verdict& verdict) { EXPECT_TRUE(verdict.passed()) << ToText(verdict); }
void ExpectFail(const Verdict& verdict, const std::string& part) {
  EXPECT_EQ(verdict.outcome, Outcome::kFail) << ToText(verdict);
  EXPECT_NE(verdict.because.find(part), std::string::npos) << verdict.because;
}
void ExpectNotChecked(const Verdict& verdict, const std::string& part) {
  EXPECT_EQ(verdict.outcome, Outcome::kNotChecked) << ToText(verdict);
  EXPECT_NE(verdict.because.find(part), std::string::npos) << verdict.because;
}

bool AsksForAll(const Request& request) {
  const auto* const asked = request.As<pdu::InstanceReq>();
  return asked != nullptr && asked->instance == kInstanceNull && asked->name.empty();
}

// --- Instance domains that change

// The last instance is there in every second list only, and asked for alone it has gone.
constexpr Fault kComesAndGoes{
    .reply = [](FaultContext& context, const Request& request, Buffer& reply) {
      const auto& indom = context.model.indoms.front();
      const auto* const asked = request.As<pdu::InstanceReq>();
      if (asked == nullptr || asked->indom.serial() != indom.serial) return;
      const auto& last = indom.instances.back();
      if (!AsksForAll(request)) {
        if (asked->instance == last.number || asked->name == last.name ||
            asked->name == last.name.substr(0, last.name.find(' '))) {
          reply = generators::ErrorReply(ErrorCode::kInstance);
        }
      } else if (++context.count % 2 == 0) {
        generators::EditInstances(reply, [](auto& entries) { entries.pop_back(); });
      }
    }};

TEST(ChangingInstances, AreNotAFault) {
  const AgentModel model = Complete();
  for (const Clause id : {"CKA-069"_clause, "CKA-080"_clause, "CKA-081"_clause, "CKA-082"_clause,
                          "CKA-083"_clause, "CKA-086"_clause, "CKA-092"_clause}) {
    SCOPED_TRACE(id.ToString());
    ExpectPass(Make(id, model, &kComesAndGoes));
  }
}

TEST(ReturningInstance, WithAnotherNumberIsAFault) {
  constexpr Fault kRenumbers{
      .reply = [](FaultContext& context, const Request& request, Buffer& reply) {
        if (!AsksForAll(request)) return;
        const auto round = static_cast<std::int32_t>(++context.count);
        generators::EditInstances(reply, [&](auto& entries) {
          if (entries.empty()) return;
          if (round % 4 < 2)
            entries.pop_back();
          else
            entries.back().instance += 1000 * round;
        });
      }};
  ExpectFail(Make("CKA-086"_clause, Complete(), &kRenumbers), "its number was");
}

TEST(ReturningInstance, CanNotBeCheckedWhereNoneReturns) {
  ExpectNotChecked(Make("CKA-086"_clause, Complete()), "no instance left and came back");
}

// --- Profiles

TEST(Profile, WithAnInstanceTwiceGivesItsValueOnce) {
  constexpr Fault kTwice{.reply = [](FaultContext& context, const Request& request, Buffer& reply) {
    if (const auto* profile = request.As<pdu::Profile>()) {
      context.count = profile->entries.size() == 1 && profile->entries[0].instances.size() == 2 &&
                      profile->entries[0].instances[0] == profile->entries[0].instances[1];
    }
    if (request.As<pdu::Fetch>() == nullptr || context.count == 0) return;
    generators::EditSets(reply, [](auto& sets) {
      if (!sets[0].values.empty()) sets[0].values.push_back(sets[0].values[0]);
    });
  }};
  ExpectFail(Make("CKA-061"_clause, Complete(), &kTwice), "more than once");
}

TEST(Profile, ThatExcludesAllGivesNumval0AndNoError) {
  constexpr Fault kError{.reply = [](FaultContext&, const Request& request, Buffer& reply) {
    if (request.As<pdu::Fetch>() == nullptr) return;
    generators::EditSets(reply, [](auto& sets) {
      for (auto& one : sets) {
        if (one.values.empty() && one.set.status == ErrorCode::kOk) {
          one.set.status = pdu::kErrProfile;
        }
      }
    });
  }};
  ExpectFail(Make("CKA-061"_clause, Complete(), &kError), "numval -12365 (PM_ERR_PROFILE)");
  ExpectFail(Make("CKA-062"_clause, Complete(), &kError), "numval -12365, where 0 is due");
}

TEST(Profiles, OfAnAgentWithoutInstancesCanNotBeChecked) {
  AgentModel model = Complete();
  model.indoms.clear();
  std::erase_if(model.metrics, [](const auto& metric) { return metric.indom.has_value(); });
  for (const Clause id : {"CKA-061"_clause, "CKA-063"_clause, "CKA-064"_clause, "CKA-065"_clause,
                          "CKA-067"_clause, "CKA-069"_clause, "CKA-080"_clause}) {
    SCOPED_TRACE(id.ToString());
    ExpectNotChecked(Make(id, model), "instance");
  }
  for (const Clause id : {"CKA-060"_clause, "CKA-062"_clause, "CKA-066"_clause, "CKA-068"_clause}) {
    SCOPED_TRACE(id.ToString());
    ExpectPass(Make(id, model));
  }
}

// --- Labels

// Hands on another profile in place of each that has entries.
template <std::int32_t state>
void Replace(FaultContext&, const Request& request, Buffer& handed) {
  const auto* const profile = request.As<pdu::Profile>();
  if (profile != nullptr && !profile->entries.empty()) {
    handed = generators::Encoded(pdu::Profile{.state = state});
  }
}

TEST(Labels, FollowTheProfileOrComeForAllInstances) {
  constexpr Fault kNone{.request = Replace<pdu::kExclude>};
  ExpectFail(Make("CKA-092"_clause, Complete(), &kNone), "the profile includes only instance");
  constexpr Fault kAll{.request = Replace<pdu::kInclude>};
  const Verdict verdict = Make("CKA-092"_clause, Complete(), &kAll);
  EXPECT_TRUE(verdict.passed()) << verdict.because;
  EXPECT_NE(verdict.because.find("whatever the profile includes"), std::string::npos);
}

TEST(Labels, WithBytesBehindThemAreAFault) {
  constexpr Fault kPadded{.reply = [](FaultContext&, const Request& request, Buffer& reply) {
    if (request.As<pdu::LabelReq>() == nullptr || !generators::Is(reply, pdu::PduType::kLabel)) {
      return;
    }
    while (reply.size() % 4 != 0) reply.push_back(0);
    generators::FixLength(reply);
  }};
  ExpectFail(Make("CKA-091"_clause, Complete(), &kPadded), "bytes after its JSON texts");
}

TEST(Labels, MayBeUnknownToAnAgent) {
  AgentModel model = Complete();
  model.labelled = false;  // LABEL without sets for every type (PMD-093)
  ExpectNotChecked(Make("CKA-091"_clause, model), "no labels");
  ExpectNotChecked(Make("CKA-092"_clause, model), "no labels");
  ExpectPass(Make("CKA-093"_clause, model));
  ExpectPass(Make("CKA-094"_clause, model));
  constexpr Fault kNever{.reply = [](FaultContext&, const Request& request, Buffer& reply) {
    if (request.As<pdu::LabelReq>() != nullptr) {
      reply = generators::ErrorReply(static_cast<ErrorCode>(-21344));
    }
  }};
  ExpectNotChecked(Make("CKA-091"_clause, Complete(), &kNever), "knows no labels");
  ExpectNotChecked(Make("CKA-092"_clause, Complete(), &kNever), "no labels");
  ExpectNotChecked(Make("CKA-093"_clause, Complete(), &kNever), "knows no labels");
  ExpectPass(Make("CKA-094"_clause, Complete(), &kNever));
}

// --- Names

TEST(Names, AreCheckedWhereAnAgentHasSome) {
  for (const Clause id : {"CKA-095"_clause, "CKA-096"_clause, "CKA-097"_clause, "CKA-098"_clause}) {
    SCOPED_TRACE(id.ToString());
    ExpectPass(Make(id, Complete()));
    ExpectNotChecked(Make(id, Complete(AgentWish::Names::kNone)), "no names of its own");
  }
  ExpectNotChecked(Make("CKA-099"_clause, Complete()), "has names of its own");
  ExpectPass(Make("CKA-099"_clause, Complete(AgentWish::Names::kNone)));
}

TEST(Names, WithoutEndAreFoundOut) {
  constexpr Fault kEndless{.reply = [](FaultContext&, const Request& request, Buffer& reply) {
    const auto* const asked = request.As<pdu::PmnsChild>();
    if (asked == nullptr) return;
    const std::int32_t status = asked->subtype == 1 ? pdu::kNonLeaf : pdu::kLeaf;
    const pdu::PmnsName children[] = {{"again", status}, {"and_again", status}};
    reply = generators::Encoded(
        pdu::PmnsNames{.has_status = asked->subtype == 1, .names = std::span(children)});
  }};
  ExpectFail(Make("CKA-098"_clause, Complete(), &kEndless), "more than");
}

TEST(Names, ThatHaveNoPmidAreAFault) {
  constexpr Fault kNone{.reply = [](FaultContext&, const Request& request, Buffer& reply) {
    if (request.As<pdu::PmnsNames>() != nullptr) reply = generators::ErrorReply(ErrorCode::kName);
  }};
  ExpectFail(Make("CKA-095"_clause, Complete(), &kNone), "PMNS_IDS is due");
}

// --- Stores

// Dies of a store of a value to a metric that it has.
constexpr Fault kDiesOfStores{
    .request = [](FaultContext& context, const Request& request, Buffer&) {
      const auto* const store = request.As<pdu::Result>();
      if (store == nullptr) return;
      for (const pdu::ValueSet& set : store->sets) {
        if (!set.values.empty() && context.model.FindMetric(set.pmid) != nullptr)
          context.Die(SIGSEGV);
      }
    }};

TEST(Stores, ToKnownMetricsNeedLeave) {
  const AgentModel model = Complete();
  for (const Clause id :
       {"CKA-110"_clause, "CKA-111"_clause, "CKA-113"_clause, "CKA-114"_clause, "CKA-117"_clause}) {
    SCOPED_TRACE(id.ToString());
    ExpectNotChecked(Make(id, model, &kDiesOfStores, {}), "no store is allowed");
  }
  for (const Clause id : {"CKA-112"_clause, "CKA-115"_clause, "CKA-116"_clause, "CKA-118"_clause}) {
    SCOPED_TRACE(id.ToString());
    ExpectPass(Make(id, model, &kDiesOfStores, {}));
  }
}

TEST(Stores, AreAllChecked) {
  for (const Clause id :
       {"CKA-110"_clause, "CKA-111"_clause, "CKA-112"_clause, "CKA-113"_clause, "CKA-114"_clause,
        "CKA-115"_clause, "CKA-116"_clause, "CKA-117"_clause, "CKA-118"_clause}) {
    SCOPED_TRACE(id.ToString());
    ExpectPass(Make(id, Complete()));
  }
}

// Numbers in situ move on by `kStep` with every fetch.
template <int kStep>
void MovesOn(FaultContext& context, const Request& request, Buffer& reply) {
  if (request.As<pdu::Fetch>() == nullptr) return;
  const auto moved = static_cast<std::uint32_t>(++context.count * kStep);
  generators::EditSets(reply, [&](auto& sets) {
    for (auto& one : sets) {
      if (one.set.format != pdu::ValueFormat::kInsitu) continue;
      for (auto& value : one.values) value.word += moved;
    }
  });
}

TEST(Stores, ShowInMetricsThatMoveOnByThemselves) {
  constexpr Fault kMoves{.reply = MovesOn<1>};
  constexpr Fault kJumps{.reply = MovesOn<1000>};
  for (const Fault* const fault : {&kMoves, &kJumps}) {
    ExpectPass(Make("CKA-110"_clause, Complete(), fault));
    ExpectPass(Make("CKA-111"_clause, Complete(), fault));
  }
}

TEST(Stores, ToUnsupportedMetricsAreRefused) {  // PMD-104
  constexpr Fault kTakes{.reply = [](FaultContext& context, const Request& request, Buffer& reply) {
    const auto* const store = request.As<pdu::Result>();
    if (store == nullptr || store->sets.size() != 1) return;
    const auto* const metric = context.model.FindMetric(store->sets[0].pmid);
    if (metric == nullptr || metric->type != MetricType::kNoSupport) return;
    reply = generators::ErrorReply(ErrorCode::kOk);
  }};
  ExpectPass(Make("CKA-112"_clause, Complete()));
  ExpectFail(Make("CKA-112"_clause, Complete(), &kTakes), "which has type -1 (not supported)");
  // Nobody said that anything may be stored into it.
  ExpectPass(Make("CKA-112"_clause, Complete(), &kTakes, {}));
}

TEST(Stores, ThatShowAsSomethingElseAreAFault) {  // as sample.colour of pmdasample does
  constexpr Fault kElse{.reply = [](FaultContext& context, const Request& request, Buffer& reply) {
    const auto* const store = request.As<pdu::Result>();
    if (store != nullptr && !store->sets.empty() && !store->sets[0].values.empty()) {
      context.count = store->sets[0].values[0].word;
      context.kept = {{}};  // there was a store
    }
    if (request.As<pdu::Fetch>() == nullptr || context.kept.empty()) return;
    generators::EditSets(reply, [&](auto& sets) {
      for (auto& one : sets) {
        if (one.set.format != pdu::ValueFormat::kInsitu) continue;
        for (auto& value : one.values) {
          if (value.word == static_cast<std::uint32_t>(context.count)) value.word += 1'000'000'000;
        }
      }
    });
  }};
  ExpectFail(Make("CKA-111"_clause, Complete(), &kElse), "the next fetch gives");
}

TEST(Stores, ThatAreLostAreAFaultOfMetricsThatMoveOnToo) {
  constexpr Fault kLost{.request =
                            [](FaultContext& context, const Request& request, Buffer& handed) {
                              const auto* const store = request.As<pdu::Result>();
                              if (store == nullptr || store->sets.size() != 1) return;
                              const auto* const metric =
                                  context.model.FindMetric(store->sets[0].pmid);
                              if (metric != nullptr && metric->writable && !metric->indom &&
                                  metric->type == MetricType::kU32) {
                                handed = generators::Encoded(pdu::Result{});
                              }
                            },
                        .reply = MovesOn<1>};
  ExpectFail(Make("CKA-111"_clause, Complete(), &kLost), "is answered ERROR 0");
}

TEST(Stores, ThatAreRefusedAndYetMadeAreAFault) {
  constexpr Fault kMade{.reply = [](FaultContext&, const Request& request, Buffer& reply) {
    const auto* const store = request.As<pdu::Result>();
    if (store != nullptr && !store->sets.empty() && !store->sets[0].values.empty()) {
      reply = generators::ErrorReply(pdu::kErrBadStore);
    }
  }};
  ExpectFail(Make("CKA-110"_clause, Complete(), &kMade), "but its value is");
}

TEST(Stores, OfOtherValuesAreUndone) {
  // Remembers the last store of a value to a writable number, and dies if the channel ends while
  // that is not the value which was there at first.
  constexpr Fault kWatches{
      .request =
          [](FaultContext& context, const Request& request, Buffer&) {
            const auto* const store = request.As<pdu::Result>();
            if (store == nullptr || store->sets.size() != 1 || store->sets[0].values.size() != 1 ||
                store->sets[0].format != pdu::ValueFormat::kInsitu) {
              return;
            }
            const auto* const metric = context.model.FindMetric(store->sets[0].pmid);
            if (metric == nullptr || !metric->writable || metric->indom ||
                metric->type != MetricType::kU32) {
              return;
            }
            const std::uint32_t word = store->sets[0].values[0].word;
            if (context.kept.empty())
              context.kept.emplace_back();  // the first store is of what is there
            if (context.count == 0) context.count = 1 + static_cast<std::int64_t>(word);
            context.kept[0].assign(context.count != 1 + static_cast<std::int64_t>(word) ? 1 : 0, 0);
          },
      .farewell =
          [](FaultContext& context, generators::ChannelEnd, Buffer&) {
            if (!context.kept.empty() && !context.kept[0].empty()) context.Die(SIGABRT);
          }};
  for (const Clause id : {"CKA-113"_clause, "CKA-117"_clause}) {
    const AgentModel model = Complete();
    const auto catalogue = CheckCatalogue::Shipped();
    const pmda::NameTree names = NamesOf(model);
    const AgentReport report =
        CheckAgent(testing::MemorySubject(model, &kWatches),
                   {.domain = model.domain, .names = &names, .stores = {"all"}}, AllChecks(),
                   catalogue, {.added = {id}});
    const auto made = std::ranges::find(report.checks, id, &CheckOutcome::id);
    ASSERT_NE(made, report.checks.end());
    ExpectPass(made->verdict);
    for (const ExchangeLine& line : made->exchange) {
      EXPECT_EQ(line.text.find("signal"), std::string::npos) << id.ToString() << ": " << line.text;
    }
  }
}

TEST(Stores, ThatMakeAnAgentNotReadyAreWhatItIsMadeFor) {
  constexpr Fault kNotReady{
      .reply = [](FaultContext& context, const Request& request, Buffer& reply) {
        const auto* const store = request.As<pdu::Result>();
        if (store != nullptr && store->sets.size() == 1 && store->sets[0].values.size() == 1) {
          const auto* const metric = context.model.FindMetric(store->sets[0].pmid);
          if (metric == nullptr || !metric->writable || metric->type != MetricType::kDouble) return;
          if (++context.count > 1) context.kept = {{}};  // after the store of its own value
        } else if (request.As<pdu::Fetch>() != nullptr && !context.kept.empty()) {
          reply = generators::ErrorReply(pdu::kErrPmdaNotReady);
        }
      }};
  ExpectPass(Make("CKA-111"_clause, Complete(), &kNotReady));
}

}  // namespace
}  // namespace pmproof::validator::agent
