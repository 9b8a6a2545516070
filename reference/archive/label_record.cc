#include "reference/archive/label_record.h"

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/label_json.h"
#include "reference/core/identifiers.h"

namespace pmproof::archive {
namespace {

constexpr std::size_t kSetHeader = 12;  // inst, jsonlen, nlabels
constexpr std::size_t kEntrySize = 8;
constexpr std::int32_t kMaxJson = 65535;  // ARC-398
constexpr std::int32_t kMaxLabels = 255;

std::size_t HeaderSize(RecordType type) {
  return LayoutOf(type == RecordType::kLabelV2 ? 2 : 3).timestamp + 20;
}

bool IsLabelClass(LabelClass label_class) {
  const auto bits = static_cast<std::uint32_t>(label_class);
  return std::has_single_bit(bits) && bits <= static_cast<std::uint32_t>(LabelClass::kInstances);
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kShown = 64;
  return "\"" + std::string(text.substr(0, kShown)) + (text.size() > kShown ? "\"..." : "\"");
}

// The name by which a label is known: for a nested one the outermost name, a dot and its own
// (MET-905). Compares without putting the text together.
class DottedName {
 public:
  DottedName(std::string_view outer, std::string_view name)
      : parts_{outer, outer.empty() ? std::string_view() : std::string_view("."), name} {}

  std::size_t size() const { return parts_[0].size() + parts_[1].size() + parts_[2].size(); }
  std::uint8_t operator[](std::size_t i) const {
    for (const std::string_view part : parts_) {
      if (i < part.size()) return static_cast<std::uint8_t>(part[i]);
      i -= part.size();
    }
    return 0;
  }
  std::string ToText() const {
    return std::string(parts_[0]) + std::string(parts_[1]) + std::string(parts_[2]);
  }

  friend std::strong_ordering operator<=>(const DottedName& a, const DottedName& b) {
    const std::size_t common = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < common; ++i) {
      if (a[i] != b[i]) return a[i] <=> b[i];
    }
    return a.size() <=> b.size();
  }
  friend bool operator==(const DottedName& a, const DottedName& b) { return (a <=> b) == 0; }

 private:
  std::array<std::string_view, 3> parts_;
};

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
                     "the record has bytes behind its last label set"};
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

// What the checks of one set after the other need, so that they share it.
struct Scratch {
  std::array<JsonLabel, kMaxLabels> found;        // the labels of the JSON
  std::array<std::uint8_t, kMaxLabels> matched;   // the entries that stand for a label, and which
  std::array<std::uint8_t, kMaxLabels> label_of;  // by entry
};

// Holds the entries of one set against its JSON.
class SetChecker {
 public:
  SetChecker(const LabelRecord& labels, const LabelSet& set, Scratch* scratch, Reporter& reporter)
      : labels_(labels), set_(set), scratch_(*scratch), reporter_(reporter) {}

  void Check();

 private:
  Location JsonAt(std::size_t begin, std::size_t length) const {
    return labels_.record.At(set_.offset + 8 + begin, length);
  }
  Location CountAt() const { return JsonAt(set_.json.size(), 4); }
  Location EntryAt(std::size_t i) const {
    return JsonAt(set_.json.size() + 4 + kEntrySize * i, kEntrySize);
  }
  std::size_t count() const { return static_cast<std::size_t>(set_.count); }

  bool JsonIsObject();
  void CheckFlags();
  const JsonLabel* Find(const LabelEntry& entry) const;
  void CheckEntries();
  void CheckEntry(std::size_t i, const JsonLabel& label);
  void CheckOrder(std::span<std::uint8_t> entries);

  const JsonLabel& LabelOf(std::size_t entry) const {
    return scratch_.found[scratch_.label_of[entry]];
  }
  std::string_view OwnName(std::size_t entry) const { return LabelOf(entry).Name(set_.json); }
  DottedName FullName(std::size_t entry) const {
    return {LabelOf(entry).Outer(set_.json), OwnName(entry)};
  }

  const LabelRecord& labels_;
  const LabelSet& set_;
  Scratch& scratch_;
  Reporter& reporter_;
  JsonScan scan_;
};

void SetChecker::Check() {
  if (set_.count < 0) {
    reporter_.Report("ARC-1514"_clause, CountAt(), [&] {
      return Details{"nlabels", std::to_string(set_.count), ">= 0",
                     "the number of labels is an error code"};
    });
    return;
  }
  if (IsLabelClass(labels_.label_class)) CheckFlags();
  if (set_.count == 0 && set_.json.empty()) return;
  if (!JsonIsObject()) return;
  if (scan_.count != count()) {
    reporter_.Report("ARC-1522"_clause, CountAt(), [&] {
      return Details{"nlabels", std::to_string(set_.count), std::to_string(scan_.count),
                     "the label set does not have an entry for each label of its JSON"};
    });
  }
  // More labels than a set can have entries for: which entry means which has been lost.
  if (scan_.count <= scratch_.found.size()) CheckEntries();
}

bool SetChecker::JsonIsObject() {
  if (const std::size_t nul = set_.json.find('\0'); nul != std::string_view::npos) {
    reporter_.Report("ARC-1521"_clause, JsonAt(nul, 1), [&] {
      return Details{"JSON", "NUL", "", "the JSON of the label set has a NUL in it"};
    });
    return false;
  }
  scan_ = ScanLabelJson(set_.json, scratch_.found);
  if (scan_.error) {
    const std::size_t at = std::min(scan_.error->offset, set_.json.size());
    reporter_.Report("ARC-1507"_clause, JsonAt(at, at < set_.json.size() ? 1 : 0), [&] {
      return Details{"JSON", Quoted(set_.json.substr(at)), "one JSON object in UTF-8",
                     scan_.error->message};
    });
    return false;
  }
  if (scan_.blank || scan_.outer_name) {
    const std::size_t at = scan_.blank ? *scan_.blank : *scan_.outer_name;
    reporter_.Report("ARC-1508"_clause, JsonAt(at, 1), [&] {
      return Details{"JSON", Quoted(set_.json), "",
                     scan_.blank
                         ? "the JSON has blanks outside strings"
                         : "a name in the JSON is not made of letters, digits and underscores"};
    });
  }
  return true;
}

void SetChecker::CheckFlags() {
  const auto wanted = static_cast<std::uint32_t>(labels_.label_class);
  for (std::size_t i = 0; i < count(); ++i) {
    const std::uint32_t flags = set_.Entry(i).flags;
    const std::uint32_t bits = flags & ~std::uint32_t{kLabelFlagCompound | kLabelFlagOptional};
    if (bits == wanted) continue;
    reporter_.Report("ARC-1513"_clause, EntryAt(i), [&] {
      return Details{"flags", std::to_string(flags),
                     std::to_string(wanted) + ", with 64 and 128 or without",
                     "the class in the label's flags is not the record's class"};
    });
  }
}

// The label whose name begins where the entry says; they lie in the order of their names' offsets.
const JsonLabel* SetChecker::Find(const LabelEntry& entry) const {
  const auto end = scratch_.found.begin() + static_cast<std::ptrdiff_t>(scan_.count);
  const auto label = std::lower_bound(
      scratch_.found.begin(), end, entry.name_offset,
      [](const JsonLabel& a, std::uint16_t offset) { return a.name_offset < offset; });
  return label != end && label->name_offset == entry.name_offset ? &*label : nullptr;
}

void SetChecker::CheckEntries() {
  std::size_t matched = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    const LabelEntry entry = set_.Entry(i);
    if (entry.name_offset + entry.name_length > static_cast<int>(set_.json.size()) ||
        entry.value_offset + entry.value_length > static_cast<int>(set_.json.size())) {
      reporter_.Report("ARC-1509"_clause, EntryAt(i), [&] {
        return Details{"label entry",
                       "name " + std::to_string(entry.name_offset) + "+" +
                           std::to_string(entry.name_length) + ", value " +
                           std::to_string(entry.value_offset) + "+" +
                           std::to_string(entry.value_length),
                       "at most " + std::to_string(set_.json.size()),
                       "the label entry points outside the JSON"};
      });
      continue;
    }
    const JsonLabel* label = Find(entry);
    // A name of more than 255 bytes can not be written down in an entry: that is a matter of
    // ARC-1512.
    const bool same_name =
        label != nullptr && (label->name_length == entry.name_length || label->name_length > 255);
    if (!same_name || label->value_offset != entry.value_offset ||
        label->value_length != entry.value_length) {
      reporter_.Report("ARC-1510"_clause, EntryAt(i), [&] {
        return Details{"label entry",
                       Quoted(set_.json.substr(entry.name_offset, entry.name_length)) + ": " +
                           Quoted(set_.json.substr(entry.value_offset, entry.value_length)),
                       "", "the label entry does not cover a name and its complete value"};
      });
      continue;
    }
    scratch_.label_of[i] = static_cast<std::uint8_t>(label - scratch_.found.data());
    scratch_.matched[matched++] = static_cast<std::uint8_t>(i);
    CheckEntry(i, *label);
  }
  CheckOrder(std::span(scratch_.matched).first(matched));
}

void SetChecker::CheckEntry(std::size_t i, const JsonLabel& label) {
  const std::string_view name = label.Name(set_.json);
  if (!IsLabelName(name)) {
    reporter_.Report("ARC-1512"_clause, JsonAt(label.name_offset, label.name_length), [&] {
      return Details{"label name", Quoted(name), "1 to 254 letters, digits and underscores",
                     "the label name is not one that PCP makes"};
    });
  }
  const std::uint32_t flags = set_.Entry(i).flags;
  if (((flags & kLabelFlagCompound) != 0) != label.nested()) {
    reporter_.Report("ARC-1523"_clause, EntryAt(i), [&] {
      return Details{"flags", std::to_string(flags), label.nested() ? "with 64" : "without 64",
                     label.nested() ? "the label is nested and its flags do not say so"
                                    : "the flags of a label say that it is nested"};
    });
  }
}

// Nested labels may be sorted by their dotted names or by their own: the archives there are have
// both.
void SetChecker::CheckOrder(std::span<std::uint8_t> entries) {
  const auto by_full_name = [&](std::size_t a, std::size_t b) { return FullName(a) < FullName(b); };
  const auto by_own_name = [&](std::size_t a, std::size_t b) { return OwnName(a) < OwnName(b); };
  const auto unsorted = std::is_sorted_until(entries.begin(), entries.end(), by_full_name);
  if (unsorted != entries.end() && !std::is_sorted(entries.begin(), entries.end(), by_own_name)) {
    reporter_.Report("ARC-1511"_clause, EntryAt(*unsorted), [&] {
      return Details{"label entry", FullName(*unsorted).ToText(),
                     "> " + FullName(unsorted[-1]).ToText(),
                     "the label entries are not sorted by name"};
    });
  }
  std::sort(entries.begin(), entries.end(), [&](std::size_t a, std::size_t b) {
    const auto order = FullName(a) <=> FullName(b);
    return order != 0 ? order < 0 : a < b;
  });
  for (std::size_t k = 1; k < entries.size(); ++k) {
    // Of levels between the outermost and the innermost name nothing is left (MET-905): equal names
    // from there are PCP's doing.
    const bool exact = LabelOf(entries[k - 1]).depth <= 2 && LabelOf(entries[k]).depth <= 2;
    if (!exact || FullName(entries[k - 1]) != FullName(entries[k])) continue;
    reporter_.Report(
        "ARC-1511"_clause, EntryAt(entries[k]),
        [&] {
          return Details{"label entry", FullName(entries[k]).ToText(), "each name once",
                         "a label name occurs more than once in the label set"};
        },
        Gravity::kError);
  }
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
  Scratch scratch;
  labels.ForEachSet(
      [&](const LabelSet& set) { SetChecker(labels, set, &scratch, reporter).Check(); });
  return labels;
}

}  // namespace pmproof::archive
