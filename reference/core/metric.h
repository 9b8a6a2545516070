// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_METRIC_H_
#define PMPROOF_REFERENCE_CORE_METRIC_H_

#include <cstdint>
#include <string>

#include "reference/core/identifiers.h"
#include "reference/core/units.h"

namespace pmproof {

// Metric types (ARC-011, MET-111..124). Other numbers occur on disk: the enumeration is open.
enum class MetricType : std::int32_t {
  kNoSupport = -1,
  k32 = 0,
  kU32 = 1,
  k64 = 2,
  kU64 = 3,
  kFloat = 4,
  kDouble = 5,
  kString = 6,
  kAggregate = 7,
  kAggregateStatic = 8,
  kEvent = 9,
  kHighresEvent = 10,
  kUnknown = 255,
};

// Semantics (ARC-012, MET-131). Open as well: 2 is retired, 0 occurs with type -1.
enum class Semantics : std::int32_t { kCounter = 1, kInstant = 3, kDiscrete = 4 };

// Label classes (ARC-013).
enum class LabelClass : std::uint32_t {
  kContext = 1,
  kDomain = 2,
  kIndom = 4,
  kCluster = 8,
  kItem = 16,
  kInstances = 32,
};
inline constexpr std::uint8_t kLabelFlagCompound = 0x40;
inline constexpr std::uint8_t kLabelFlagOptional = 0x80;

// Help text kinds: the sum of a class (1 one-line, 2 help) and a target (4 metric, 8 indom)
// (ARC-014).
enum class TextType : std::uint32_t {
  kMetricOneLine = 5,
  kMetricHelp = 6,
  kIndomOneLine = 9,
  kIndomHelp = 10,
};

// What a metric is (MET-101).
struct Descriptor {
  Pmid pmid;
  MetricType type = MetricType::kNoSupport;
  Indom indom;
  Semantics semantics = Semantics::kInstant;
  Units units;

  friend bool operator==(const Descriptor&, const Descriptor&) = default;
};

bool IsInteger(MetricType type);  // 32, U32, 64, U64
bool IsNumeric(MetricType type);  // integers, FLOAT, DOUBLE
bool IsEvent(MetricType type);    // EVENT, HIGHRES_EVENT

// The bytes of a numeric value: 4 or 8; 0 for every other type (ARC-011).
std::uint32_t NumericSize(MetricType type);

// As the project's formats write it: "32", "u32", ... "highres_event", "nosupport"; "type-N" for
// others.
std::string ToText(MetricType type);

// "counter", "instant", "discrete"; "semantics-N" for others.
std::string ToText(Semantics semantics);

// "context", "domain", "indom", "cluster", "item", "instances"; "class-N" for others.
std::string ToText(LabelClass label_class);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_METRIC_H_
