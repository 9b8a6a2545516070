// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_LABEL_SET_CHECKER_H_
#define PMPROOF_REFERENCE_ARCHIVE_LABEL_SET_CHECKER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/archive/label_json.h"
#include "reference/archive/label_record.h"
#include "reference/archive/reporter.h"
#include "reference/core/metric.h"

namespace pmproof::archive {

// The number of entries that a set can have (ARC-398).
inline constexpr std::int32_t kMaxLabels = 255;

// Holds the entries of the label sets of one record against their JSON (ARC-393..397; rules
// ARC-1507..1514, 1521..1523, 1528..1530). Linear in the bytes of a set, but for sorting its
// entries and names.
class LabelSetChecker {
 public:
  // Both must outlive the checker.
  LabelSetChecker(const LabelRecord& labels, Reporter& reporter)
      : labels_(labels), reporter_(reporter) {}

  // `set` is one of the record's.
  void Check(const LabelSet& set);

 private:
  Location JsonAt(std::size_t begin, std::size_t length) const {
    return labels_.record.At(set_->offset + 8 + begin, length);
  }
  Location CountAt() const { return JsonAt(set_->json.size(), 4); }
  Location EntryAt(std::size_t i) const;
  std::size_t count() const { return static_cast<std::size_t>(set_->count); }

  bool JsonIsObject();
  void CheckFlags();
  const JsonLabel* Find(const LabelEntry& entry) const;
  bool CheckEntries();  // as CheckOrder()
  void CheckEntry(std::size_t i, const JsonLabel& label);
  // True if a name occurs more than once.
  bool CheckOrder(std::span<std::uint8_t> entries);
  void CheckRepeatedNames();
  void CheckValues();
  const JsonLabel& LabelOf(std::size_t entry) const { return found_[label_of_[entry]]; }

  const LabelRecord& labels_;
  Reporter& reporter_;
  const LabelSet* set_ = nullptr;
  JsonScan scan_;
  std::array<JsonLabel, kMaxLabels> found_;        // the labels of the JSON
  std::array<std::uint8_t, kMaxLabels> matched_;   // the entries that stand for a label
  std::array<std::uint8_t, kMaxLabels> label_of_;  // by entry, of those
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_LABEL_SET_CHECKER_H_
