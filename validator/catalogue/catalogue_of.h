// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CATALOGUE_CATALOGUE_OF_H_
#define PMPROOF_VALIDATOR_CATALOGUE_CATALOGUE_OF_H_

#include <algorithm>
#include <span>
#include <string_view>

#include "reference/core/clause.h"

namespace pmproof::validator {

// What people know of rules or checks. A view of a table, which costs nothing to make and to copy.
template <typename Entry>
class CatalogueOf {
 public:
  constexpr CatalogueOf() = default;
  // The entries are ordered by identifier, each of which occurs once. They and `digest` outlive
  // this and its copies.
  constexpr CatalogueOf(std::span<const Entry> entries, std::string_view digest)
      : entries_(entries), digest_(digest) {}

  // What this program carries; write_table.py makes it of the JSON files when it is built.
  static CatalogueOf Shipped();

  // Returns null if there is none.
  const Entry* Find(Clause id) const {
    const auto found = std::ranges::lower_bound(entries_, id, {}, &Entry::id);
    return found == entries_.end() || found->id != id ? nullptr : &*found;
  }
  std::span<const Entry> entries() const { return entries_; }

  // Tells in a report by which entries it was made: XXH64 of the JSON files, 16 hexadecimal digits.
  std::string_view digest() const { return digest_; }

 private:
  std::span<const Entry> entries_{};
  std::string_view digest_{};
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CATALOGUE_CATALOGUE_OF_H_
