// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_STORY_EVENT_PAYLOAD_H_
#define PMPROOF_GENERATORS_STORY_EVENT_PAYLOAD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "generators/story/metric_state.h"
#include "generators/story/story.h"
#include "reference/core/timestamp.h"

namespace pmproof::generators {

// The payload of the block of an event array (ARC-260..275), the oldest record first. Empty where
// there is no record, or no room for its time (ARC-261).
std::string EventPayload(const std::vector<EventText>& events, bool highres, Timestamp time,
                         const ParameterOf& parameter);

// The bytes of a number in a block of that type (ARC-231).
std::string NumberPayload(MetricType type, std::uint64_t bits);

// A number with the width of its type; what is not finite is made so (ARC-1828).
std::uint64_t SoundBits(MetricType type, std::uint64_t number);

// The bytes of a STRING or AGGREGATE in a block (ARC-231).
std::string TextPayload(MetricType type, const std::string& text);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_STORY_EVENT_PAYLOAD_H_
