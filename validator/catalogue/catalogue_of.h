// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CATALOGUE_CATALOGUE_OF_H_
#define PMPROOF_VALIDATOR_CATALOGUE_CATALOGUE_OF_H_

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/core/clause.h"
#include "reference/core/status.h"

namespace pmproof::validator {

struct CatalogueFile {
  std::string_view path;
  std::string_view content;

  bool IsSchema() const { return path.ends_with(".schema.json"); }
};

// XXH64 of the files, 16 hexadecimal digits; schemas are left out.
std::string DigestOf(std::span<const CatalogueFile> files);

// kDamaged, about a file of a catalogue.
tl::unexpected<Status> BrokenCatalogue(std::string_view path, const std::string& message);

// What people know of rules or checks. A value; entries are ordered by identifier, and references
// to them hold as long as the catalogue.
template <typename Entry>
class CatalogueOf {
 public:
  using File = CatalogueFile;

  // The entries of these JSON files; schemas are left out. Error: kDamaged, with the file and the
  // entry, for data that are not as the schema beside them says, or an identifier that occurs
  // twice.
  static Result<CatalogueOf> FromJson(std::span<const File> files);

  // What this program carries.
  static Result<CatalogueOf> Shipped();

  // Returns null if there is none.
  const Entry* Find(Clause id) const {
    const auto found =
        std::lower_bound(entries_.begin(), entries_.end(), id,
                         [](const Entry& entry, Clause clause) { return entry.id < clause; });
    return found == entries_.end() || found->id != id ? nullptr : &*found;
  }
  const std::vector<Entry>& entries() const { return entries_; }

  // Tells in a report by which entries it was made.
  const std::string& digest() const { return digest_; }

 private:
  static Result<CatalogueOf> Make(std::vector<Entry> entries, std::span<const File> files) {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.id < b.id; });
    const auto twice =
        std::adjacent_find(entries.begin(), entries.end(),
                           [](const Entry& a, const Entry& b) { return a.id == b.id; });
    if (twice != entries.end()) {
      return BrokenCatalogue("", twice->id.ToString() + " occurs twice");
    }
    CatalogueOf catalogue;
    catalogue.entries_ = std::move(entries);
    catalogue.digest_ = DigestOf(files);
    return catalogue;
  }

  std::vector<Entry> entries_{};
  std::string digest_{};
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CATALOGUE_CATALOGUE_OF_H_
