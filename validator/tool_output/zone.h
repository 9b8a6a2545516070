// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_ZONE_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_ZONE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "reference/core/status.h"
#include "validator/tool_output/record.h"

// Times of the zone that a tool ran in, made times of UTC (OUT-108).

namespace pmproof::validator::tool_output {

// Seconds by which the zone's clock is ahead of UTC at a time in seconds since 1970.
using ZoneOffset = std::function<std::int64_t(std::int64_t seconds)>;

// Whether the name of a zone, as given to -Z, means UTC on every machine.
bool IsUtc(std::string_view zone);

// What the zone's clock shows, read as if it were UTC.
Timestamp ToLocal(Timestamp time, const ZoneOffset& offset);

// Hands records on with all their times in UTC. The first time that has no one meaning, since its
// day is not known or the clock shows it twice or never, ends that: nothing is handed on from there
// on. A resource of one reading.
class ToUtc {
 public:
  // `sink` outlives it.
  ToUtc(ZoneOffset offset, std::string zone, const Sink& sink)
      : offset_(std::move(offset)), zone_(std::move(zone)), sink_(sink) {}

  void Take(Record&& record);
  const std::optional<Status>& refused() const { return refused_; }

 private:
  bool Convert(std::int64_t* seconds, std::size_t line);
  bool ConvertAttribute(Attribute* attribute, std::size_t line);
  bool Refuse(std::size_t line, const std::string& message);

  ZoneOffset offset_;
  std::string zone_;
  const Sink& sink_;
  std::optional<Status> refused_;
};

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_ZONE_H_
