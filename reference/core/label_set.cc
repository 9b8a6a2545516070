// SPDX-License-Identifier: Apache-2.0
#include "reference/core/label_set.h"

#include <algorithm>
#include <utility>

#include "reference/core/json_cursor.h"

namespace pmproof {
namespace {

constexpr std::size_t kMaxLabels = 255;         // of a set (MET-907)
constexpr std::size_t kMaxMergedLabels = 1530;  // of one that is merged

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// `dots`: as names of stored and merged sets may have them (MET-905).
bool IsName(std::string_view name, PcpVersion version, bool dots) {
  if (name.empty() || name.size() > kMaxLabelName) return false;
  if (version != PcpVersion::k7_2 && !IsLetter(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [dots](char c) {
    return IsLetter(c) || IsDigit(c) || c == '_' || (dots && c == '.');
  });
}

// What names are compared by, in checks for duplicates and in merging (MET-904, MET-923): a nested
// label has its path for another nested one, and for one that is not as many bytes of the path as
// its innermost name has.
int Compare(const IndexedLabel& a, const IndexedLabel& b) {
  const bool nested = a.path.size() != a.name_length && b.path.size() != b.name_length;
  if (nested) return a.path.compare(b.path);
  return a.path.compare(0, a.name_length, b.path, 0, b.name_length);
}

// Builds the stored form of a text, in one pass. Its depth is bounded by kMaxJsonDepth.
class Builder {
 public:
  Builder(std::string_view json, PcpVersion version, bool dots)
      : cursor_(json, JsonCursor::Strings::kAnyBytes), version_(version), dots_(dots) {}

  tl::expected<StoredLabels, ErrorCode> Build() {
    const bool blank = (cursor_.SkipBlanks(), cursor_.AtEnd());
    const bool object = cursor_.Peek() == '{';
    const bool text = cursor_.Peek() == '"';
    const bool read = blank || Value(Place{}, 0);
    if (read) cursor_.SkipBlanks();
    if (read && !cursor_.AtEnd()) cursor_.Fail("text follows the JSON object");
    if (cursor_.error() && !cursor_.error()->at_end) return tl::unexpected(refusal_);
    if (refused_) return tl::unexpected(refusal_);
    if (text) return tl::unexpected(kBadLabels);
    if (!object || cursor_.error() || (stored_.index.empty() && !dropped_)) return StoredLabels{};
    if (stored_.index.empty()) return tl::unexpected(kBadLabels);
    return Finish();
  }

 private:
  // Where in the text a value stands.
  struct Place {
    std::string_view outer;  // the outermost name
    std::string_view name;   // the innermost
    std::size_t name_offset = 0;
    bool nested = false;
  };

  tl::expected<StoredLabels, ErrorCode> Finish() {
    std::vector<IndexedLabel>& index = stored_.index;
    std::stable_sort(index.begin(), index.end(),
                     [](const IndexedLabel& a, const IndexedLabel& b) { return a.path < b.path; });
    if (index.size() > (dots_ ? kMaxMergedLabels : kMaxLabels) ||
        stored_.json.size() >= kMaxLabelJson) {
      return tl::unexpected(kTooManyLabels);
    }
    const auto same = [](const IndexedLabel& a, const IndexedLabel& b) {
      return Compare(a, b) == 0;
    };
    if (std::adjacent_find(index.begin(), index.end(), same) != index.end()) {
      return tl::unexpected(kBadLabels);
    }
    return std::move(stored_);
  }

  // False if the text is at fault; that of a name is noted in refused_.
  bool Value(const Place& place, std::uint32_t depth) {
    if (depth > kMaxJsonDepth) return cursor_.Fail("the JSON is nested too deeply");
    if (cursor_.Peek() == '{') return Object(place, depth);
    if (cursor_.Peek() == '[') return Array(place, depth);
    const std::size_t begin = cursor_.at();
    if (!cursor_.Scalar()) return false;
    stored_.json += cursor_.text().substr(begin, cursor_.at() - begin);
    return true;
  }

  // Object and Array pass over what they begin with.
  void Open(char bracket) {
    cursor_.Take(bracket);
    stored_.json += bracket;
    blanks_ += cursor_.SkipBlanks();
  }

  bool Object(const Place& place, std::uint32_t depth) {
    Open('{');
    bool first = true;
    if (cursor_.Take('}')) return Close('}');
    do {
      blanks_ += cursor_.SkipBlanks();
      if (!Member(place, depth, &first)) return false;
      blanks_ += cursor_.SkipBlanks();
    } while (cursor_.Take(','));
    return cursor_.Take('}') ? Close('}') : cursor_.Fail("a comma or } is missing in an object");
  }

  bool Close(char bracket) {
    stored_.json += bracket;
    return true;
  }

  bool Member(const Place& outside, std::uint32_t depth, bool* first) {
    const std::size_t begin = cursor_.at() + 1;
    if (cursor_.Peek() != '"') return cursor_.Fail("a name in quotes is missing in an object");
    if (!cursor_.String()) return false;
    Place place;
    place.name = cursor_.text().substr(begin, cursor_.at() - 1 - begin);
    place.outer = depth == 0 ? place.name : outside.outer;
    place.nested = depth > 0;
    blanks_ += cursor_.SkipBlanks();
    if (!cursor_.Take(':')) return cursor_.Fail("a colon is missing after a name");
    blanks_ += cursor_.SkipBlanks();

    const std::size_t json_before = stored_.json.size();
    const std::size_t labels_before = stored_.index.size();
    if (!*first) stored_.json += ',';
    place.name_offset = stored_.json.size() + 1;
    stored_.json += '"';
    stored_.json += place.name;
    stored_.json += "\":";
    const std::size_t value = stored_.json.size();
    const bool array = cursor_.Peek() == '[';
    const bool object = cursor_.Peek() == '{';
    blanks_ = 0;
    if (!Value(place, depth + 1)) return false;
    if (!IsName(place.name, version_, dots_)) {
      if (version_ != PcpVersion::k7_2) Refuse(place.name);
      stored_.json.resize(json_before);
      stored_.index.resize(labels_before);
      dropped_ = true;
      return true;
    }
    *first = false;
    if (stored_.index.size() > labels_before) return true;
    Add(place, value, array ? blanks_ : 0, object);
    return true;
  }

  void Add(const Place& place, std::size_t value, std::size_t blanks, bool empty_object) {
    IndexedLabel label;
    label.name_offset = place.name_offset;
    label.name_length = place.name.size();
    label.value_offset = value - blanks;
    label.value_length = stored_.json.size() - value + blanks;
    label.compound = place.nested || empty_object;
    label.path = place.nested ? std::string(place.outer) + "." + std::string(place.name)
                              : std::string(place.name);
    stored_.index.push_back(std::move(label));
  }

  bool Array(const Place& place, std::uint32_t depth) {
    Open('[');
    bool first = true;
    if (cursor_.Take(']')) return Close(']');
    do {
      blanks_ += cursor_.SkipBlanks();
      if (!first) stored_.json += ',';
      first = false;
      if (!Value(place, depth + 1)) return false;
      blanks_ += cursor_.SkipBlanks();
    } while (cursor_.Take(','));
    return cursor_.Take(']') ? Close(']') : cursor_.Fail("a comma or ] is missing in an array");
  }

  void Refuse(std::string_view name) {
    if (refused_) return;
    refused_ = true;
    refusal_ = name.size() > kMaxLabelName ? kTooManyLabels : kBadLabels;
  }

  JsonCursor cursor_;
  PcpVersion version_;
  bool dots_;
  StoredLabels stored_;
  std::size_t blanks_ = 0;  // passed over since the value of the member at hand began
  bool dropped_ = false;
  bool refused_ = false;
  ErrorCode refusal_ = kBadLabels;
};

}  // namespace

bool IsLabelName(std::string_view name, PcpVersion version) { return IsName(name, version, false); }

tl::expected<StoredLabels, ErrorCode> ParseLabelSet(std::string_view json, PcpVersion version) {
  return Builder(json, version, false).Build();
}

tl::expected<std::string, ErrorCode> MergeLabelSets(
    std::span<const std::optional<std::string_view>> sets, PcpVersion version) {
  std::string merged;
  for (const auto& set : sets) {
    if (!set) continue;
    // What has been merged is flat, and is read again, as PCP does (MET-923).
    const auto low = Builder(merged, version, true).Build();
    if (!low) return tl::unexpected(low.error());
    const auto high = Builder(*set, version, true).Build();
    if (!high) return tl::unexpected(high.error());
    std::string next;
    const auto append = [&next](const StoredLabels& from, const IndexedLabel& label) {
      next += next.empty() ? "{\"" : ",\"";
      next += label.path + "\":";
      next += label.value_length == 0 ? "null" : from.Value(label);
    };
    auto above = high->index.begin();
    for (const IndexedLabel& label : low->index) {
      while (above != high->index.end() && above->path <= label.path) append(*high, *above++);
      const bool replaced =
          std::any_of(high->index.begin(), high->index.end(),
                      [&label](const IndexedLabel& other) { return Compare(label, other) == 0; });
      if (!replaced) append(*low, label);
    }
    while (above != high->index.end()) append(*high, *above++);
    if (!next.empty()) next += '}';
    if (next.size() >= kMaxLabelJson) return tl::unexpected(kTooManyLabels);
    merged = std::move(next);
  }
  return merged;
}

std::string LabelFlagsText(std::uint32_t flags) {
  std::string text;
  const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : ",") + word; };
  for (const LabelClass label_class : kLabelPrecedence) {
    if ((flags & static_cast<std::uint32_t>(label_class)) != 0) add(ToText(label_class));
  }
  if ((flags & kLabelFlagCompound) != 0) add("compound");
  if ((flags & kLabelFlagOptional) != 0) add("optional");
  return text;
}

}  // namespace pmproof
