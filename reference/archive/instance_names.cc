// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/instance_names.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "reference/archive/stored_string.h"
#include "reference/core/bounded_sort.h"
#include "reference/core/printable.h"
#include "reference/core/sort_words.h"

namespace pmproof::archive {
namespace {

// Fewer names are compared with each other: that takes less than hashing them.
constexpr std::uint32_t kFewNames = 4;

bool IsContinuation(char byte) { return (static_cast<std::uint8_t>(byte) & 0xc0) == 0x80; }

// An entry, where its name lies in the table, and the hash of the name.
struct HashedName {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::uint64_t hash = 0;
  std::uint32_t index = kNone;  // kNone: the entry has no name
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
};

void EraseNameless(std::pmr::vector<HashedName>* names) {
  std::erase_if(*names, [](const HashedName& name) { return name.index == HashedName::kNone; });
}

// Two entries with one name.
struct EqualPair {
  std::uint32_t index = 0;
  std::uint32_t first = 0;
};

// Arithmetic modulo the prime 2^61 - 1.
std::uint64_t MultiplyAdd(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b + c;
  std::uint64_t sum =
      static_cast<std::uint64_t>(product & kPrime) + static_cast<std::uint64_t>(product >> 61);
  if (sum >= kPrime) sum -= kPrime;
  return sum;
}

class NameChecker {
 public:
  NameChecker(const IndomRecord& indom, Reporter& reporter)
      : indom_(indom),
        reporter_(reporter),
        strings_(indom.Strings()),
        pool_(arena_.data(), arena_.size()),
        order_(&pool_),
        hashes_(&pool_),
        brief_hashes_(&pool_) {}

  // True if the names are tangled.
  bool CheckStrings();
  void CheckDistinct();

 private:
  Location TableAt(std::size_t begin, std::size_t end) const {
    return indom_.record.At(indom_.table + begin, end - begin);
  }

  bool HasName(std::uint32_t i) const {
    const std::int32_t offset = indom_.NameOffset(i);
    return offset >= 0 && static_cast<std::size_t>(offset) < strings_.size();
  }
  std::size_t Offset(std::uint32_t i) const {
    return static_cast<std::size_t>(indom_.NameOffset(i));
  }
  std::string Shown(std::uint32_t i) const { return Printable(*indom_.Name(i)); }

  // Calls visit(i) for each entry that has a name, in the order of the offsets.
  template <typename Visit>
  void ForEachNameByOffset(const Visit& visit);

  void CheckName(std::uint32_t i, const StoredString& string);
  void ReportUnclaimed(Clause rule, std::size_t begin, std::size_t end, const char* message);
  bool AreFewAndDistinct() const;
  void HashNames();
  void HashTangledNames();
  template <typename Key>
  bool Equal(const HashedName& a, const HashedName& b, const Key& key) const {
    return tangled_ || key(a.index) == key(b.index);
  }
  template <typename Key>
  bool FindEqualByTable(const std::pmr::vector<HashedName>& names, const Key& key,
                        std::pmr::vector<EqualPair>* pairs);
  template <typename Key>
  void FindEqualBySorting(std::pmr::vector<HashedName>* names, const Key& key,
                          std::pmr::vector<EqualPair>* pairs);
  template <typename Key, typename Visit>
  void ForEachEqual(std::pmr::vector<HashedName>* names, const Key& key, const Visit& visit);

  const IndomRecord& indom_;
  Reporter& reporter_;
  std::string_view strings_;
  std::array<std::byte, 16384> arena_;  // most records need no heap
  std::pmr::monotonic_buffer_resource pool_;
  std::pmr::vector<std::uint64_t> order_;  // offset << 32 | index, where the offsets do not ascend
  std::pmr::vector<HashedName> hashes_;
  std::pmr::vector<HashedName> brief_hashes_;  // of the parts before the first blank
  bool has_blank_ = false;
  bool tangled_ = false;
};

template <typename Visit>
void NameChecker::ForEachNameByOffset(const Visit& visit) {
  if (order_.empty()) {
    bool ascending = true;
    std::size_t previous = 0;
    for (std::uint32_t i = 0; ascending && i < indom_.count; ++i) {
      if (!HasName(i)) continue;
      ascending = Offset(i) >= previous;
      previous = Offset(i);
    }
    if (ascending) {
      for (std::uint32_t i = 0; i < indom_.count; ++i) {
        if (HasName(i)) visit(i);
      }
      return;
    }
    order_.reserve(indom_.count);
    for (std::uint32_t i = 0; i < indom_.count; ++i) {
      if (HasName(i)) order_.push_back(std::uint64_t{Offset(i)} << 32 | i);
    }
    SortByUpperHalf(order_);
  }
  for (const std::uint64_t entry : order_) visit(static_cast<std::uint32_t>(entry));
}

// Names are looked at in the order in which they lie in the table, so that each of its bytes is
// read once: a name that begins inside the one before it is a tail of it.
bool NameChecker::CheckStrings() {
  StoredString string;
  std::size_t covered = 0;  // up to here the table belongs to names
  std::uint64_t length = 0;
  constexpr std::uint64_t kTangled = 4;
  const std::uint64_t most = kTangled * indom_.record.bytes.size();
  const std::hash<std::string_view> hash;
  hashes_.resize(indom_.count);
  bool all_placed = true;
  for (std::uint32_t i = 0; i < indom_.count && all_placed; ++i) {
    all_placed = indom_.NameOffset(i) < 0 || HasName(i);
  }
  ForEachNameByOffset([&](std::uint32_t i) {
    const std::size_t offset = Offset(i);
    if (offset < covered) {
      reporter_.Report("ARC-1421"_clause, indom_.NameOffsetAt(i), [&] {
        return Details{"name offset", std::to_string(offset), ">= " + std::to_string(covered),
                       "the name shares its bytes with another one"};
      });
    } else {
      if (offset > covered && all_placed) {
        ReportUnclaimed("ARC-1420"_clause, covered, offset,
                        "the string table has bytes between names that belong to no name");
      }
      string = ScanString(strings_, offset);
      has_blank_ = has_blank_ || string.has_blank;
      covered = std::min(string.end + 1, strings_.size());
    }
    length += string.end - offset;
    CheckName(i, string);
    if (length > most) return;
    const std::string_view name = strings_.substr(offset, string.end - offset);
    hashes_[i] = {indom_.count < kFewNames ? 0 : hash(name), i, static_cast<std::uint32_t>(offset),
                  static_cast<std::uint32_t>(name.size())};
  });
  if (covered < strings_.size() && all_placed) {
    ReportUnclaimed("ARC-1427"_clause, covered, strings_.size(),
                    "the string table has bytes after the last name");
  }
  tangled_ = length > most;
  return tangled_;
}

void NameChecker::ReportUnclaimed(Clause rule, std::size_t begin, std::size_t end,
                                  const char* message) {
  reporter_.Report(rule, TableAt(begin, end), [&] {
    return Details{"string table", std::to_string(end - begin) + " bytes", "", message};
  });
}

void NameChecker::CheckName(std::uint32_t i, const StoredString& string) {
  const std::size_t begin = Offset(i);
  const Location where = TableAt(begin, string.end);
  if (string.end == strings_.size()) {
    reporter_.Report("ARC-1404"_clause, where, [&] {
      return Details{"instance name", Shown(i), "a NUL after the name",
                     "the name does not end inside the string table"};
    });
  }
  if (begin == string.end) {
    reporter_.Report("ARC-1411"_clause, indom_.NameOffsetAt(i), [&] {
      return Details{"instance name", "", "one character or more",
                     "instance " + std::to_string(indom_.Id(i)) + " has an empty name"};
    });
  } else if (begin < string.bad_end || (begin > string.begin && IsContinuation(strings_[begin]))) {
    reporter_.Report("ARC-1429"_clause, where, [&] {
      return Details{"instance name", Shown(i), "",
                     "the name has control characters or is not valid UTF-8"};
    });
  }
  if (begin < string.hidden_end) {
    reporter_.Report("ARC-1431"_clause, where, [&] {
      return Details{"instance name", Shown(i), "",
                     "the name has characters that reorder, hide or break text"};
    });
  }
}

// True if there are few names, and no two of them are the same up to their first blanks.
bool NameChecker::AreFewAndDistinct() const {
  if (tangled_ || indom_.count >= kFewNames) return false;
  std::array<std::string_view, kFewNames> briefs;
  std::size_t count = 0;
  for (const HashedName& name : hashes_) {
    if (name.index == HashedName::kNone) continue;
    const std::string_view brief = UpToBlank(strings_.substr(name.begin, name.size));
    for (std::size_t k = 0; k < count; ++k)
      if (briefs[k] == brief) return false;
    briefs[count++] = brief;
  }
  return true;
}

// The names themselves were hashed when they were looked at, unless they are few.
void NameChecker::HashNames() {
  const std::hash<std::string_view> hash;
  EraseNameless(&hashes_);
  if (indom_.count < kFewNames) {
    for (HashedName& name : hashes_) name.hash = hash(strings_.substr(name.begin, name.size));
  }
  if (!has_blank_) return;
  brief_hashes_ = hashes_;
  for (HashedName& name : brief_hashes_) {
    name.hash = hash(UpToBlank(strings_.substr(name.begin, name.size)));
  }
}

// Tangled names are not read one by one: hashes of all tails are made in one pass from the end of
// the table, and equal hashes stand for equal names. The base depends on the content, so that no
// table can be made that aims at collisions.
void NameChecker::HashTangledNames() {
  const std::uint64_t base = (std::hash<std::string_view>()(strings_) >> 4) + 257;
  std::pmr::vector<std::uint32_t> by_offset(&pool_);
  by_offset.reserve(indom_.count);
  ForEachNameByOffset([&](std::uint32_t i) { by_offset.push_back(i); });

  // In the order of the entries: of equal names the first one in the record is the first.
  hashes_.resize(indom_.count);
  if (has_blank_) brief_hashes_.resize(indom_.count);
  std::uint64_t whole = 0;
  std::uint64_t brief = 0;
  std::size_t at = strings_.size();
  std::for_each(by_offset.rbegin(), by_offset.rend(), [&](std::uint32_t i) {
    for (; at > Offset(i); --at) {
      const auto c = static_cast<std::uint8_t>(strings_[at - 1]);
      whole = c == 0 ? 0 : MultiplyAdd(whole, base, c);
      brief = c == 0 || c == ' ' ? 0 : MultiplyAdd(brief, base, c);
    }
    hashes_[i] = {whole, i, 0, 0};
    if (has_blank_) brief_hashes_[i] = {brief, i, 0, 0};
  });
  EraseNameless(&hashes_);
  EraseNameless(&brief_hashes_);
}

// Calls visit(i, first) for each entry whose key equals that of the entry `first`.
template <typename Key, typename Visit>
void NameChecker::ForEachEqual(std::pmr::vector<HashedName>* names, const Key& key,
                               const Visit& visit) {
  std::pmr::vector<EqualPair> pairs(&pool_);
  if (!FindEqualByTable(*names, key, &pairs)) FindEqualBySorting(names, key, &pairs);
  for (const EqualPair& pair : pairs) visit(pair.index, pair.first);
}

// A hash table of the entries. False where so many hashes collide that it gets slow, as they do in
// names that were chosen for that.
template <typename Key>
bool NameChecker::FindEqualByTable(const std::pmr::vector<HashedName>& names, const Key& key,
                                   std::pmr::vector<EqualPair>* pairs) {
  const std::size_t mask = std::bit_ceil(2 * names.size() + 1) - 1;
  std::pmr::vector<std::uint32_t> slots(mask + 1, 0, &pool_);  // position in names + 1; 0: free
  std::size_t probes = 8 * names.size();
  for (std::uint32_t k = 0; k < names.size(); ++k) {
    std::size_t slot = names[k].hash & mask;
    while (slots[slot] != 0) {
      const HashedName& other = names[slots[slot] - 1];
      if (other.hash == names[k].hash && Equal(other, names[k], key)) break;
      if (probes-- == 0) return false;
      slot = (slot + 1) & mask;
    }
    if (slots[slot] == 0) {
      slots[slot] = k + 1;
    } else {
      pairs->push_back({names[k].index, names[slots[slot] - 1].index});
    }
  }
  return true;
}

template <typename Key>
void NameChecker::FindEqualBySorting(std::pmr::vector<HashedName>* names, const Key& key,
                                     std::pmr::vector<EqualPair>* pairs) {
  pairs->clear();
  BoundedSort(names->begin(), names->end(), [&](const HashedName& a, const HashedName& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    if (!tangled_ && key(a.index) != key(b.index)) return key(a.index) < key(b.index);
    return a.index < b.index;
  });
  std::size_t first = 0;
  for (std::size_t k = 1; k < names->size(); ++k) {
    const HashedName& a = (*names)[first];
    const HashedName& b = (*names)[k];
    if (a.hash == b.hash && Equal(a, b, key)) {
      pairs->push_back({b.index, a.index});
    } else {
      first = k;
    }
  }
}

void NameChecker::CheckDistinct() {
  if (AreFewAndDistinct()) return;
  if (tangled_) {
    hashes_.clear();
    HashTangledNames();
  } else {
    HashNames();
  }
  const auto name = [&](std::uint32_t i) { return *indom_.Name(i); };
  const auto brief = [&](std::uint32_t i) { return UpToBlank(name(i)); };
  std::pmr::vector<bool> doubled(has_blank_ ? indom_.count : 0, false, &pool_);
  ForEachEqual(&hashes_, name, [&](std::uint32_t i, std::uint32_t first) {
    if (has_blank_) doubled[i] = true;
    reporter_.Report("ARC-1409"_clause, indom_.NameOffsetAt(i), [&] {
      return Details{"instance name", Shown(i), "each name once",
                     "instances " + std::to_string(indom_.Id(first)) + " and " +
                         std::to_string(indom_.Id(i)) + " have the same name"};
    });
  });
  ForEachEqual(&brief_hashes_, brief, [&](std::uint32_t i, std::uint32_t first) {
    if (doubled[i]) return;
    reporter_.Report("ARC-1410"_clause, indom_.NameOffsetAt(i), [&] {
      return Details{"instance name", Shown(i), "names that differ before the first blank",
                     "up to the first blank the names of instances " +
                         std::to_string(indom_.Id(first)) + " and " + std::to_string(indom_.Id(i)) +
                         " are the same"};
    });
  });
}

}  // namespace

void CheckInstanceNames(IndomRecord* indom, Reporter& reporter) {
  NameChecker checker(*indom, reporter);
  if (checker.CheckStrings()) {
    indom->note = std::make_shared<std::variant<NameEnds, IndomRecord::Fresh>>(
        std::in_place_type<NameEnds>, indom->Strings());
  }
  checker.CheckDistinct();
}

}  // namespace pmproof::archive
