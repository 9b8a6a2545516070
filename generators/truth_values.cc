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

template <typename Float, typename Word>
void WriteFloat(Word bits, JsonText& out) {
  const auto number = std::bit_cast<Float>(bits);
  out << number << '"';
  if (std::isnan(number)) out << R"(,"bits":")"sv << bits << '"';
}

// The text that readers see (ARC-235), and all bytes where that is not all.
void WriteString(std::string_view payload, JsonText& out) {
  const std::string_view text = UpToNul(payload);
  out.Quote(text);
  if (payload.size() != text.size() + 1) {
    out << R"(,"payload":)"sv;
    out.Base64(payload);
  }
}

// A value that is not an event: `"type":...,"value":...`.
void WritePayload(MetricType type, Bytes payload, JsonText& out) {
  out << R"("type":")"sv << ToText(type) << R"(","value":)"sv;
  const std::uint8_t* p = payload.data();
  if (const std::uint32_t size = NumericSize(type); size != 0 && size == payload.size()) {
    out << '"';
    switch (type) {
      case MetricType::k32:
        out << LoadI32(p) << '"';
        return;
      case MetricType::kU32:
        out << LoadU32(p) << '"';
        return;
      case MetricType::k64:
        out << LoadI64(p) << '"';
        return;
      case MetricType::kU64:
        out << LoadU64(p) << '"';
        return;
      case MetricType::kFloat:
        return WriteFloat<float>(LoadU32(p), out);
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
    return WriteFloat<double>(LoadU64(p), out);
  }
  if (type == MetricType::kString) return WriteString(AsText(payload), out);
  out.Base64(AsText(payload));
}

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

void WriteEvents(MetricType type, Bytes payload, JsonText& out) {
  out << R"("type":")"sv << ToText(type) << R"(","records":[)"sv;
  EventArray events(payload, type == MetricType::kHighresEvent);
  for (bool first = true; const auto record = events.NextRecord(); first = false) {
    if (!first) out << ',';
    out << R"({"time":")"sv << ToEpochText(record->time) << R"(","flags":)"sv << record->flags;
    if (record->missed()) {
      out << R"(,"missed":)"sv << record->parameter_count << '}';
      continue;
    }
    out << R"(,"parameters":[)"sv;
    for (bool leading = true; const auto parameter = events.NextParameter(); leading = false) {
      if (!leading) out << ',';
      out << R"({"pmid":")"sv << ToText(parameter->pmid) << R"(",)"sv;
      WritePayload(parameter->type, parameter->payload, out);
      out << '}';
    }
    out << "]}"sv;
  }
  out << ']';
}

void WriteBlock(const archive::BlockModel& block, JsonText& out) {
  const auto type = static_cast<MetricType>(block.type);
  const Bytes payload = AsBytes(block.payload);
  if (IsEvent(type) && IsWhole(type, payload)) {
    WriteEvents(type, payload, out);
  } else {
    WritePayload(type, payload, out);
  }
}

void WriteInsitu(std::uint32_t word, MetricType type, JsonText& out) {
  switch (type) {
    case MetricType::k32:
      out << R"("type":"32","value":")"sv << static_cast<std::int32_t>(word) << '"';
      return;
    case MetricType::kU32:
      out << R"("type":"u32","value":")"sv << word << '"';
      return;
    case MetricType::kFloat:
      out << R"("type":"float","value":")"sv;
      return WriteFloat<float>(word, out);
    case MetricType::kNoSupport:
    case MetricType::k64:
    case MetricType::kU64:
    case MetricType::kDouble:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  out << R"("type":"unknown","value":")"sv << word << '"';
}

void WriteInstance(std::int32_t instance, JsonText& out) {
  if (instance == kInstanceNull) {
    out << R"({"instance":null,)"sv;
  } else {
    out << R"({"instance":)"sv << instance << ',';
  }
}

}  // namespace

void WriteValueSet(const archive::ValueSetModel& set, MetricType type, JsonText* to) {
  JsonText& out = *to;
  out << R"({"pmid":")"sv << set.pmid.domain() << '.' << set.pmid.cluster() << '.'
      << set.pmid.item() << '"';
  if (set.values.empty()) {
    out << R"(,"status":)"sv << set.status;
    if (set.status < 0) {
      out << R"(,"error":")"sv << ToText(static_cast<ErrorCode>(set.status)) << '"';
    }
    out << R"(,"values":[]})"sv;
    return;
  }
  out << R"(,"status":0,"format":)"sv << set.format << R"(,"values":[)"sv;
  bool first = true;
  for (const archive::ValueModel& value : set.values) {
    if (!first) out << ',';
    first = false;
    WriteInstance(value.instance, out);
    if (const auto* word = std::get_if<std::uint32_t>(&value.value)) {
      WriteInsitu(*word, type, out);
    } else {
      WriteBlock(std::get<archive::BlockModel>(value.value), out);
    }
    out << '}';
  }
  out << "]}"sv;
}

}  // namespace pmproof::generators
