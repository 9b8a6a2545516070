// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/storing.h"

#include <bit>
#include <cmath>

namespace pmproof::validator::agent {
namespace {

std::optional<double> NumberOf(const StoreItem& item, MetricType type) {
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
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return std::nullopt;
}

std::string TextOf(const StoreItem& item) {
  const std::string_view text = AsText(item.body);
  return std::string(text.substr(0, text.find('\0')));
}

}  // namespace

StoreItem StoreItem::InSitu(std::uint32_t word, std::int32_t instance) {
  return {.instance = instance, .word = word};
}

StoreItem StoreItem::Block(MetricType type, Bytes body, std::int32_t instance) {
  return {.instance = instance,
          .format = pdu::ValueFormat::kDynamic,
          .type = type,
          .body = {body.begin(), body.end()}};
}

StoreItem StoreItem::Text(std::string text, std::int32_t instance) {
  text += '\0';
  return Block(MetricType::kString, AsBytes(text), instance);
}

StoreItem StoreItem::Number(double number, MetricType type, std::int32_t instance) {
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
    case MetricType::kNoSupport:
    case MetricType::kDouble:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      StoreU64(bytes, std::bit_cast<std::uint64_t>(number));
      break;
  }
  return Block(type, Bytes(bytes, 8), instance);
}

std::optional<StoreItem> StoreItem::FirstOf(const pdu::ValueSet& set,
                                            std::optional<std::int32_t> instance) {
  for (const pdu::InstanceValue& value : set.values) {
    if (instance && value.instance != *instance) continue;
    return StoreItem{
        value.instance, set.format, value.word, value.type, {value.body.begin(), value.body.end()}};
  }
  return std::nullopt;
}

VerdictOr<ErrorCode> Store(Session& session, const std::vector<StoreSet>& sets, StoreTimes times) {
  std::vector<pdu::InstanceValue> values;
  for (const StoreSet& set : sets) {
    values.push_back(set.item ? set.item->View() : pdu::InstanceValue{});
  }
  std::vector<pdu::ValueSet> stored;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    pdu::ValueSet& set = stored.emplace_back();
    set.pmid = sets[i].pmid;
    set.status = sets[i].status;
    if (!sets[i].item) continue;
    set.format = sets[i].item->format;
    set.values = std::span(&values[i], 1);
  }
  const pdu::Result store{times.seconds, times.microseconds, std::span(stored)};
  const Answer answer = session.Ask(store);
  const std::string what = sets.size() == 1
                               ? "a store to " + ToText(sets[0].pmid)
                               : "a store of " + std::to_string(sets.size()) + " metrics";
  const auto* const error = answer.As<pdu::Error>();
  if (error == nullptr) {
    return Failed(what + ": " + answer.ToText() + ", where ERROR is due");
  }
  if (static_cast<std::int32_t>(error->code) <= 0) return error->code;
  return Failed(what + ": ERROR " + CodeText(error->code) + ", where 0 or less is due");
}

VerdictOr<ErrorCode> StoreAndProbe(Bench& bench, Session& session,
                                   const std::vector<StoreSet>& sets, StoreTimes times) {
  auto code = Store(session, sets, times);
  if (!code) return code;
  const Verdict probe = bench.Probe(session);
  if (!probe.passed()) return Failed("after a store " + probe.because);
  return code;
}

std::vector<StoreItem> OtherValues(const StoreItem& old, MetricType type) {
  std::vector<StoreItem> others;
  if (type == MetricType::kString) {
    for (const char* const text : {"pmproof", "p"}) {
      if (TextOf(old) != text) others.push_back(StoreItem::Text(text, old.instance));
    }
    return others;
  }
  if (type == MetricType::kAggregate || type == MetricType::kAggregateStatic) {
    if (old.body.empty()) return others;
    std::vector<std::uint8_t> body = old.body;
    body.front() ^= 1;
    others.push_back(StoreItem::Block(type, body, old.instance));
    return others;
  }
  const auto number = NumberOf(old, type);
  if (!number) return others;
  const bool large = std::isfinite(*number) && std::abs(*number) >= 100;
  const double near_zero = std::isfinite(*number) && !large ? *number : 0;
  const auto add = [&](double other) {
    others.push_back(StoreItem::Number(other, type, old.instance));
  };
  if (large) add(std::trunc(*number / 2));
  add(std::trunc(near_zero) + 50);
  if (large || std::abs(near_zero) > 20) add(0);
  return others;
}

bool Same(const StoreItem& a, const StoreItem& b, MetricType type) {
  if (type == MetricType::kString) return TextOf(a) == TextOf(b);
  if (a.format != b.format) {
    const auto number = NumberOf(a, type);
    return number && number == NumberOf(b, type);
  }
  return a.format == pdu::ValueFormat::kInsitu ? a.word == b.word : a.body == b.body;
}

bool Shows(const StoreItem& now, const StoreItem& stored, const StoreItem& old, MetricType type) {
  if (type == MetricType::kString) return TextOf(now) == TextOf(stored);
  const auto seen = NumberOf(now, type);
  const auto due = NumberOf(stored, type);
  const auto before = NumberOf(old, type);
  if (!seen || !due || !before) return Same(now, stored, type);
  if (!std::isfinite(*before)) return *seen == *due;
  // A quarter of the way at most: what moves fast by itself is not taken for what was stored.
  return 4 * std::abs(*seen - *due) <= std::abs(*due - *before);
}

bool Lost(const StoreItem& now, const StoreItem& stored, const StoreItem& before,
          const StoreItem& earlier, MetricType type) {
  const auto seen = NumberOf(now, type);
  const auto due = NumberOf(stored, type);
  const auto was = NumberOf(before, type);
  const auto had = NumberOf(earlier, type);
  if (!seen || !due || !was || !had) return now.body == before.body && now.word == before.word;
  const double step = std::abs(*was - *had);
  return std::abs(*seen - *was) <= 2 * step && 8 * step <= std::abs(*due - *was);
}

std::string ValueText(const StoreItem& item, MetricType type) {
  if (type == MetricType::kString) return "\"" + TextOf(item).substr(0, 60) + "\"";
  const auto number = NumberOf(item, type);
  if (!number && !IsNumeric(type)) return std::to_string(item.body.size()) + " bytes";
  if (!number) return "what is not a value of its type";
  std::string text = std::to_string(*number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace pmproof::validator::agent
