// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/label_record.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/label_set_checker.h"
#include "reference/core/identifiers.h"

namespace pmproof::archive {
namespace {

constexpr std::size_t kSetHeader = 12;  // inst, jsonlen, nlabels
constexpr std::size_t kEntrySize = 8;
constexpr std::int32_t kMaxJson = 65535;  // ARC-398

std::size_t HeaderSize(RecordType type) {
  return LayoutOf(type == RecordType::kLabelV2 ? 2 : 3).timestamp + 20;
}

// Finds the sets of a record, and what keeps readers from loading it.
class SetWalker {
 public:
  SetWalker(LabelRecord* labels, Reporter& reporter) : labels_(*labels), reporter_(reporter) {}

  // False if readers refuse the record. Otherwise the record's set_count is the number of whole
  // sets.
  bool Walk(std::int32_t count);

 private:
  enum class Step { kNext, kEnd, kRefused };
  Step TakeSet();

  bool RefuseCount(std::int32_t count, const char* message) {
    reporter_.Report("ARC-1503"_clause, labels_.record.At(labels_.sets - 4, 4), [&] {
      return Details{"nsets", std::to_string(count),
                     "0.." + std::to_string(Room(labels_.sets) / kSetHeader), message};
    });
    return false;
  }

  std::size_t Room(std::size_t at) const { return labels_.record.bytes.size() - kLengthWord - at; }

  LabelRecord& labels_;
  Reporter& reporter_;
  std::size_t at_ = 0;
};

bool SetWalker::Walk(std::int32_t count) {
  if (count < 0) return RefuseCount(count, "the number of label sets is negative");
  at_ = labels_.sets;
  if (static_cast<std::size_t>(count) > Room(at_) / kSetHeader) {
    return RefuseCount(count, "the record has no room for that number of label sets");
  }
  for (std::int32_t i = 0; i < count; ++i) {
    if (Room(at_) < kSetHeader)
      return RefuseCount(count, "the record has fewer label sets than it says");
    const Step step = TakeSet();
    if (step == Step::kRefused) return false;
    if (step == Step::kEnd) return true;
    ++labels_.set_count;
  }
  if (Room(at_) > 0) {
    reporter_.Report("ARC-1506"_clause, labels_.record.At(at_, Room(at_)), [&] {
      return Details{"label sets", std::to_string(Room(at_)) + " bytes", "",
                     "the record has bytes after its last label set"};
    });
  }
  return true;
}

SetWalker::Step SetWalker::TakeSet() {
  const std::uint8_t* p = labels_.record.bytes.data() + at_;
  const std::size_t room = Room(at_) - kSetHeader;
  const std::int32_t json = LoadI32(p + 4);
  const bool in_range = json >= 0 && json <= kMaxJson;
  if (!in_range || static_cast<std::size_t>(json) > room) {
    reporter_.Report(
        "ARC-1504"_clause, labels_.record.At(at_ + 4, 4),
        [&] {
          return Details{"jsonlen", std::to_string(json),
                         "0.." + std::to_string(std::min<std::size_t>(room, kMaxJson)),
                         in_range ? "the JSON runs beyond the end of the record"
                                  : "the length of the JSON is out of range"};
        },
        in_range ? Gravity::kError : Gravity::kAsCatalogued);
    return in_range ? Step::kEnd : Step::kRefused;
  }
  const std::size_t json_size = static_cast<std::size_t>(json);
  const std::int32_t count = LoadI32(p + 8 + json);
  const std::size_t entries = count > 0 ? static_cast<std::size_t>(count) : 0;
  const std::size_t entry_room = (room - json_size) / kEntrySize;
  if (count > kMaxLabels || entries > entry_room) {
    reporter_.Report("ARC-1505"_clause, labels_.record.At(at_ + 8 + json_size, 4), [&] {
      return Details{"nlabels", std::to_string(count),
                     "at most " + std::to_string(std::min<std::size_t>(entry_room, kMaxLabels)),
                     count > kMaxLabels
                         ? "the label set has more labels than readers take"
                         : "the entries of the label set do not fit into the record"};
    });
    return Step::kRefused;
  }
  at_ += kSetHeader + json_size + kEntrySize * entries;
  return Step::kNext;
}

// What the record's class asks of its identifier and of the number and instances of its sets.
void CheckClass(const LabelRecord& labels, std::int32_t stored_count, Reporter& reporter) {
  const RecordView& record = labels.record;
  const Location count_at = record.At(labels.sets - 4, 4);
  if (stored_count == 0) {
    reporter.Report("ARC-1519"_clause, count_at, [] {
      return Details{"nsets", "0", "> 0", "the record has no label sets"};
    });
  }
  if (!IsLabelClass(labels.label_class)) {
    reporter.Report("ARC-1501"_clause, record.At(labels.sets - 12, 4), [&] {
      return Details{"label class", std::to_string(static_cast<std::uint32_t>(labels.label_class)),
                     "1, 2, 4, 8, 16 or 32", "the label class is none that there is"};
    });
    return;
  }
  if (labels.label_class == LabelClass::kCluster && Pmid{labels.identifier}.item() != 0) {
    reporter.Report("ARC-1526"_clause, record.At(labels.sets - 8, 4), [&] {
      return Details{"identifier", ToText(Pmid{labels.identifier}), "item 0",
                     "the identifier of a cluster's labels names an item"};
    });
  }
  if (labels.label_class != LabelClass::kInstances && stored_count > 1) {
    reporter.Report("ARC-1518"_clause, count_at, [&] {
      return Details{"nsets", std::to_string(stored_count), "1",
                     "there is more than one label set for class " + ToText(labels.label_class)};
    });
  }
}

void CheckInstances(const LabelRecord& labels, Reporter& reporter) {
  const RecordView& record = labels.record;
  if (labels.label_class != LabelClass::kInstances) {
    labels.ForEachSet([&](const LabelSet& set) {
      if (set.instance == kInstanceNull) return;
      reporter.Report("ARC-1515"_clause, record.At(set.offset, 4), [&] {
        return Details{"inst", std::to_string(set.instance), "-1",
                       "a label set of class " + ToText(labels.label_class) + " names an instance"};
      });
    });
    return;
  }
  bool ascending = true;
  std::int64_t previous = std::numeric_limits<std::int64_t>::min();
  labels.ForEachSet([&](const LabelSet& set) {
    ascending = ascending && set.instance > previous;
    previous = set.instance;
  });
  if (ascending) return;

  std::vector<std::pair<std::int32_t, std::size_t>> instances;  // and the offset of the set
  instances.reserve(labels.set_count);
  labels.ForEachSet([&](const LabelSet& set) { instances.emplace_back(set.instance, set.offset); });
  std::sort(instances.begin(), instances.end());
  for (std::size_t k = 1; k < instances.size(); ++k) {
    if (instances[k - 1].first != instances[k].first) continue;
    reporter.Report("ARC-1517"_clause, record.At(instances[k].second, 4), [&] {
      return Details{"inst", std::to_string(instances[k].first), "each instance once",
                     "the record has more than one label set for an instance"};
    });
  }
}

}  // namespace

// The record's own type says how it is laid out, whatever the archive's version (ARC-301).
std::optional<LabelRecord> DecodeLabels(const RecordView& record, int /*version*/,
                                        Reporter& reporter) {
  const std::size_t size = record.bytes.size();
  const std::uint8_t* p = record.bytes.data();
  const auto type =
      size < kMinRecord + 4 ? RecordType::kLabelV2 : static_cast<RecordType>(LoadI32(p + 4));
  const std::size_t header = HeaderSize(type);
  if (size < header + kLengthWord) {
    reporter.Report("ARC-1109"_clause, record.Whole(), [&] {
      return Details{"N", std::to_string(size), ">= " + std::to_string(header + kLengthWord),
                     "the record is too short for labels"};
    });
    return std::nullopt;
  }

  LabelRecord labels;
  labels.record = record;
  labels.time = LoadTimestamp(p + 8, type == RecordType::kLabelV2 ? 2 : 3);
  labels.label_class = static_cast<LabelClass>(LoadU32(p + header - 12));
  labels.identifier = LoadU32(p + header - 8);
  labels.sets = static_cast<std::uint32_t>(header);
  const std::int32_t count = LoadI32(p + header - 4);
  if (!SetWalker(&labels, reporter).Walk(count)) return std::nullopt;

  CheckClass(labels, count, reporter);
  if (IsLabelClass(labels.label_class)) CheckInstances(labels, reporter);
  LabelSetChecker checker(labels, reporter);
  labels.ForEachSet([&](const LabelSet& set) { checker.Check(set); });
  return labels;
}

}  // namespace pmproof::archive
