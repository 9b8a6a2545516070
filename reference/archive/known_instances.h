// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_KNOWN_INSTANCES_H_
#define PMPROOF_REFERENCE_ARCHIVE_KNOWN_INSTANCES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reference/archive/indom_record.h"
#include "reference/core/identifiers.h"

namespace pmproof::archive {

// The instances of the last full record of each domain, as far as that broke no rule. The next one
// mostly has the same ones in the same order, a few gone and a few new, so that only these have to
// be looked at. The records and their bytes outlive this. Its sets take at
// most 8 MB together.
class KnownInstances {
 public:
  // True if it is known that the identifiers and names of a record break no rule (ARC-1403 to 1405,
  // 1407 to 1411, 1419 to 1421, 1427, 1429, 1431). False says nothing. `version` is that of
  // the layout of the record. Says in the record what is fresh.
  bool AreSound(IndomRecord* record, int version);

 private:
  // Words or strings in a hash table. Insert() says when many collide, as keys that were chosen for
  // that do.
  template <typename Key>
  class Set {
   public:
    // Empty, with room for `most` keys.
    void Clear(std::size_t most);
    // False if it is there already, or too many collide.
    bool Insert(Key key);
    void Erase(Key key);

   private:
    struct Slot {
      Key key{};
      bool taken = false;
    };
    static std::size_t HashOf(Key key);
    std::vector<Slot> slots_;  // a power of two
  };

  struct Domain {
    IndomRecord record;    // count 0: none is known
    std::size_t room = 0;  // for so many instances
    Set<std::uint32_t> identifiers;
    Set<std::string_view> briefs;  // names up to the first blank (ARC-343)
    std::uint32_t seen = 0;        // records since the last one that was known
    std::uint32_t patience = 1;    // so many pass before the next one is learned
  };

  bool Follow(Domain& domain, const IndomRecord& record, int version);
  bool Learn(Domain& domain, const IndomRecord& record, int version);
  bool Compare(const IndomRecord& before, const IndomRecord& record, int version,
               std::uint32_t most_fresh);
  bool Apply(Domain& domain, const IndomRecord& record);
  void Forget(Domain& domain);

  std::unordered_map<Indom, Domain> domains_;
  std::size_t room_ = 0;              // of all of them
  std::vector<std::uint32_t> gone_;   // entries of the record before
  std::vector<std::uint32_t> fresh_;  // entries of this one
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_KNOWN_INSTANCES_H_
