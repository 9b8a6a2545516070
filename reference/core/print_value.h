// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_PRINT_VALUE_H_
#define PMPROOF_REFERENCE_CORE_PRINT_VALUE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "reference/core/extract_value.h"
#include "reference/core/metric.h"

// Values as PCP writes them (MET-501..507).

namespace pmproof {

// The short form of an atom (MET-501), as pmAtomStr() gives it; at most 79 characters. No value is
// "<null>" for types with bytes. Events have no atom: see EventAtomText().
std::string AtomText(MetricType type, const std::optional<Atom>& atom);

// "[1 event record]", "[2 event records]": the short form of an event array (MET-501).
std::string EventAtomText(std::int32_t records);

// The stored value of a metric of type `type` as pmPrintValue() writes it (MET-502..504), padded to
// `width` characters at its left, or at its right where that is negative. Not for events, which are
// written by PrintEvents(). `squash_newlines`: white space in strings becomes blanks, as 7.x does
// where PCP_SQUASH_NEWLINES is set (MET-503).
std::string PrintValue(const StoredValue& stored, MetricType type, int width,
                       bool squash_newlines = false);

// What MET-505 shows of an event array. Times as text: HH:MM:SS.mmm, or with nine digits.
struct EventSummary {
  std::int32_t records = 0;
  std::int32_t missed = 0;
  std::string first;
  std::string last;
};

// "[3 event records (1 missed) timestamps 10:00:00.000...10:00:01.500]" (MET-505).
std::string PrintEvents(const EventSummary& events);

// A number in seven characters: "999.99 ", "  1.00K" (MET-506).
std::string CompactNumber(double number);

// "point,id", "missed" (MET-507).
std::string EventFlagsText(std::uint32_t flags);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_PRINT_VALUE_H_
