// SPDX-License-Identifier: Apache-2.0
#include "reference/core/metric.h"

namespace pmproof {

bool IsInteger(MetricType type) { return type >= MetricType::k32 && type <= MetricType::kU64; }

bool IsNumeric(MetricType type) { return type >= MetricType::k32 && type <= MetricType::kDouble; }

bool IsEvent(MetricType type) {
  return type == MetricType::kEvent || type == MetricType::kHighresEvent;
}

std::uint32_t NumericSize(MetricType type) {
  switch (type) {
    case MetricType::k32:
    case MetricType::kU32:
    case MetricType::kFloat:
      return 4;
    case MetricType::k64:
    case MetricType::kU64:
    case MetricType::kDouble:
      return 8;
    case MetricType::kNoSupport:
    case MetricType::kString:
    case MetricType::kAggregate:
    case MetricType::kAggregateStatic:
    case MetricType::kEvent:
    case MetricType::kHighresEvent:
    case MetricType::kUnknown:
      break;
  }
  return 0;
}

std::string ToText(MetricType type) {
  switch (type) {
    case MetricType::kNoSupport:
      return "nosupport";
    case MetricType::k32:
      return "32";
    case MetricType::kU32:
      return "u32";
    case MetricType::k64:
      return "64";
    case MetricType::kU64:
      return "u64";
    case MetricType::kFloat:
      return "float";
    case MetricType::kDouble:
      return "double";
    case MetricType::kString:
      return "string";
    case MetricType::kAggregate:
      return "aggregate";
    case MetricType::kAggregateStatic:
      return "aggregate_static";
    case MetricType::kEvent:
      return "event";
    case MetricType::kHighresEvent:
      return "highres_event";
    case MetricType::kUnknown:
      return "unknown";
  }
  return "type-" + std::to_string(static_cast<std::int32_t>(type));
}

std::string ToText(Semantics semantics) {
  switch (semantics) {
    case Semantics::kCounter:
      return "counter";
    case Semantics::kInstant:
      return "instant";
    case Semantics::kDiscrete:
      return "discrete";
  }
  return "semantics-" + std::to_string(static_cast<std::int32_t>(semantics));
}

std::string ToText(LabelClass label_class) {
  switch (label_class) {
    case LabelClass::kContext:
      return "context";
    case LabelClass::kDomain:
      return "domain";
    case LabelClass::kIndom:
      return "indom";
    case LabelClass::kCluster:
      return "cluster";
    case LabelClass::kItem:
      return "item";
    case LabelClass::kInstances:
      return "instances";
  }
  return "class-" + std::to_string(static_cast<std::uint32_t>(label_class));
}

}  // namespace pmproof
