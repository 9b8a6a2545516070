// SPDX-License-Identifier: Apache-2.0
#include "generators/truth_values.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <variant>

#include "reference/core/bytes.h"
#include "reference/core/error_code.h"
#include "reference/core/event_array.h"

namespace pmproof::generators {
namespace {

using namespace std::string_view_literals;

// Whether an event array can be told record by record: all of it inside its block, nothing after
// it (ARC-277), and the times in range.
bool IsWhole(MetricType type, Bytes payload) {
  const bool highres = type == MetricType::kHighresEvent;
  EventArray events(payload, highres);
  if (!events.record_count() || *events.record_count() < 0) return false;
  const std::int64_t most = highres ? 1'000'000'000 : 1'000'000;
  std::int32_t records = 0;
  while (const auto record = events.NextRecord()) {
    if (record->fraction < 0 || record->fraction >= most) return false;
    while (events.NextParameter()) {
    }
    ++records;
  }
  return !events.fault() && records == *events.record_count() &&
         events.position() == payload.size();
}

// Values as members of the object that is open.
class ValueWriter {
 public:
  ValueWriter(JsonText& text, JsonWriter<JsonText>& json) : text_(text), json_(json) {}

  void Insitu(std::uint32_t word, MetricType type) {
    std::uint8_t bytes[sizeof word];
    StoreU32(bytes, word);
    if (NumericSize(type) == sizeof word) return Payload(type, bytes);
    json_.Key("type").InQuotes("unknown"sv).Key("value").InQuotes(word);
  }

  void Block(const archive::BlockModel& block) {
    const auto type = static_cast<MetricType>(block.type);
    const Bytes payload = AsBytes(block.payload);
    if (IsEvent(type) && IsWhole(type, payload)) {
      Events(type, payload);
    } else {
      Payload(type, payload);
    }
  }

 private:
  template <typename Float, typename Word>
  void Floating(Word bits) {
    const auto number = std::bit_cast<Float>(bits);
    json_.InQuotes(number);
    if (std::isnan(number)) json_.Key("bits").InQuotes(bits);
  }

  // The text that readers see (ARC-235), and all bytes where that is not all.
  void String(std::string_view payload) {
    const std::string_view text = UpToNul(payload);
    json_.String(text);
    if (payload.size() != text.size() + 1) Base64("payload", payload);
  }

  void Base64(std::string_view key, std::string_view bytes) {
    json_.Key(key).Raw("");
    text_.Base64(bytes);
  }

  // A value that is not an event.
  void Payload(MetricType type, Bytes payload) {
    json_.Key("type").InQuotes(ToText(type));
    const std::uint8_t* p = payload.data();
    if (const std::uint32_t size = NumericSize(type); size == 0 || size != payload.size()) {
      if (type != MetricType::kString) return Base64("value", AsText(payload));
      json_.Key("value");
      return String(AsText(payload));
    }
    json_.Key("value");
    switch (type) {
      case MetricType::k32:
        json_.InQuotes(LoadI32(p));
        return;
      case MetricType::kU32:
        json_.InQuotes(LoadU32(p));
        return;
      case MetricType::k64:
        json_.InQuotes(LoadI64(p));
        return;
      case MetricType::kU64:
        json_.InQuotes(LoadU64(p));
        return;
      case MetricType::kFloat:
        return Floating<float>(LoadU32(p));
      case MetricType::kNoSupport:
      case MetricType::kDouble:
      case MetricType::kString:
      case MetricType::kAggregate:
      case MetricType::kAggregateStatic:
      case MetricType::kEvent:
      case MetricType::kHighresEvent:
      case MetricType::kUnknown:
        break;
    }
    Floating<double>(LoadU64(p));
  }

  void Events(MetricType type, Bytes payload) {
    json_.Key("type").InQuotes(ToText(type)).Key("records").Array();
    EventArray events(payload, type == MetricType::kHighresEvent);
    while (const auto record = events.NextRecord()) {
      json_.Object().Key("time").InQuotes(ToEpochText(record->time));
      json_.Key("flags").Number(record->flags);
      if (record->missed()) {
        json_.Key("missed").Number(record->parameter_count).EndObject();
        continue;
      }
      json_.Key("parameters").Array();
      while (const auto parameter = events.NextParameter()) {
        json_.Object().Key("pmid").InQuotes(ToText(parameter->pmid));
        Payload(parameter->type, parameter->payload);
        json_.EndObject();
      }
      json_.EndArray().EndObject();
    }
    json_.EndArray();
  }

  JsonText& text_;
  JsonWriter<JsonText>& json_;
};

}  // namespace

void WriteValueSet(const archive::ValueSetModel& set, MetricType type, JsonText& text,
                   JsonWriter<JsonText>& json) {
  json.Object().Key("pmid").Raw("\"");
  text << set.pmid.domain() << '.' << set.pmid.cluster() << '.' << set.pmid.item() << '"';
  if (set.values.empty()) {
    json.Key("status").Number(set.status);
    if (set.status < 0) json.Key("error").InQuotes(ToText(static_cast<ErrorCode>(set.status)));
    json.Key("values").Array().EndArray().EndObject();
    return;
  }
  json.Key("status").Number(0).Key("format").Number(set.format).Key("values").Array();
  ValueWriter writer(text, json);
  for (const archive::ValueModel& value : set.values) {
    json.Object().Key("instance");
    if (value.instance == kInstanceNull) {
      json.Null();
    } else {
      json.Number(value.instance);
    }
    if (const auto* word = std::get_if<std::uint32_t>(&value.value)) {
      writer.Insitu(*word, type);
    } else {
      writer.Block(std::get<archive::BlockModel>(value.value));
    }
    json.EndObject();
  }
  json.EndArray().EndObject();
}

}  // namespace pmproof::generators
