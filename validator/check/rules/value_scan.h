// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_VALUE_SCAN_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_VALUE_SCAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/archive/data_record.h"
#include "reference/archive/reporter.h"
#include "reference/core/bytes.h"
#include "reference/core/metric.h"
#include "validator/check/rules/event_rules.h"
#include "validator/check/rules/metric_table.h"
#include "validator/check/rules/series_state.h"

// The values of one set: loops that say in a few instructions a value that all is well, and the
// slow way that says what is not.

namespace pmproof::validator {

// STRING, AGGREGATE and the event arrays: types whose values are bytes.
bool IsOpaque(MetricType type);

// The key of the number 0 in a type.
CounterKey ZeroKey(MetricType type);

// True if the instances of a set are, in order, the words given, which are as stored.
bool SameInstances(const archive::ValueSet& set, const std::vector<std::uint32_t>& words);

// True if each value of a numeric set can be read and is finite. The set's format fits the type.
bool ScanNumbers(const archive::ValueSet& set, MetricType type);

// True if, as well, no value is negative or less than the one in `last` (one for each value of the
// set). Fills `keys`; what is there is only of use if true is returned.
bool ScanCounter(const archive::ValueSet& set, MetricType type, const CounterKey* last,
                 CounterKey* keys);

// True if each value of a set with values of a known type is as that asks for, but for what its
// bits say: type and length of blocks (ARC-1810, 1811, 1829), and strings that break no rule. The
// set's format fits the type.
bool HasGoodForm(const archive::ValueSet& set, MetricType type);

// True if the payload of a string ends with its first NUL and is UTF-8 that does not act on a
// terminal (ARC-1812, 1813, 1834, 1835), or is empty.
bool IsGoodString(Bytes payload);

// True if each value of a set of strings is in a block of that type, ends with its first NUL and
// is UTF-8 that does not act on a terminal (ARC-1810, 1812, 1813, 1834, 1835).
bool ScanStrings(const archive::ValueSet& set);

// Reads one number; reports what is wrong with it (ARC-1810, 1811, 1828, 1829): then there is no
// key.
std::optional<CounterKey> ReadNumber(const archive::DataRecord& record,
                                     const archive::ValueSet& set, std::uint32_t i, MetricType type,
                                     const MetricTable& metrics, archive::Reporter& reporter);

// The text of a string, without its NUL, which begins at `offset` in the record: ARC-1834,
// ARC-1835.
void CheckText(const archive::DataRecord& record, std::size_t offset, std::string_view text,
               Pmid pmid, const MetricTable& metrics, archive::Reporter& reporter);

// Checks one value made of bytes (ARC-1810, 1812, 1813, 1829, 1834, 1835, and the rules on event
// arrays, to which `time_known` is passed on).
void CheckOpaqueValue(const archive::DataRecord& record, const archive::ValueSet& set,
                      std::uint32_t i, MetricType type, bool time_known, const MetricTable& metrics,
                      EventParameters* event_parameters, archive::Reporter& reporter);

// A value block where a 32 or U32 metric has none: ARC-1809, or ARC-1810 where the block is of
// another type on top.
void ReportBlockOfSmall(const archive::DataRecord& record, const archive::ValueSet& set,
                        std::uint32_t i, MetricType type, const MetricTable& metrics,
                        archive::Reporter& reporter);

// ARC-1814.
void ReportFormatChange(const archive::Location& where, Pmid pmid, MetricType type,
                        const MetricTable& metrics, archive::Reporter& reporter);

// ARC-1825.
void ReportDecrease(const archive::Location& where, Pmid pmid, std::int32_t instance,
                    CounterKey now, CounterKey before, MetricType type, const MetricTable& metrics,
                    archive::Reporter& reporter);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_VALUE_SCAN_H_
