// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/label_set_checker.h"

#include <algorithm>
#include <compare>
#include <cstring>
#include <string>

#include "reference/archive/label_names.h"
#include "reference/core/bounded_sort.h"
#include "reference/core/printable.h"

namespace pmproof::archive {
namespace {

constexpr std::size_t kEntrySize = 8;

// The name by which a label is known: for a nested one the outermost name, a dot and its own
// (MET-905). Compares without putting the text together.
class DottedName {
 public:
  DottedName(std::string_view outer, std::string_view name)
      : parts_{outer, outer.empty() ? std::string_view() : std::string_view("."), name} {}

  std::string ToText() const {
    return std::string(parts_[0]) + std::string(parts_[1]) + std::string(parts_[2]);
  }

  friend std::strong_ordering operator<=>(DottedName a, DottedName b) {
    while (true) {
      const std::string_view x = a.Front();
      const std::string_view y = b.Front();
      const std::size_t common = std::min(x.size(), y.size());
      if (common == 0) return x.size() <=> y.size();
      if (const int order = std::memcmp(x.data(), y.data(), common); order != 0) return order <=> 0;
      a.Drop(common);
      b.Drop(common);
    }
  }
  friend bool operator==(const DottedName& a, const DottedName& b) { return std::is_eq(a <=> b); }

 private:
  // The first part that is not empty.
  std::string_view Front() const {
    for (const std::string_view part : parts_) {
      if (!part.empty()) return part;
    }
    return {};
  }
  void Drop(std::size_t size) {
    for (std::string_view& part : parts_) {
      if (part.empty()) continue;
      part.remove_prefix(size);
      return;
    }
  }

  std::array<std::string_view, 3> parts_;
};

}  // namespace

Location LabelSetChecker::EntryAt(std::size_t i) const {
  return JsonAt(set_->json.size() + 4 + kEntrySize * i, kEntrySize);
}

void LabelSetChecker::Check(const LabelSet& set) {
  set_ = &set;
  if (set_->count < 0) {
    reporter_.Report("ARC-1514"_clause, CountAt(), [&] {
      return Details{"nlabels", std::to_string(set_->count), ">= 0",
                     "the number of labels is an error code"};
    });
    return;
  }
  if (IsLabelClass(labels_.label_class)) CheckFlags();
  if (set_->count == 0 && set_->json.empty()) return;
  if (!JsonIsObject()) return;
  CheckValues();
  if (scan_.count != count()) {
    reporter_.Report("ARC-1522"_clause, CountAt(), [&] {
      return Details{"nlabels", std::to_string(set_->count), std::to_string(scan_.count),
                     "the label set does not have an entry for each label of its JSON"};
    });
  }
  // More labels than a set can have entries for: which entry means which has been lost.
  if (scan_.count <= found_.size() && CheckEntries()) return;
  // In an object without others each name is that of a label.
  if (scan_.has_nested) CheckRepeatedNames();
}

bool LabelSetChecker::JsonIsObject() {
  if (const std::size_t nul = set_->json.find('\0'); nul != std::string_view::npos) {
    reporter_.Report("ARC-1521"_clause, JsonAt(nul, 1), [&] {
      return Details{"JSON", "a NUL", "", "the JSON of the label set has a NUL in it"};
    });
    return false;
  }
  scan_ = ScanLabelJson(set_->json, found_);
  if (scan_.error) {
    const std::size_t at = std::min(scan_.error->offset, set_->json.size());
    reporter_.Report("ARC-1507"_clause, JsonAt(at, at < set_->json.size() ? 1 : 0), [&] {
      return Details{"JSON", Printable(set_->json.substr(at)), "one JSON object in UTF-8",
                     scan_.error->message};
    });
    return false;
  }
  if (scan_.blank || scan_.outer_name) {
    const std::size_t at = scan_.blank ? *scan_.blank : *scan_.outer_name;
    reporter_.Report("ARC-1508"_clause, JsonAt(at, 1), [&] {
      return Details{"JSON", Printable(set_->json), "",
                     scan_.blank
                         ? "the JSON has blanks outside strings"
                         : "a name in the JSON is not made of letters, digits and underscores"};
    });
  }
  return true;
}

void LabelSetChecker::CheckFlags() {
  const auto wanted = static_cast<std::uint32_t>(labels_.label_class);
  for (std::size_t i = 0; i < count(); ++i) {
    const std::uint32_t flags = set_->Entry(i).flags;
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
const JsonLabel* LabelSetChecker::Find(const LabelEntry& entry) const {
  const auto end = found_.begin() + static_cast<std::ptrdiff_t>(scan_.count);
  const auto label = std::lower_bound(
      found_.begin(), end, entry.name_offset,
      [](const JsonLabel& a, std::uint16_t offset) { return a.name_offset < offset; });
  return label != end && label->name_offset == entry.name_offset ? &*label : nullptr;
}

void LabelSetChecker::CheckValues() {
  if (scan_.number) {
    const std::string_view rest = set_->json.substr(*scan_.number);
    const std::string_view number = rest.substr(0, rest.find_first_of(",]} \t\n\r"));
    reporter_.Report("ARC-1529"_clause, JsonAt(*scan_.number, number.size()), [&] {
      return Details{"JSON", Printable(number), "a number that a double holds",
                     "readers do not agree on a number in the JSON"};
    });
  }
  if (const std::optional<OddCharacter>& odd = scan_.character) {
    reporter_.Report(
        "ARC-1530"_clause, JsonAt(odd->at, odd->size),
        [&] {
          return Details{"JSON", Printable(set_->json.substr(odd->at)), "",
                         odd->half_a_pair
                             ? "a value in the JSON has half of a surrogate pair"
                             : "a value in the JSON has a character that acts on a terminal, or "
                               "reorders, hides or breaks text"};
        },
        odd->half_a_pair ? Gravity::kError : Gravity::kAsCatalogued);
  }
}

void LabelSetChecker::CheckRepeatedNames() {
  const std::optional<std::size_t> at = FindRepeatedName(set_->json);
  if (!at) return;
  reporter_.Report("ARC-1528"_clause, JsonAt(*at, 1), [&] {
    return Details{"JSON", Printable(set_->json.substr(*at - 1)), "each name once in an object",
                   "an object in the JSON has a name twice"};
  });
}

bool LabelSetChecker::CheckEntries() {
  std::size_t matched = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    const LabelEntry entry = set_->Entry(i);
    if (entry.name_offset + entry.name_length > static_cast<int>(set_->json.size()) ||
        entry.value_offset + entry.value_length > static_cast<int>(set_->json.size())) {
      reporter_.Report("ARC-1509"_clause, EntryAt(i), [&] {
        return Details{"label entry",
                       "name " + std::to_string(entry.name_offset) + "+" +
                           std::to_string(entry.name_length) + ", value " +
                           std::to_string(entry.value_offset) + "+" +
                           std::to_string(entry.value_length),
                       "at most " + std::to_string(set_->json.size()),
                       "the label entry points outside the JSON"};
      });
      continue;
    }
    const JsonLabel* label = Find(entry);
    // A name of more than 255 bytes cannot be written down in an entry: that is a matter of
    // ARC-1512.
    const bool same_name =
        label != nullptr && (label->name_length == entry.name_length || label->name_length > 255);
    if (!same_name || label->value_offset != entry.value_offset ||
        label->value_length != entry.value_length) {
      reporter_.Report("ARC-1510"_clause, EntryAt(i), [&] {
        return Details{"label entry",
                       Printable(set_->json.substr(entry.name_offset, entry.name_length)) + ": " +
                           Printable(set_->json.substr(entry.value_offset, entry.value_length)),
                       "", "the label entry does not cover a name and its complete value"};
      });
      continue;
    }
    label_of_[i] = static_cast<std::uint8_t>(label - found_.data());
    matched_[matched++] = static_cast<std::uint8_t>(i);
    CheckEntry(i, *label);
  }
  return CheckOrder(std::span(matched_).first(matched));
}

void LabelSetChecker::CheckEntry(std::size_t i, const JsonLabel& label) {
  const std::string_view name = label.Name(set_->json);
  if (!IsLabelName(name)) {
    reporter_.Report("ARC-1512"_clause, JsonAt(label.name_offset, label.name_length), [&] {
      return Details{"label name", Printable(name), "1 to 254 letters, digits and underscores",
                     "the label name is not one that PCP makes"};
    });
  }
  const std::uint32_t flags = set_->Entry(i).flags;
  // MET-905: PCP gives the flag to an empty object at any level.
  const bool empty_object = set_->json.substr(label.value_offset, label.value_length) == "{}";
  const bool compound = (flags & kLabelFlagCompound) != 0;
  if (compound != label.nested() && !(compound && empty_object)) {
    reporter_.Report("ARC-1523"_clause, EntryAt(i), [&] {
      return Details{"flags", std::to_string(flags), label.nested() ? "with 64" : "without 64",
                     label.nested() ? "the label is nested and its flags do not say so"
                                    : "the flags of a label say that it is nested"};
    });
  }
}

// Nested labels are sorted by their dotted names or by their own (MET-901 leaves it open).
bool LabelSetChecker::CheckOrder(std::span<std::uint8_t> entries) {
  const auto own_name = [&](std::size_t entry) { return LabelOf(entry).Name(set_->json); };
  const auto full_name = [&](std::size_t entry) {
    return DottedName(LabelOf(entry).Outer(set_->json), own_name(entry));
  };
  const auto by_full_name = [&](std::size_t a, std::size_t b) {
    return full_name(a) < full_name(b);
  };
  const auto by_own_name = [&](std::size_t a, std::size_t b) { return own_name(a) < own_name(b); };
  const auto not_ascending = [&](std::size_t a, std::size_t b) { return !by_full_name(a, b); };
  if (std::adjacent_find(entries.begin(), entries.end(), not_ascending) == entries.end())
    return false;

  const auto unsorted = std::is_sorted_until(entries.begin(), entries.end(), by_full_name);
  if (unsorted != entries.end() && !std::is_sorted(entries.begin(), entries.end(), by_own_name)) {
    reporter_.Report("ARC-1511"_clause, EntryAt(*unsorted), [&] {
      return Details{"label entry", Printable(full_name(*unsorted).ToText()),
                     "after " + Printable(full_name(unsorted[-1]).ToText()),
                     "the label entries are not sorted by name"};
    });
  }
  BoundedSort(entries.begin(), entries.end(), [&](std::size_t a, std::size_t b) {
    const auto order = full_name(a) <=> full_name(b);
    return std::is_neq(order) ? std::is_lt(order) : a < b;
  });
  bool repeated = false;
  for (std::size_t k = 1; k < entries.size(); ++k) {
    // Of levels between the outermost and the innermost name nothing is left (MET-905): names that
    // are equal for that reason are PCP's doing.
    const bool exact = LabelOf(entries[k - 1]).depth <= 2 && LabelOf(entries[k]).depth <= 2;
    if (!exact || full_name(entries[k - 1]) != full_name(entries[k])) continue;
    repeated = true;
    reporter_.Report(
        "ARC-1511"_clause, EntryAt(entries[k]),
        [&] {
          return Details{"label entry", Printable(full_name(entries[k]).ToText()), "each name once",
                         "a label name occurs more than once in the label set"};
        },
        Gravity::kError);
  }
  return repeated;
}

}  // namespace pmproof::archive
