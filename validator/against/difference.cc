// SPDX-License-Identifier: Apache-2.0
#include "validator/against/difference.h"

namespace pmproof::validator::against {

const char* ToText(Kind kind) {
  switch (kind) {
    case Kind::kMetrics:
      return "metrics";
    case Kind::kDescriptors:
      return "descriptors";
    case Kind::kNames:
      return "names";
    case Kind::kValues:
      return "values";
    case Kind::kMarks:
      return "marks";
    case Kind::kSeams:
      return "seams";
    case Kind::kInstances:
      return "instances";
    case Kind::kLabels:
      return "labels";
    case Kind::kHelp:
      return "help";
    case Kind::kHost:
      return "host";
    case Kind::kZone:
      return "zone";
  }
  return "";
}

std::optional<Kind> ParseKind(std::string_view text) {
  for (const Kind kind : kKinds) {
    if (text == ToText(kind)) return kind;
  }
  return std::nullopt;
}

const char* ToText(Change change) {
  switch (change) {
    case Change::kLost:
      return "lost";
    case Change::kChanged:
      return "changed";
    case Change::kAdded:
      return "added";
  }
  return "";
}

namespace {

// ARC-655, ARC-659.
bool IsOfReduction(const Difference& difference) {
  switch (difference.kind) {
    case Kind::kMetrics:
    case Kind::kDescriptors:
      return difference.by_reduction;
    case Kind::kInstances:
    case Kind::kLabels:
    case Kind::kHelp:
      return difference.change == Change::kLost;
    case Kind::kZone:
      return true;
    case Kind::kNames:
    case Kind::kValues:
    case Kind::kMarks:
    case Kind::kSeams:
    case Kind::kHost:
      break;
  }
  return false;
}

}  // namespace

bool Allowance::Covers(const Difference& difference) const {
  if (reduce && IsOfReduction(difference)) return true;
  const bool named = kinds.contains(difference.kind);
  const bool is_added = difference.change == Change::kAdded;
  switch (difference.kind) {
    case Kind::kMetrics:
    case Kind::kValues:
      return is_added ? added : named && difference.change == Change::kLost;
    case Kind::kMarks:
    case Kind::kSeams:
      return named;
    case Kind::kDescriptors:
    case Kind::kNames:
    case Kind::kInstances:
    case Kind::kLabels:
    case Kind::kHelp:
    case Kind::kHost:
    case Kind::kZone:
      return named || (is_added && added);
  }
  return false;
}

std::string ParseAllowance(std::string_view text, Allowance* allowance) {
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    if (word == "added") {
      allowance->added = true;
    } else if (word == "reduce") {
      allowance->reduce = true;
    } else if (const auto kind = ParseKind(word)) {
      allowance->kinds.insert(*kind);
    } else {
      std::string known;
      for (const Kind each : kKinds) known += std::string(ToText(each)) + ", ";
      return "'" + std::string(word) + "' is none of " + known + "added, reduce";
    }
    if (comma == std::string_view::npos) return "";
    text.remove_prefix(comma + 1);
  }
}

}  // namespace pmproof::validator::against
