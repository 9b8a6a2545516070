#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "validator/agent/asking.h"
#include "validator/agent/check.h"

// 16.5 Stores. Behind each store comes another question, so that a second answer to it shows.

namespace pmproof::validator::agent {
namespace {

// A value with bytes of its own, to be stored and stored again.
struct Item {
  std::int32_t instance = kInstanceNull;
  pdu::ValueFormat format = pdu::ValueFormat::kInsitu;
  std::uint32_t word = 0;
  MetricType type = MetricType::kUnknown;  // of the block
  std::vector<std::uint8_t> body{};

  pdu::InstanceValue View() const {
    return {.instance = instance, .word = word, .type = type, .body = std::span(body)};
  }
};

// The value set of one metric: one value, or none and a status.
struct ItemOf {
  Pmid pmid{};
  std::optional<Item> item{};
  ErrorCode status = ErrorCode::kOk;
};

struct Times {
  std::int32_t seconds = 0;
  std::int32_t microseconds = 0;
};

// The code of the ERROR that answers a store.
Or<ErrorCode> Store(Session& session, const std::vector<ItemOf>& items, Times times = {}) {
  std::vector<pdu::InstanceValue> values;
  for (const ItemOf& one : items)
    values.push_back(one.item ? one.item->View() : pdu::InstanceValue{});
  std::vector<pdu::ValueSet> sets;
  for (std::size_t i = 0; i < items.size(); ++i) {
    pdu::ValueSet& set = sets.emplace_back();
    set.pmid = items[i].pmid;
    set.status = items[i].status;
    if (!items[i].item) continue;
    set.format = items[i].item->format;
    set.values = std::span(&values[i], 1);
  }
  const pdu::Result store{times.seconds, times.microseconds, std::span(sets)};
  const auto answer = session.Expect<pdu::Error>(store);
  if (!answer) return tl::make_unexpected(answer.error());
  const ErrorCode code = answer->As<pdu::Error>()->code;
  if (static_cast<std::int32_t>(code) <= 0) return code;
  return Failed(Brief(store) + ": ERROR " + CodeText(code) + ", where 0 or less is due");
}

bool Taken(ErrorCode code) { return code == ErrorCode::kOk; }

// The same, and the probe behind it: there was exactly one answer.
Or<ErrorCode> StoreAndProbe(Bench& bench, Session& session, const std::vector<ItemOf>& items,
                            Times times = {}) {
  auto code = Store(session, items, times);
  if (!code) return code;
  const Verdict probe = bench.Probe(session);
  if (!probe.passed()) return Failed("behind a store " + probe.because);
  return code;
}

Item Block(MetricType type, Bytes body, std::int32_t instance = kInstanceNull) {
  return {.instance = instance,
          .format = pdu::ValueFormat::kDynamic,
          .type = type,
          .body = {body.begin(), body.end()}};
}

Item Text(std::string text, std::int32_t instance = kInstanceNull) {
  text += '\0';
  return Block(MetricType::kString, AsBytes(text), instance);
}

Item InSitu(std::uint32_t word, std::int32_t instance = kInstanceNull) {
  return {.instance = instance, .word = word};
}

std::optional<double> NumberOf(const Item& item, MetricType type) {
  const auto value = pdu::ValueOf(item.View(), item.format, type);
  if (!value) return std::nullopt;
  switch (type) {
    case MetricType::k32:
      return value->AsI32();
    case MetricType::kU32:
      return value->AsU32();
    case MetricType::k64:
      return static_cast<double>(value->AsI64());
    case MetricType::kU64:
      return static_cast<double>(value->AsU64());
    case MetricType::kFloat:
      return value->AsFloat();
    case MetricType::kDouble:
      return value->AsDouble();
    default:
      return std::nullopt;
  }
}

// `number` fits the type.
Item Number(double number, MetricType type, std::int32_t instance) {
  std::uint8_t bytes[8];
  switch (type) {
    case MetricType::k32:
      return InSitu(static_cast<std::uint32_t>(static_cast<std::int32_t>(number)), instance);
    case MetricType::kU32:
      return InSitu(static_cast<std::uint32_t>(number), instance);
    case MetricType::kFloat:
      StoreU32(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(number)));
      return Block(type, Bytes(bytes, 4), instance);
    case MetricType::k64:
      StoreU64(bytes, static_cast<std::uint64_t>(static_cast<std::int64_t>(number)));
      break;
    case MetricType::kU64:
      StoreU64(bytes, static_cast<std::uint64_t>(number));
      break;
    default:
      StoreU64(bytes, std::bit_cast<std::uint64_t>(number));
      break;
  }
  return Block(type, Bytes(bytes, 8), instance);
}

std::string TextOf(const Item& item) {
  const std::string_view text = AsText(item.body);
  return std::string(text.substr(0, text.find('\0')));
}

// Other values than `old`, far enough from it that a metric that moves on by itself can be told
// from one that was set. Empty for types of which no value is made up.
std::vector<Item> Others(const Item& old, MetricType type) {
  std::vector<Item> others;
  if (type == MetricType::kString) {
    for (const char* const text : {"pmproof", "p"}) {
      if (TextOf(old) != text) others.push_back(Text(text, old.instance));
    }
    return others;
  }
  const auto number = NumberOf(old, type);
  if (!number) return others;
  const bool large = std::isfinite(*number) && std::abs(*number) >= 100;
  const double near_zero = std::isfinite(*number) && !large ? *number : 0;
  const auto add = [&](double other) { others.push_back(Number(other, type, old.instance)); };
  if (large) add(std::trunc(*number / 2));
  add(std::trunc(near_zero) + 50);
  if (large || std::abs(near_zero) > 20) add(0);
  return others;
}

// Whether `now` is what was stored, or what became of it since, and not of what was before.
bool Shows(const Item& now, const Item& stored, const Item& old, MetricType type) {
  if (type == MetricType::kString) return TextOf(now) == TextOf(stored);
  const auto seen = NumberOf(now, type);
  const auto due = NumberOf(stored, type);
  const auto before = NumberOf(old, type);
  if (!seen || !due || !before) return false;
  if (!std::isfinite(*before)) return *seen == *due;
  return std::abs(*seen - *due) < std::abs(*seen - *before);
}

std::string ShownText(const Item& item, MetricType type) {
  if (type == MetricType::kString) return "\"" + TextOf(item).substr(0, 60) + "\"";
  const auto number = NumberOf(item, type);
  if (!number) return "what is no value of its type";
  std::string text = std::to_string(*number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// The first value of what was fetched; that of `instance`, if one is given.
std::optional<Item> FirstOf(const pdu::ValueSet& set, std::optional<std::int32_t> instance = {}) {
  for (const pdu::InstanceValue& value : set.values) {
    if (instance && value.instance != *instance) continue;
    return Item{
        value.instance, set.format, value.word, value.type, {value.body.begin(), value.body.end()}};
  }
  return std::nullopt;
}

Or<std::optional<Item>> Current(Session& session, const KnownMetric& metric,
                                std::optional<std::int32_t> instance = {}) {
  const auto fetched = Fetch(session, metric.pmid);
  if (!fetched) return tl::make_unexpected(fetched.error());
  return FirstOf(SetOf(*fetched), instance);
}

// A metric into which may be stored, and a value of it.
struct Target {
  const KnownMetric* metric = nullptr;
  Item old{};
  bool writable = false;  // it takes its own value

  MetricType type() const { return metric->descriptor.type; }
  ItemOf Of(Item item) const { return {.pmid = metric->pmid, .item = std::move(item)}; }
  ItemOf Old() const { return Of(old); }
};

// Storing what is there tells without harm which metrics take stores. Those that do come first.
Or<std::vector<Target>> Targets(Bench& bench, Session& session) {
  const Knowledge& knowledge = bench.knowledge();
  if (const auto any = knowledge.AnyMetric(); !any) return tl::make_unexpected(any.error());
  if (knowledge.storable.empty()) {
    return Unchecked("no store is allowed; give --store METRIC or --store all");
  }
  std::vector<Target> targets;
  for (const KnownMetric& metric : knowledge.metrics) {
    if (!knowledge.MayStore(metric.pmid)) continue;
    auto old = Current(session, metric);
    if (!old) return tl::make_unexpected(old.error());
    if (!*old) continue;
    Target target{.metric = &metric, .old = std::move(**old)};
    const auto code = Store(session, {target.Old()});
    if (!code) return tl::make_unexpected(code.error());
    target.writable = Taken(*code);
    targets.push_back(std::move(target));
  }
  if (targets.empty()) return Unchecked("no metric for which a store is allowed has a value");
  std::ranges::stable_partition(targets, [](const Target& target) { return target.writable; });
  return targets;
}

// CKA-110
Verdict ReadOnlyMetricsRefuse(Bench& bench, Session& session) {
  const auto targets = Targets(bench, session);
  if (!targets) return targets.error();
  bool looked = false;
  for (const Target& target : *targets) {
    if (target.writable) continue;
    const auto others = Others(target.old, target.type());
    if (others.empty()) continue;
    const auto code = StoreAndProbe(bench, session, {target.Of(others[0])});
    if (!code) return code.error();
    if (Taken(*code)) continue;  // it is writable after all: CKA-111
    const auto now = Current(session, *target.metric, target.old.instance);
    if (!now) return now.error();
    looked = true;
    if (*now && Shows(**now, others[0], target.old, target.type())) {
      return Verdict::Fail(target.metric->ToText() + ": a store of " +
                           ShownText(others[0], target.type()) + " is answered ERROR " +
                           CodeText(*code) + ", but its value is " +
                           ShownText(**now, target.type()) + " now, and was " +
                           ShownText(target.old, target.type()));
    }
  }
  if (looked) return Verdict::Pass();
  return Verdict::NotChecked("no metric for which a store is allowed refuses it");
}

// What came of storing another value: text if it is wrong, false if nothing could be seen.
Or<std::pair<bool, std::string>> ShowsStore(Session& session, const Target& target) {
  for (const Item& other : Others(target.old, target.type())) {
    const auto code = Store(session, {target.Of(other)});
    if (!code) return tl::make_unexpected(code.error());
    if (!Taken(*code)) continue;  // out of its range
    const pdu::Fetch fetch{.pmids = std::span(&target.metric->pmid, 1)};
    const Answer answer = session.Ask(fetch);
    const auto* const error = answer.As<pdu::Error>();
    // It is made for that (sample.not_ready).
    if (error != nullptr && error->code == pdu::kErrPmdaNotReady) return std::pair(false, "");
    const auto* const result = answer.As<pdu::Result>();
    if (result == nullptr || result->sets.size() != 1) {
      return Failed(Session::Unexpected(fetch, answer, pdu::PduType::kResult));
    }
    const auto now = FirstOf(result->sets[0], target.old.instance);
    if (const auto back = Store(session, {target.Old()}); !back) {
      return tl::make_unexpected(back.error());
    }
    if (now && Shows(*now, other, target.old, target.type())) return std::pair(true, "");
    return std::pair(true, target.metric->ToText() + ": a store of " +
                               ShownText(other, target.type()) +
                               " is answered ERROR 0, but the next fetch gives " +
                               (now ? ShownText(*now, target.type()) : "no value") + "; it was " +
                               ShownText(target.old, target.type()));
  }
  return std::pair(false, "");
}

// CKA-111
Verdict StoredValuesShow(Bench& bench) {
  auto session = bench.Open();
  if (!session) return session.error();
  const auto targets = Targets(bench, *session);
  if (!targets) return targets.error();
  std::size_t shown = 0;
  for (const Target& target : *targets) {
    if (!target.writable) continue;
    // Each with an agent of its own: a store may be what changes how the agent behaves.
    auto fresh = bench.Open();
    if (!fresh) return fresh.error();
    const auto came = ShowsStore(*fresh, target);
    if (!came) return came.error();
    if (!came->second.empty()) return Verdict::Fail(came->second);
    if (came->first) ++shown;
  }
  if (shown == 0) {
    return Verdict::NotChecked("no metric for which a store is allowed takes another value");
  }
  return bench.Probe(*session);
}

// CKA-112
Verdict UnknownMetricsRefuse(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  const auto code = StoreAndProbe(bench, session, {{.pmid = *unused, .item = InSitu(1)}});
  if (!code) return code.error();
  if (!Taken(*code)) return Verdict::Pass();
  return Verdict::Fail("a store to " + ToText(*unused) +
                       ", which is no metric, is answered ERROR 0");
}

// Values that are none of `type`, as one instance has them.
std::vector<std::pair<const char*, Item>> WrongValues(MetricType type, std::int32_t instance) {
  const std::uint8_t zeros[8] = {};
  std::vector<std::pair<const char*, Item>> wrong;
  if (type != MetricType::k32 && type != MetricType::kU32) {
    wrong.emplace_back("in situ", InSitu(1, instance));
  } else {
    wrong.emplace_back("a block", Block(type, Bytes(zeros, 4), instance));
  }
  if (type != MetricType::kString) wrong.emplace_back("a STRING", Text("pmproof", instance));
  if (type != MetricType::kDouble) {
    wrong.emplace_back("a DOUBLE", Block(MetricType::kDouble, Bytes(zeros, 8), instance));
  }
  if (type == MetricType::kString) {
    wrong.emplace_back("a STRING without NUL",
                       Block(MetricType::kString, AsBytes("pmproof"), instance));
  }
  return wrong;
}

// CKA-113
Verdict WrongTypesAreAnswered(Bench& bench, Session& session) {
  const auto targets = Targets(bench, session);
  if (!targets) return targets.error();
  std::vector<MetricType> done;
  for (const Target& target : *targets) {
    if (std::ranges::find(done, target.type()) != done.end()) continue;
    done.push_back(target.type());
    for (const auto& [name, item] : WrongValues(target.type(), target.old.instance)) {
      const auto code = StoreAndProbe(bench, session, {target.Of(item)});
      if (!code) {
        return Verdict::Fail(target.metric->ToText() + ", given " + name + ": " +
                             code.error().because);
      }
      if (const auto back = Store(session, {target.Old()}); !back) return back.error();
    }
  }
  return Verdict::Pass();
}

// CKA-114
Verdict UnknownInstancesAreAnswered(Bench& bench, Session& session) {
  const auto targets = Targets(bench, session);
  if (!targets) return targets.error();
  const auto target = std::ranges::find_if(
      *targets, [](const Target& one) { return !one.metric->descriptor.indom.IsNull(); });
  if (target == targets->end()) {
    return Verdict::NotChecked("no metric for which a store is allowed has instances");
  }
  const auto instances = Instances(session, target->metric->descriptor.indom);
  if (!instances) return instances.error();
  Item item = target->old;
  item.instance = UnusedInstance(*instances);
  const auto code = StoreAndProbe(bench, session, {target->Of(item)});
  if (!code) return code.error();
  if (!Taken(*code)) return Verdict::Pass();
  return Verdict::Pass("a store to " + target->metric->ToText() + ", instance " +
                       std::to_string(item.instance) + ", which is not there, is answered ERROR 0");
}

// CKA-115
Verdict EmptyStoresAreAnswered(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  const auto targets = Targets(bench, session);
  if (!targets && targets.error().outcome == Outcome::kFail) return targets.error();
  const Pmid pmid = targets ? targets->front().metric->pmid : *unused;
  for (const std::vector<ItemOf>& items : {std::vector<ItemOf>{},
                                           {ItemOf{.pmid = pmid}},
                                           {ItemOf{.pmid = pmid, .status = ErrorCode::kPmid}}}) {
    const auto code = StoreAndProbe(bench, session, items);
    if (!code) return code.error();
  }
  return Verdict::Pass();
}

// CKA-116
Verdict TimesOfStoresAreIgnored(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  const auto targets = Targets(bench, session);
  if (!targets && targets.error().outcome == Outcome::kFail) return targets.error();
  std::vector<ItemOf> items = {{.pmid = *unused, .item = InSitu(1)}};
  if (targets) items.push_back(targets->front().Old());
  // What pmcd was seen to send (PDU-114).
  constexpr Times kTimes[] = {{-0x793c2000, -0x1f093f}, {0x7fffffff, 0x7fffffff}, {-1, -1}};
  for (const ItemOf& item : items) {
    const auto due = StoreAndProbe(bench, session, {item});
    if (!due) return due.error();
    for (const Times times : kTimes) {
      const auto code = StoreAndProbe(bench, session, {item}, times);
      if (!code) return code.error();
      if (*code == *due) continue;
      return Verdict::Fail("a store to " + ToText(item.pmid) + " is answered ERROR " +
                           CodeText(*due) + ", and with the time " + std::to_string(times.seconds) +
                           ", " + std::to_string(times.microseconds) + " ERROR " + CodeText(*code));
    }
  }
  return Verdict::Pass();
}

// CKA-117
Verdict StoresOfTwoMetrics(Bench& bench, Session& session) {
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  const auto targets = Targets(bench, session);
  if (!targets) return targets.error();
  for (const Target& target : *targets) {
    if (!target.writable) break;
    for (const Item& other : Others(target.old, target.type())) {
      const auto code =
          StoreAndProbe(bench, session, {{.pmid = *unused, .item = InSitu(1)}, target.Of(other)});
      if (!code) return code.error();
      const auto now = Current(session, *target.metric, target.old.instance);
      if (!now) return now.error();
      const bool applied = *now && Shows(**now, other, target.old, target.type());
      if (const auto back = Store(session, {target.Old()}); !back) return back.error();
      const std::string what = "a store to " + ToText(*unused) + ", which is no metric, and to " +
                               target.metric->ToText() + " is answered ERROR " + CodeText(*code);
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
  const auto targets = Targets(bench, session);
  if (!targets && targets.error().outcome == Outcome::kFail) return targets.error();
  const Target* text = nullptr;
  if (targets) {
    const auto found = std::ranges::find(*targets, MetricType::kString, &Target::type);
    if (found != targets->end()) text = &*found;
  }
  const Pmid pmid = text != nullptr ? text->metric->pmid : *unused;
  const std::int32_t instance = text != nullptr ? text->old.instance : kInstanceNull;
  for (const std::size_t vlen : {std::size_t{4}, std::max<std::size_t>(bench.limits().block, 5)}) {
    std::vector<std::uint8_t> body(vlen - 4, 'x');
    if (!body.empty()) body.back() = 0;
    const auto code = StoreAndProbe(
        bench, session, {{.pmid = pmid, .item = Block(MetricType::kString, body, instance)}});
    if (!code) {
      return Verdict::Fail("a STRING block of vlen " + std::to_string(vlen) + ": " +
                           code.error().because);
    }
    if (text == nullptr) continue;
    if (const auto back = Store(session, {text->Old()}); !back) return back.error();
  }
  return Verdict::Pass(text != nullptr ? "" : "to " + ToText(pmid) + ", which is no metric");
}

constexpr Check kChecks[] = {
    {"CKA-110"_clause, ReadOnlyMetricsRefuse},       {"CKA-111"_clause, StoredValuesShow},
    {"CKA-112"_clause, UnknownMetricsRefuse},        {"CKA-113"_clause, WrongTypesAreAnswered},
    {"CKA-114"_clause, UnknownInstancesAreAnswered}, {"CKA-115"_clause, EmptyStoresAreAnswered},
    {"CKA-116"_clause, TimesOfStoresAreIgnored},     {"CKA-117"_clause, StoresOfTwoMetrics},
    {"CKA-118"_clause, StringsOfAnySizeAreAnswered},
};

}  // namespace

std::span<const Check> StoreChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
