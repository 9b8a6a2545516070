// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_LIST_H_
#define PMPROOF_REFERENCE_PMDA_PDU_LIST_H_

#include <algorithm>
#include <span>

namespace pmproof::pdu {

// A view of items that somebody else owns, equal where the items are equal. In a decoded PDU the
// Decoder or the bytes own them; in a PDU to be encoded, the caller.
template <typename T>
class List : public std::span<const T> {
 public:
  using std::span<const T>::span;
  List(std::span<const T> items) : std::span<const T>(items) {}  // NOLINT: a span with equality

  friend bool operator==(const List& a, const List& b) { return std::ranges::equal(a, b); }
};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_LIST_H_
