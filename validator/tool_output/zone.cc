// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/zone.h"

#include <algorithm>
#include <array>
#include <utility>

#include "validator/tool_output/emit.h"
#include "validator/tool_output/record_json.h"

namespace pmproof::validator::tool_output {
namespace {

constexpr std::int64_t kDay = 86'400;
// Whatever a hostile output says, sums with an offset stay within 64 bits.
constexpr std::int64_t kFarthest = std::int64_t{1} << 40;

}  // namespace

bool IsUtc(std::string_view zone) {
  if (zone.starts_with(':')) zone.remove_prefix(1);
  static constexpr std::array<std::string_view, 10> kNames = {
      "UTC", "UTC0", "UTC+0", "UTC-0", "GMT", "GMT0", "GMT+0", "GMT-0", "Etc/UTC", "Etc/GMT"};
  return std::ranges::find(kNames, zone) != kNames.end();
}

Timestamp ToLocal(Timestamp time, const ZoneOffset& offset) {
  time.seconds = std::clamp(time.seconds, -kFarthest, kFarthest);
  time.seconds += offset(time.seconds);
  return time;
}

bool ToUtc::Refuse(std::size_t line, const std::string& message) {
  refused_ = Refusal("OUT-108"_clause, line, message + ": run the tool with -Z UTC");
  return false;
}

bool ToUtc::Convert(std::int64_t* seconds, std::size_t line) {
  const std::int64_t local = std::clamp(*seconds, -kFarthest, kFarthest);
  std::optional<std::int64_t> found;
  // A zone has at most two offsets within a day of a time.
  for (const std::int64_t near : {local - kDay, local, local + kDay}) {
    const std::int64_t time = local - offset_(near);
    if (time + offset_(time) != local || found == time) continue;
    if (found) return Refuse(line, "in zone " + zone_ + " the clock shows this time twice");
    found = time;
  }
  if (!found) return Refuse(line, "in zone " + zone_ + " the clock never shows this time");
  *seconds = *found;
  return true;
}

bool ToUtc::ConvertAttribute(Attribute* attribute, std::size_t line) {
  const std::string text = TextOf(*attribute);
  Scan scan(text);
  auto seconds = scan.TakeNumber<std::int64_t>();
  if (!seconds || (!scan.AtEnd() && !scan.rest().starts_with('.'))) {
    return Refuse(line, "the day of " + text + " is not known, which zone " + zone_ + " needs");
  }
  if (!Convert(&*seconds, line)) return false;
  attribute->json = QuotedJson(std::to_string(*seconds) + std::string(scan.rest()));
  attribute->local = false;
  return true;
}

void ToUtc::Take(Record&& record) {
  if (refused_) return;
  if (record.time && record.local && !Convert(&record.time->seconds, record.line)) return;
  record.local = false;
  if (!record.clock.empty()) {
    refused_ = Refusal("OUT-108"_clause, record.line,
                       "the day of " + record.clock + " is not known, which zone " + zone_ +
                           " needs: say --start");
    return;
  }
  for (Attribute& attribute : record.attributes) {
    if (attribute.local && !ConvertAttribute(&attribute, record.line)) return;
  }
  sink_(std::move(record));
}

}  // namespace pmproof::validator::tool_output
