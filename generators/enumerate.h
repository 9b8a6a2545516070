// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_ENUMERATE_H_
#define PMPROOF_GENERATORS_ENUMERATE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "generators/archive_image.h"

// All archives of a few data records over a small alphabet: what goes wrong with any archive nearly
// always goes wrong with one of these.
//
// A name says all of an archive, "v3-VMIB-1011" for example. Its letters are the records, a second
// apart:
//
//   V  values of all metrics: m.one (32, singular, insitu), m.cnt (a 64-bit counter of two
//      instances, in blocks; it begins anew after each mark, ARC-510) and those of D
//   M  a mark (ARC-151)
//   I  a change of the instance domain, then values: instance 1 "b" makes room for 2 "c", or comes
//      back in its place. A delta in version 3, a whole domain in version 2; in front of the first
//      record, where the domain itself begins, a whole domain in both (ARC-374), the last of which
//      counts (ARC-346)
//   D  the descriptor of one metric more (STRING, singular), then values
//   B  both, the descriptor first
//
// and its digits say whether the index has an entry for the record, to its first byte and to the
// metadata in front of it (ARC-454). Only zeros: .index is no more than a label (ARC-042). "none"
// in place of the digits: there is no .index. The descriptors of m.one and m.cnt, the instance
// domain and a context label always stand in front of all, so that every archive can be read but
// those whose .index is empty.
//
// Metadata in front of a mark are left out, since no writer makes them (ARC-512), as is all that
// multiplies the number without another order of things: volumes, more labels, help text, error
// values. That leaves 2 (10^N + 5^N) archives of N records: 21 250 of four.

namespace pmproof::generators {

inline constexpr std::size_t kMostEnumeratedRecords = 4;

// How many archives of 1 to `records` records there are. 0 <= records <= kMostEnumeratedRecords.
std::uint64_t EnumeratedArchives(std::size_t records);

// The name of archive `number`, from 0 on. Archives of fewer records come first, so that a number
// means the same archive in every enumeration. Empty if there is none of that number.
std::string EnumeratedName(std::uint64_t number);

// The archive of a name; nothing if no archive is called so.
std::optional<ArchivePlan> EnumeratedArchive(std::string_view name);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_ENUMERATE_H_
