// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/fetch.h"
#include "validator/agent/offence_walk.h"
#include "validator/agent/profile_trial.h"
#include "validator/agent/storing.h"

// 16.5 Stores. After each store comes another question, so that a second answer to it shows.

namespace pmproof::validator::agent {
namespace {

bool Taken(ErrorCode code) { return code == ErrorCode::kOk; }

VerdictOr<std::optional<StoreItem>> Current(Session& session, const KnownMetric& metric,
                                            std::int32_t instance) {
  const auto fetched = FetchForValues(session, {metric.pmid});
  if (!fetched) return tl::make_unexpected(fetched.error());
  return StoreItem::FirstOf(fetched->result().sets[0], instance);
}

// A metric into which may be stored, and a value of it.
struct Target {
  const KnownMetric* metric = nullptr;
  StoreItem old{};
  bool writable = false;  // it takes its own value

  MetricType type() const { return metric->descriptor.type; }
  StoreSet Of(StoreItem item) const { return {.pmid = metric->pmid, .item = std::move(item)}; }
  StoreSet Old() const { return Of(old); }
};

// Storing what is there tells without harm which metrics take stores. Those that do come first.
VerdictOr<std::vector<Target>> Targets(Bench& bench, Session& session) {
  const Knowledge& knowledge = bench.knowledge();
  if (const auto any = knowledge.AnyMetric(); !any) return tl::make_unexpected(any.error());
  if (knowledge.storable.empty()) {
    return Unchecked("no store is allowed; give --store METRIC or --store all");
  }
  std::vector<Target> targets;
  for (const KnownMetric& metric : knowledge.metrics) {
    // Nobody stores events.
    if (!knowledge.MayStore(metric.pmid) || IsEvent(metric.descriptor.type)) continue;
    // Of an instance that stays (PMD-102).
    const auto stay = FetchAll(session, metric);
    if (!stay) return tl::make_unexpected(stay.error());
    if (stay->empty()) continue;
    auto old = Current(session, metric, stay->front());
    if (!old) return tl::make_unexpected(old.error());
    if (!*old) continue;
    Target target{.metric = &metric, .old = std::move(**old)};
    const auto code = StoreAndProbe(bench, session, {target.Old()});
    if (!code) return tl::make_unexpected(code.error());
    target.writable = Taken(*code);
    targets.push_back(std::move(target));
  }
  if (targets.empty()) return Unchecked("no metric for which a store is allowed has a value");
  std::ranges::stable_partition(targets, [](const Target& target) { return target.writable; });
  return targets;
}

// The same for checks of something else: that such a store is not answered as is due is CKA-110's.
VerdictOr<std::vector<Target>> TargetsAtAll(Bench& bench, Session& session) {
  auto targets = Targets(bench, session);
  if (!targets) return LeftTo({"CKA-110"_clause}, targets.error());
  return targets;
}

// What is wrong with a store of another value than that of now to a metric that is read-only;
// `looked` where it is so.
VerdictOr<std::string> WrongRefusal(Bench& bench, Session& session, const Target& found,
                                    bool* looked) {
  const auto before = Current(session, *found.metric, found.old.instance);
  if (!before) return tl::make_unexpected(before.error());
  if (!*before) return "";
  Target target = found;
  target.old = **before;
  const auto others = OtherValues(target.old, target.type());
  if (others.empty()) return "";
  const StoreItem& other = others[0];
  const auto code = StoreAndProbe(bench, session, {target.Of(other)});
  if (!code) return tl::make_unexpected(code.error());
  if (Taken(*code)) {  // it is writable after all: CKA-111
    if (const auto back = Store(session, {target.Old()}); !back) {
      return tl::make_unexpected(back.error());
    }
    return "";
  }
  const auto now = Current(session, *target.metric, target.old.instance);
  if (!now) return tl::make_unexpected(now.error());
  *looked = true;
  if (!*now || !Shows(**now, other, target.old, target.type())) return "";
  return target.metric->ToText() + ": a store of " + ValueText(other, target.type()) +
         " is answered ERROR " + CodeText(*code) + ", but its value is " +
         ValueText(**now, target.type()) + " now, and was " + ValueText(target.old, target.type());
}

// The same for checks that can be made without such a metric, too: empty where there is none.
VerdictOr<std::vector<Target>> TargetsIfAny(Bench& bench, Session& session) {
  if (bench.knowledge().storable.empty()) return std::vector<Target>{};
  return TargetsAtAll(bench, session);
}

// CKA-110
Verdict ReadOnlyMetricsRefuse(Bench& bench, Session& session) {
  const auto targets = Targets(bench, session);
  if (!targets) return targets.error();
  bool looked = false;
  OffenceWalk offences(bench, session);
  for (const Target& target : *targets) {
    if (target.writable) continue;
    // A value that jumps about may have come to what was stored by itself, but not twice.
    const Verdict verdict =
        UnlessWrongTwice([&] { return WrongRefusal(bench, session, target, &looked); });
    if (!verdict.passed() && !offences.GoOn(verdict)) return offences.Or(verdict);
  }
  if (looked) return offences.Or(Verdict::Pass());
  return offences.Or(Verdict::NotChecked("no metric for which a store is allowed refuses it"));
}

// What came of storing another value.
struct StoreOutcome {
  bool looked = false;
  bool not_ready = false;  // the agent needs time now: it may be made for that (sample.not_ready)
  std::string wrong{};
  std::string remark{};
};

VerdictOr<StoreOutcome> StoreAnother(Session& session, const Target& target) {
  const auto earlier = Current(session, *target.metric, target.old.instance);
  if (!earlier) return tl::make_unexpected(earlier.error());
  const auto before = Current(session, *target.metric, target.old.instance);
  if (!before) return tl::make_unexpected(before.error());
  StoreOutcome outcome;
  if (!*earlier || !*before) return outcome;
  for (const StoreItem& other : OtherValues(target.old, target.type())) {
    const auto code = Store(session, {target.Of(other)});
    if (!code) return tl::make_unexpected(code.error());
    if (!Taken(*code)) continue;  // out of its range
    const pdu::Fetch fetch{.pmids = std::span(&target.metric->pmid, 1)};
    const Answer answer = session.AskOnce(fetch);
    const auto* const error = answer.As<pdu::Error>();
    if (error != nullptr && error->code == pdu::kErrPmdaNotReady)
      return StoreOutcome{.not_ready = true};
    const auto* const result = answer.As<pdu::Result>();
    if (result == nullptr || result->sets.size() != 1) {
      return Failed("after a store to " + target.metric->ToText() + ", " +
                    Session::Unexpected(fetch, answer, pdu::PduType::kResult));
    }
    const auto now = StoreItem::FirstOf(result->sets[0], target.old.instance);
    if (const auto back = Store(session, {target.Old()}); !back) {
      return tl::make_unexpected(back.error());
    }
    outcome.looked = true;
    // What stands still by itself is what was stored, exactly.
    const bool still = Same(**earlier, **before, target.type());
    if (now &&
        (still ? Same(*now, other, target.type()) : Shows(*now, other, **before, target.type()))) {
      continue;
    }
    const std::string what = target.metric->ToText() + ": a store of " +
                             ValueText(other, target.type()) +
                             " is answered ERROR 0, and the next fetch gives " +
                             (now ? ValueText(*now, target.type()) : "no value") + "; it was " +
                             ValueText(**before, target.type());
    // What moves on by itself may be anywhere by now, unless it is as if nothing had been stored.
    const bool wrong = still || !now || Lost(*now, other, **before, **earlier, target.type());
    (wrong ? outcome.wrong : outcome.remark) = what;
    return outcome;
  }
  return outcome;
}

// CKA-111
Verdict StoredValuesShow(Bench& bench) {
  std::optional<Session> session;
  const auto open = [&]() -> VerdictOr<void> {
    session.reset();
    auto opened = bench.Open();
    if (!opened) return tl::make_unexpected(opened.error());
    session.emplace(std::move(*opened));
    return {};
  };
  if (const auto opened = open(); !opened) return opened.error();
  const auto targets = TargetsAtAll(bench, *session);
  if (!targets) return targets.error();
  bool looked = false;
  std::string remark;
  OffenceWalk offences(bench, *session);
  for (const Target& target : *targets) {
    if (!target.writable) continue;
    auto stored = StoreAnother(*session, target);
    // What seldom changes may have changed just now, but not twice.
    if (stored && !stored->wrong.empty()) stored = StoreAnother(*session, target);
    if (!stored) {
      if (offences.GoOn(stored.error())) continue;
      return offences.Or(stored.error());
    }
    if (!stored->wrong.empty() && !offences.GoOn(stored->wrong)) break;
    looked |= stored->looked;
    if (remark.empty()) remark = stored->remark;
    if (!stored->not_ready) continue;
    if (const auto opened = open(); !opened) return offences.Or(opened.error());
  }
  if (offences.any()) return offences.Or(Verdict::Pass());
  if (!looked) {
    return Verdict::NotChecked("no metric for which a store is allowed takes another value");
  }
  const Verdict probe = bench.Probe(*session);
  return probe.passed() ? Verdict::Pass(remark) : probe;
}

// CKA-112
Verdict UnknownMetricsRefuse(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  const auto code =
      StoreAndProbe(bench, session, {{.pmid = *unused, .item = StoreItem::InSitu(1)}});
  if (!code) return code.error();
  if (Taken(*code)) {
    return Verdict::Fail("a store to " + ToText(*unused) +
                         ", which is not a metric, is answered ERROR 0");
  }
  // PMD-104
  for (const KnownMetric& metric : bench.knowledge().metrics) {
    if (metric.descriptor.type != MetricType::kNoSupport ||
        !bench.knowledge().MayStore(metric.pmid))
      continue;
    const auto refused =
        StoreAndProbe(bench, session, {{.pmid = metric.pmid, .item = StoreItem::InSitu(1)}});
    if (!refused) return refused.error();
    if (!Taken(*refused)) continue;
    return Verdict::Fail("a store to " + metric.ToText() +
                         ", which has type -1 (not supported), is answered ERROR 0");
  }
  return Verdict::Pass();
}

// A value that is not as those of its metric are. In another form it may be the same, which an
// agent may understand.
struct WrongValue {
  const char* name = "";
  StoreItem item{};
  bool other_form = false;
};
std::vector<WrongValue> WrongValues(MetricType type, std::int32_t instance) {
  const std::uint8_t zeros[8] = {};
  std::vector<WrongValue> wrong;
  if (type != MetricType::k32 && type != MetricType::kU32) {
    // The bits of a FLOAT fit into a word.
    wrong.push_back({"in situ", StoreItem::InSitu(1, instance), type == MetricType::kFloat});
  } else {
    wrong.push_back({"a block", StoreItem::Block(type, Bytes(zeros, 4), instance), true});
  }
  if (type != MetricType::kString) {
    wrong.push_back({"a STRING", StoreItem::Text("pmproof", instance)});
  }
  if (type != MetricType::kDouble) {
    wrong.push_back({"a DOUBLE", StoreItem::Block(MetricType::kDouble, Bytes(zeros, 8), instance)});
  }
  if (type == MetricType::kString) {
    wrong.push_back({"a STRING without NUL",
                     StoreItem::Block(MetricType::kString, AsBytes("pmproof"), instance), true});
  }
  return wrong;
}

// Whether its value changes from one fetch to the next, so that what was stored is not to be seen.
VerdictOr<bool> MovesByItself(Session& session, const Target& target) {
  const auto first = Current(session, *target.metric, target.old.instance);
  if (!first) return tl::make_unexpected(first.error());
  const auto second = Current(session, *target.metric, target.old.instance);
  if (!second) return tl::make_unexpected(second.error());
  return *first && *second && !Same(**first, **second, target.type());
}

// Empty, or what is wrong with ERROR 0 as the answer to such a store.
VerdictOr<std::string> WrongAcceptance(Session& session, const Target& target,
                                       const WrongValue& wrong) {
  const auto now = Current(session, *target.metric, target.old.instance);
  if (!now) return tl::make_unexpected(now.error());
  if (wrong.other_form) {
    if (*now && Same(**now, wrong.item, target.type())) return "";
    const auto moves = MovesByItself(session, target);
    if (!moves) return tl::make_unexpected(moves.error());
    if (*moves) return "";
  }
  return target.metric->ToText() + " of type " + ToText(target.type()) + ", given " + wrong.name +
         ": ERROR 0, where an ERROR below 0 is due; it was " +
         ValueText(target.old, target.type()) + ", and the next fetch gives " +
         (*now ? ValueText(**now, target.type()) : "no value");
}

// CKA-113
Verdict WrongTypesAreRefused(Bench& bench, Session& session) {
  const auto targets = TargetsAtAll(bench, session);
  if (!targets) return targets.error();
  std::vector<MetricType> done;
  OffenceWalk offences(bench, session);
  for (const Target& target : *targets) {
    if (std::ranges::find(done, target.type()) != done.end()) continue;
    done.push_back(target.type());
    for (const WrongValue& wrong : WrongValues(target.type(), target.old.instance)) {
      const auto code = StoreAndProbe(bench, session, {target.Of(wrong.item)});
      if (!code) {
        if (offences.GoOn(target.metric->ToText() + ", given " + wrong.name + ": " +
                          code.error().because)) {
          continue;
        }
        return offences.Or(code.error());
      }
      VerdictOr<std::string> taken;
      if (Taken(*code)) taken = WrongAcceptance(session, target, wrong);
      if (const auto back = Store(session, {target.Old()}); !back) {
        return offences.Or(back.error());
      }
      if (!taken) return offences.Or(taken.error());
      if (!taken->empty() && !offences.GoOn(*taken)) return offences.Or(Verdict::Pass());
    }
  }
  return offences.Or(Verdict::Pass());
}

// CKA-114
Verdict UnknownInstancesAreRefused(Bench& bench, Session& session) {
  const auto targets = TargetsAtAll(bench, session);
  if (!targets) return targets.error();
  const auto target = std::ranges::find_if(
      *targets, [](const Target& one) { return !one.metric->descriptor.indom.IsNull(); });
  if (target == targets->end()) {
    return Verdict::NotChecked("no metric for which a store is allowed has instances");
  }
  const auto instances = InstancesAtAll(session, target->metric->descriptor.indom);
  if (!instances) return instances.error();
  StoreItem item = target->old;
  item.instance = UnusedInstance(*instances);
  const auto code = StoreAndProbe(bench, session, {target->Of(item)});
  if (!code) return code.error();
  if (!Taken(*code)) return Verdict::Pass();
  return Verdict::Fail("a store to " + target->metric->ToText() + ", instance " +
                       std::to_string(item.instance) +
                       ", which is not there, is answered ERROR 0, where an ERROR below 0 is due");
}

// CKA-115
Verdict EmptyStoresAreAnswered(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  const auto targets = TargetsIfAny(bench, session);
  if (!targets) return targets.error();
  const Pmid pmid = targets->empty() ? *unused : targets->front().metric->pmid;
  for (const std::vector<StoreSet>& items :
       {std::vector<StoreSet>{},
        {StoreSet{.pmid = pmid}},
        {StoreSet{.pmid = pmid, .status = ErrorCode::kPmid}}}) {
    const auto code = StoreAndProbe(bench, session, items);
    if (!code) return code.error();
  }
  return Verdict::Pass();
}

// CKA-116
Verdict TimesOfStoresAreIgnored(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  const auto targets = TargetsIfAny(bench, session);
  if (!targets) return targets.error();
  std::vector<StoreSet> items = {{.pmid = *unused, .item = StoreItem::InSitu(1)}};
  if (!targets->empty()) items.push_back(targets->front().Old());
  // What pmcd was seen to send (PDU-114).
  constexpr StoreTimes kTimes[] = {{-0x793c2000, -0x1f093f}, {0x7fffffff, 0x7fffffff}, {-1, -1}};
  OffenceWalk offences(bench, session);
  for (const StoreSet& item : items) {
    const auto due = StoreAndProbe(bench, session, {item});
    if (!due) return offences.Or(due.error());
    for (const StoreTimes times : kTimes) {
      const auto code = StoreAndProbe(bench, session, {item}, times);
      if (!code) return offences.Or(code.error());
      if (*code == *due) continue;
      offences.Note("a store to " + ToText(item.pmid) + " is answered ERROR " + CodeText(*due) +
                    ", and with the time " + std::to_string(times.seconds) + ", " +
                    std::to_string(times.microseconds) + " ERROR " + CodeText(*code));
    }
  }
  return offences.Or(Verdict::Pass());
}

// CKA-117
Verdict StoresOfTwoMetrics(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  const auto targets = TargetsAtAll(bench, session);
  if (!targets) return targets.error();
  const auto first = Store(session, {{.pmid = *unused, .item = StoreItem::InSitu(1)}});
  if (!first) return LeftTo({"CKA-112"_clause}, first.error()).value();
  if (Taken(*first)) {
    return Verdict::Left("a store to a metric that does not exist does not fail",
                         {"CKA-112"_clause});
  }
  for (const Target& target : *targets) {
    if (!target.writable) break;
    for (const StoreItem& other : OtherValues(target.old, target.type())) {
      const auto code = StoreAndProbe(
          bench, session, {{.pmid = *unused, .item = StoreItem::InSitu(1)}, target.Of(other)});
      if (!code) return code.error();
      const auto now = Current(session, *target.metric, target.old.instance);
      if (!now) return now.error();
      const bool applied = *now && Shows(**now, other, target.old, target.type());
      if (const auto back = Store(session, {target.Old()}); !back) return back.error();
      const std::string what = "a store to " + ToText(*unused) +
                               ", which is not a metric, and to " + target.metric->ToText() +
                               " is answered ERROR " + CodeText(*code);
      if (Taken(*code)) return Verdict::Fail(what);
      return Verdict::Pass(what + "; the second was " + (applied ? "" : "not ") + "set");
    }
  }
  return Verdict::NotChecked("no metric for which a store is allowed takes another value");
}

// CKA-118
Verdict StringsOfAnySizeAreAnswered(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  const auto targets = TargetsIfAny(bench, session);
  if (!targets) return targets.error();
  const auto found = std::ranges::find(*targets, MetricType::kString, &Target::type);
  const Target* const text = found != targets->end() ? &*found : nullptr;
  const Pmid pmid = text != nullptr ? text->metric->pmid : *unused;
  const std::int32_t instance = text != nullptr ? text->old.instance : kInstanceNull;
  OffenceWalk offences(bench, session);
  for (const std::size_t vlen : {std::size_t{4}, std::max<std::size_t>(bench.limits().block, 5)}) {
    std::vector<std::uint8_t> body(vlen - 4, 'x');
    if (!body.empty()) body.back() = 0;
    const auto code = StoreAndProbe(
        bench, session,
        {{.pmid = pmid, .item = StoreItem::Block(MetricType::kString, body, instance)}});
    if (!code) {
      if (offences.GoOn("a STRING block of vlen " + std::to_string(vlen) + ": " +
                        code.error().because)) {
        continue;
      }
      break;
    }
    if (text == nullptr) continue;
    if (const auto back = Store(session, {text->Old()}); !back) return offences.Or(back.error());
  }
  return offences.Or(
      Verdict::Pass(text != nullptr ? "" : "to " + ToText(pmid) + ", which is not a metric"));
}

constexpr Check kChecks[] = {
    {"CKA-110"_clause, ReadOnlyMetricsRefuse},       {"CKA-111"_clause, StoredValuesShow},
    {"CKA-112"_clause, UnknownMetricsRefuse},        {"CKA-113"_clause, WrongTypesAreRefused},
    {"CKA-114"_clause, UnknownInstancesAreRefused},  {"CKA-115"_clause, EmptyStoresAreAnswered},
    {"CKA-116"_clause, TimesOfStoresAreIgnored},     {"CKA-117"_clause, StoresOfTwoMetrics},
    {"CKA-118"_clause, StringsOfAnySizeAreAnswered},
};

}  // namespace

std::span<const Check> StoreChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
