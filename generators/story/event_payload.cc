// SPDX-License-Identifier: Apache-2.0
#include "generators/story/event_payload.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "reference/core/bytes.h"
#include "reference/core/event_array.h"
#include "reference/core/printable.h"

namespace pmproof::generators {
namespace {

constexpr std::size_t kMostPayload = std::size_t{1} << 20;  // of an event array, in bytes
constexpr std::size_t kMostText = std::size_t{1} << 20;
constexpr std::uint32_t kKnownFlags = 0x1f;  // ARC-274, without the missed flag

void AppendWord(std::uint32_t word, std::string* out) {
  std::uint8_t bytes[4];
  StoreU32(bytes, word);
  out->append(reinterpret_cast<const char*>(bytes), sizeof bytes);
}

void AppendLong(std::uint64_t value, std::string* out) {
  AppendWord(static_cast<std::uint32_t>(value >> 32), out);
  AppendWord(static_cast<std::uint32_t>(value), out);
}

void AppendParameter(const EventParameterText& text, const Descriptor& metric, std::string* out) {
  const std::string payload = IsNumeric(metric.type)
                                  ? NumberPayload(metric.type, SoundBits(metric.type, text.number))
                                  : TextPayload(metric.type, text.text);
  AppendWord(metric.pmid.value, out);
  AppendWord(static_cast<std::uint32_t>(metric.type) << 24 |
                 static_cast<std::uint32_t>(payload.size() + 4),
             out);
  *out += payload;
  out->append((4 - payload.size() % 4) % 4, '\0');
}

// Up to the first NUL, and what else a string should not hold (ARC-1834, ARC-1835).
std::size_t SoundSize(std::string_view text) {
  std::size_t at = 0;
  while (true) {
    const ForeignCharacter foreign = FirstForeign(text.substr(at));
    at += foreign.at;
    if (foreign.code_point != '\n' && foreign.code_point != '\t') return at;
    at += foreign.size;
  }
}

}  // namespace

std::uint64_t SoundBits(MetricType type, std::uint64_t number) {
  constexpr std::uint64_t kFloatExponent = 0x7f800000;
  constexpr std::uint64_t kDoubleExponent = 0x7ff0000000000000;
  if (NumericSize(type) == 4) number &= 0xffffffff;
  if (type == MetricType::kFloat && (number & kFloatExponent) == kFloatExponent)
    number ^= 0x40000000;
  if (type == MetricType::kDouble && (number & kDoubleExponent) == kDoubleExponent)
    number ^= 0x4000000000000000;
  return number;
}

std::string NumberPayload(MetricType type, std::uint64_t bits) {
  std::string payload;
  if (NumericSize(type) == 4) {
    AppendWord(static_cast<std::uint32_t>(bits), &payload);
  } else {
    AppendLong(bits, &payload);
  }
  return payload;
}

std::string TextPayload(MetricType type, const std::string& text) {
  std::string payload = text.substr(0, kMostText);
  if (type == MetricType::kString) {
    payload.resize(SoundSize(payload));
    payload += '\0';
  }
  return payload;
}

std::string EventPayload(const std::vector<EventText>& events, bool highres, Timestamp time,
                         const ParameterOf& parameter) {
  const bool fits = highres || time.seconds <= std::numeric_limits<std::int32_t>::max();
  if (events.empty() || !fits) return {};
  std::vector<const EventText*> ordered;
  for (const EventText& event : events) ordered.push_back(&event);
  std::ranges::stable_sort(
      ordered, [](const EventText* a, const EventText* b) { return a->before > b->before; });
  std::string payload(4, '\0');
  std::uint32_t count = 0;
  for (const EventText* event : ordered) {
    if (payload.size() > kMostPayload) break;
    const Timestamp at = time + -std::max<std::int64_t>(event->before, 0);
    if (highres) {
      AppendLong(static_cast<std::uint64_t>(at.seconds), &payload);
      AppendLong(static_cast<std::uint64_t>(at.nanoseconds), &payload);
    } else {
      AppendWord(static_cast<std::uint32_t>(at.seconds), &payload);
      AppendWord(static_cast<std::uint32_t>(at.nanoseconds / 1000), &payload);
    }
    ++count;
    if (event->missed != 0) {
      AppendWord(kEventMissed, &payload);
      AppendWord(event->missed & 0x7fffffff, &payload);
      continue;
    }
    AppendWord(event->flags & kKnownFlags, &payload);
    const std::size_t at_count = payload.size();
    AppendWord(0, &payload);
    std::uint32_t parameters = 0;
    for (const EventParameterText& text : event->parameters) {
      const Descriptor* metric = parameter(text.metric);
      if (metric == nullptr || payload.size() > kMostPayload) continue;
      AppendParameter(text, *metric, &payload);
      ++parameters;
    }
    StoreU32(reinterpret_cast<std::uint8_t*>(payload.data()) + at_count, parameters);
  }
  StoreU32(reinterpret_cast<std::uint8_t*>(payload.data()), count);
  return payload;
}

}  // namespace pmproof::generators
