// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_FORM_TABLE_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_FORM_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "reference/archive/instance_domain.h"
#include "reference/core/bytes.h"
#include "validator/check/rules/record_form.h"

namespace pmproof::validator {

// A form, and what ValueChecker has to know of it. While it is followed, the values before of its
// counters are kept in it and not with the metrics.
struct KnownForm {
  struct Metric {
    std::uint32_t state = 0;  // in ValueChecker
    std::uint32_t set = 0;    // its number in the form
  };
  struct Domain {
    archive::InstanceCursor* cursor = nullptr;
    std::size_t version = 0;      // with which the instances of the form were compared
    std::vector<Metric> metrics;  // those below that have it
  };

  // A set of which there is more to say than whether its numbers are good.
  struct Remark {
    std::uint32_t set = 0;    // likewise
    std::uint32_t state = 0;  // its metric, in ValueChecker, unless it is whole and not loose
    bool unusual = false;     // its form is reported (ARC-1717, ARC-1725)
    bool padded = false;      // nothing of that but its format: its padding is canonical
    bool descending = false;  // its instances are reported (ARC-1729)
    bool events = false;      // its values are event arrays
    bool whole = false;       // it is checked as if nothing was known of it
    bool loose = false;       // likewise, since it is loose in the form
    std::int32_t numval = 0;  // of a loose one: as it was in the last record
    std::uint32_t calm = 0;   // for so many records its instances are the same
  };

  RecordForm form;
  std::size_t memory = 0;  // of the form
  bool followed = false;
  std::uint32_t uses = 0;       // since it is followed
  std::uint64_t epoch = 0;      // marks seen when the values were last compared
  std::vector<Metric> metrics;  // of the sets with values that are not loose, in their order
  std::vector<Domain> domains;
  std::vector<Remark> remarks;  // in the order of the sets
};

// The forms of records, found by how these begin. Few are kept, and only of records that come
// again; one that is of no use is tried the less often the longer that is so, and where few are of
// use, each is tried late.
class FormTable {
 public:
  static constexpr std::size_t kMostMemory = std::size_t{8} << 20;  // of the forms, in bytes
  static constexpr std::size_t kLargestRecord = std::size_t{1} << 20;

  struct Slot {
    std::uint64_t key = 0;
    std::unique_ptr<KnownForm> known;
    std::uint32_t waited = 0;    // records since the form was of use, or tried
    std::uint32_t patience = 1;  // how many have to be waited for
  };

  // Begins with records of another key. What the slot had is dropped.
  void Start(Slot& slot, std::uint64_t key);
  // True if a form is to be made now, after one more record of the slot's key was checked without.
  bool IsDue(Slot& slot);
  // A record had the form of the slot.
  void OnUse(Slot& slot);

  // Of records that begin as this one does; the slot's key may be another one. `sets` is the offset
  // of the first value set, which the record has. Null if the record is not to have a form.
  Slot* Find(Bytes record, std::size_t sets, std::uint64_t* key) {
    if (record.size() < sets + 16 || record.size() > kLargestRecord) return nullptr;
    if (slots_.empty()) slots_.resize(kSlots);
    // Number of sets, then identifier, count, format and instance of the first one.
    const std::uint8_t* const begin = record.data() + sets - 4;
    *key = Stored(begin) * 0x9e3779b97f4a7c15 + Stored(begin + 8) * 0xc2b2ae3d27d4eb4f +
           Stored(begin + 12) * 0x165667b19e3779f9;
    return &slots_[*key >> 56];
  }

  // Other records follow, of another stretch: forms that are followed now are to be tried with the
  // first of them.
  void StartAgain();

  // Keeps a form in the slot, if there is memory for it.
  void Keep(Slot& slot, KnownForm known);
  void Drop(Slot& slot);

  // Calls visit(KnownForm&) for each.
  template <typename Visit>
  void ForEach(Visit&& visit) {
    for (Slot& slot : slots_)
      if (slot.known != nullptr) visit(*slot.known);
  }

 private:
  static constexpr std::size_t kSlots = 256;
  static constexpr std::uint64_t kCredit = std::uint64_t{1} << 20;

  static std::uint64_t Stored(const std::uint8_t* at) {
    std::uint64_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return bits;
  }

  // A form costs as much as some records of its length that are checked value by value.
  std::uint32_t LeastPatience() const { return 8 * made_ > used_ + kCredit ? 16 : 1; }

  std::vector<Slot> slots_;
  std::size_t memory_ = 0;
  std::uint64_t made_ = 0;  // memory of forms
  std::uint64_t used_ = 0;  // of forms that records had, each time again
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_FORM_TABLE_H_
