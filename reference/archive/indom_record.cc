#include "reference/archive/indom_record.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory_resource>
#include <string>
#include <vector>

namespace pmproof::archive {
namespace {

std::string Quoted(std::string_view name) {
  constexpr std::size_t kShown = 64;
  std::string text = "\"";
  text += name.substr(0, kShown);
  return text + (name.size() > kShown ? "\"..." : "\"");
}

std::size_t HeaderSize(RecordType type) {
  return LayoutOf(type == RecordType::kIndomV2 ? 2 : 3).timestamp + 16;
}

bool IsContinuation(char byte) { return (static_cast<std::uint8_t>(byte) & 0xc0) == 0x80; }

// The bytes of the well-formed UTF-8 sequence at the start of `text`; 0 if it is malformed or a
// control character (U+0000..U+001F, U+007F..U+009F).
std::size_t PrintableSequence(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
  };
  const auto in = [&](std::size_t i, unsigned low, unsigned high) {
    return byte(i) >= low && byte(i) <= high;
  };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  if (lead >= 0xc2 && lead <= 0xdf) return in(1, lead == 0xc2 ? 0xa0 : 0x80, 0xbf) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool second = in(1, lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf);
    return second && in(2, 0x80, 0xbf) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool second = in(1, lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf);
    return second && in(2, 0x80, 0xbf) && in(3, 0x80, 0xbf) ? 4 : 0;
  }
  return 0;
}

// A string of the table: up to its NUL, or to the end of the table.
struct StoredString {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t bad_end = 0;  // behind the last malformed byte or control character; 0: there is none
  bool has_blank = false;
};

StoredString ScanString(std::string_view table, std::size_t begin) {
  StoredString string{begin, begin};
  std::size_t at = begin;
  while (at < table.size() && table[at] != '\0') {
    const auto c = static_cast<std::uint8_t>(table[at]);
    if (c > 0x20 && c < 0x7f) {
      ++at;
    } else if (c == ' ') {
      string.has_blank = true;
      ++at;
    } else if (const std::size_t size = PrintableSequence(table.substr(at)); size != 0) {
      at += size;
    } else {
      string.bad_end = ++at;
    }
  }
  string.end = at;
  return string;
}

// A name's hash, for finding equal ones by sorting.
struct HashedName {
  std::uint64_t hash = 0;
  std::uint32_t index = 0;

  friend auto operator<=>(const HashedName&, const HashedName&) = default;
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

std::string_view UpToBlank(std::string_view name) { return name.substr(0, name.find(' ')); }

// What one decoded record can show beyond its header. All is linear in the bytes of the record (but
// for sorting), also where names overlap in the table.
class IndomChecker {
 public:
  IndomChecker(const IndomRecord& indom, int version, Reporter& reporter)
      : indom_(indom),
        version_(version),
        reporter_(reporter),
        strings_(AsText(
            indom.record.bytes.subspan(indom.table, indom.record.bytes.size() - indom.table - 4))),
        pool_(arena_.data(), arena_.size()),
        order_(&pool_),
        hashes_(&pool_),
        brief_hashes_(&pool_) {}

  // False if readers refuse the record.
  bool CheckWords();
  void CheckIdentifiers();
  void CheckStrings();
  void CheckNamesDistinct();

 private:
  Location IdentifierAt(std::uint32_t i) const {
    return indom_.record.At(indom_.identifiers + 4 * std::size_t{i}, 4);
  }
  Location OffsetAt(std::uint32_t i) const {
    return indom_.record.At(indom_.identifiers + 4 * (std::size_t{indom_.count} + i), 4);
  }
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

  // Calls visit(i) for each entry that has a name, in the order of the offsets.
  template <typename Visit>
  void ForEachNameByOffset(Visit&& visit);

  void CheckName(std::uint32_t i, const StoredString& string);
  void HashNames();
  void HashOverlappingNames();
  template <typename Key, typename Visit>
  void ForEachEqual(std::pmr::vector<HashedName>* names, const Key& key, const Visit& visit);

  const IndomRecord& indom_;
  int version_;
  Reporter& reporter_;
  std::string_view strings_;
  std::array<std::byte, 16384> arena_;  // most records need no heap
  std::pmr::monotonic_buffer_resource pool_;
  std::pmr::vector<std::uint64_t> order_;  // offset << 32 | index, where the offsets do not ascend
  std::pmr::vector<HashedName> hashes_;
  std::pmr::vector<HashedName> brief_hashes_;  // of the parts before the first blank
  bool offsets_sound_ = true;                  // false after a violation of ARC-1403
  bool overlap_ = false;
  bool has_blank_ = false;
};

bool IndomChecker::CheckWords() {
  bool loadable = true;
  for (std::uint32_t i = 0; i < indom_.count; ++i) {
    const std::int32_t id = indom_.Id(i);
    if (id < 0) {
      loadable = false;
      reporter_.Report("ARC-1407"_clause, IdentifierAt(i), [&] {
        return Details{"instance identifier", std::to_string(id), ">= 0",
                       "the instance identifier is negative"};
      });
    }
    const std::int32_t offset = indom_.NameOffset(i);
    if (offset == -1 && indom_.delta) continue;
    if (offset >= 0 && static_cast<std::size_t>(offset) < strings_.size()) continue;
    offsets_sound_ = false;
    const std::string actual = std::to_string(offset);
    if (offset < 0 && indom_.delta) {
      loadable = false;
      reporter_.Report("ARC-1406"_clause, OffsetAt(i), [&] {
        return Details{"name offset", actual, ">= -1", "the name offset in a delta is below -1"};
      });
    } else if (offset == -1) {
      loadable = false;
      reporter_.Report("ARC-1405"_clause, OffsetAt(i), [&] {
        return Details{"name offset", actual, ">= 0",
                       "a full record marks an instance as deleted, as only a delta may"};
      });
    } else {
      const bool at_end = offset >= 0 && static_cast<std::size_t>(offset) == strings_.size();
      loadable = loadable && at_end;
      reporter_.Report(
          "ARC-1403"_clause, OffsetAt(i),
          [&] {
            return Details{"name offset", actual,
                           "0.." + std::to_string(strings_.size()) + " exclusive",
                           at_end ? "the name begins where the string table ends"
                                  : "the name begins outside the string table"};
          },
          at_end ? Gravity::kError : Gravity::kAsCatalogued);
    }
  }
  return loadable;
}

void IndomChecker::CheckIdentifiers() {
  bool distinct = true;
  for (std::uint32_t i = 1; i < indom_.count; ++i) {
    if (indom_.Id(i - 1) < indom_.Id(i)) continue;
    distinct = false;
    if (version_ != 3 || indom_.Id(i - 1) == indom_.Id(i)) continue;
    reporter_.Report("ARC-1419"_clause, IdentifierAt(i), [&] {
      return Details{"instance identifier", std::to_string(indom_.Id(i)),
                     "> " + std::to_string(indom_.Id(i - 1)),
                     "the instance identifiers do not ascend"};
    });
    break;
  }
  if (distinct) return;

  std::pmr::vector<std::uint64_t> sorted(&pool_);
  sorted.reserve(indom_.count);
  for (std::uint32_t i = 0; i < indom_.count; ++i) {
    sorted.push_back(std::uint64_t{static_cast<std::uint32_t>(indom_.Id(i))} << 32 | i);
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    if (sorted[k - 1] >> 32 != sorted[k] >> 32) continue;
    const auto i = static_cast<std::uint32_t>(sorted[k]);
    reporter_.Report(indom_.delta ? "ARC-1417"_clause : "ARC-1408"_clause, IdentifierAt(i), [&] {
      return Details{"instance identifier", std::to_string(indom_.Id(i)), "each identifier once",
                     indom_.delta ? "the delta mentions an identifier more than once"
                                  : "an instance identifier occurs more than once"};
    });
  }
}

template <typename Visit>
void IndomChecker::ForEachNameByOffset(Visit&& visit) {
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
    std::sort(order_.begin(), order_.end());
  }
  for (const std::uint64_t entry : order_) visit(static_cast<std::uint32_t>(entry));
}

// Names are looked at in the order in which they lie in the table, so that each of its bytes is
// read once: a name that begins inside the one before it is a tail of it.
void IndomChecker::CheckStrings() {
  StoredString string;
  std::size_t covered = 0;  // up to here the table belongs to names
  ForEachNameByOffset([&](std::uint32_t i) {
    const std::size_t offset = Offset(i);
    if (offset < covered) {
      overlap_ = true;
      reporter_.Report("ARC-1421"_clause, OffsetAt(i), [&] {
        return Details{"name offset", std::to_string(offset), ">= " + std::to_string(covered),
                       "the name shares its bytes with another one"};
      });
    } else {
      if (offset > covered && offsets_sound_) {
        reporter_.Report("ARC-1420"_clause, TableAt(covered, offset), [&] {
          return Details{"string table", std::to_string(offset - covered) + " bytes", "",
                         "the string table has bytes between names that no name refers to"};
        });
      }
      string = ScanString(strings_, offset);
      has_blank_ = has_blank_ || string.has_blank;
      covered = std::min(string.end + 1, strings_.size());
    }
    CheckName(i, string);
  });
  if (covered < strings_.size() && offsets_sound_) {
    reporter_.Report("ARC-1427"_clause, TableAt(covered, strings_.size()), [&] {
      return Details{"string table", std::to_string(strings_.size() - covered) + " bytes", "",
                     "the string table has bytes behind the last name"};
    });
  }
}

void IndomChecker::CheckName(std::uint32_t i, const StoredString& string) {
  const std::size_t begin = Offset(i);
  const Location where = TableAt(begin, string.end);
  const auto name = [&] { return Quoted(strings_.substr(begin, string.end - begin)); };
  if (string.end == strings_.size()) {
    reporter_.Report("ARC-1404"_clause, where, [&] {
      return Details{"instance name", name(), "",
                     "the name does not end with a NUL inside the string table"};
    });
  }
  if (begin == string.end) {
    reporter_.Report("ARC-1411"_clause, OffsetAt(i), [&] {
      return Details{"instance name", name(), "",
                     "instance " + std::to_string(indom_.Id(i)) + " has an empty name"};
    });
  } else if (begin < string.bad_end || (begin > string.begin && IsContinuation(strings_[begin]))) {
    reporter_.Report("ARC-1429"_clause, where, [&] {
      return Details{"instance name", name(), "",
                     "the name has control characters or is not valid UTF-8"};
    });
  }
}

void IndomChecker::HashNames() {
  const std::hash<std::string_view> hash;
  for (std::uint32_t i = 0; i < indom_.count; ++i) {
    if (!HasName(i)) continue;
    const std::string_view name = *indom_.Name(i);
    hashes_.push_back({hash(name), i});
    if (has_blank_) brief_hashes_.push_back({hash(UpToBlank(name)), i});
  }
}

// Names that overlap can together be far longer than the table, so hashes of all tails are made in
// one pass from its end. The base depends on the content: no table can be made that aims at
// collisions.
void IndomChecker::HashOverlappingNames() {
  const std::uint64_t base = (std::hash<std::string_view>()(strings_) >> 4) + 257;
  std::pmr::vector<std::uint32_t> by_offset(&pool_);
  by_offset.reserve(indom_.count);
  ForEachNameByOffset([&](std::uint32_t i) { by_offset.push_back(i); });

  std::uint64_t whole = 0;
  std::uint64_t brief = 0;
  std::size_t at = strings_.size();
  std::for_each(by_offset.rbegin(), by_offset.rend(), [&](std::uint32_t i) {
    for (; at > Offset(i); --at) {
      const auto c = static_cast<std::uint8_t>(strings_[at - 1]);
      whole = c == 0 ? 0 : MultiplyAdd(whole, base, c);
      brief = c == 0 || c == ' ' ? 0 : MultiplyAdd(brief, base, c);
    }
    hashes_.push_back({whole, i});
    if (has_blank_) brief_hashes_.push_back({brief, i});
  });
}

// Calls visit(i, first) for each entry whose key equals that of the entry `first`, an earlier one.
template <typename Key, typename Visit>
void IndomChecker::ForEachEqual(std::pmr::vector<HashedName>* names, const Key& key,
                                const Visit& visit) {
  std::sort(names->begin(), names->end());
  for (auto run = names->begin(); run != names->end();) {
    const auto end = std::find_if(run, names->end(),
                                  [&](const HashedName& name) { return name.hash != run->hash; });
    const auto equal = [&](const HashedName& a, const HashedName& b) {
      return overlap_ || key(a.index) == key(b.index);
    };
    if (!std::all_of(run, end, [&](const HashedName& name) { return equal(*run, name); })) {
      std::stable_sort(run, end, [&](const HashedName& a, const HashedName& b) {
        return key(a.index) < key(b.index);
      });
    }
    auto first = run;
    for (auto next = run + 1; next != end; ++next) {
      if (equal(*first, *next)) {
        visit(next->index, first->index);
      } else {
        first = next;
      }
    }
    run = end;
  }
}

void IndomChecker::CheckNamesDistinct() {
  hashes_.reserve(indom_.count);
  if (has_blank_) brief_hashes_.reserve(indom_.count);
  if (overlap_) {
    HashOverlappingNames();
  } else {
    HashNames();
  }
  const auto name = [&](std::uint32_t i) { return *indom_.Name(i); };
  const auto brief = [&](std::uint32_t i) { return UpToBlank(name(i)); };
  std::pmr::vector<bool> doubled(has_blank_ ? indom_.count : 0, false, &pool_);
  ForEachEqual(&hashes_, name, [&](std::uint32_t i, std::uint32_t first) {
    if (has_blank_) doubled[i] = true;
    reporter_.Report("ARC-1409"_clause, OffsetAt(i), [&] {
      return Details{"instance name", Quoted(name(i)), "each name once",
                     "instances " + std::to_string(indom_.Id(first)) + " and " +
                         std::to_string(indom_.Id(i)) + " have the same name"};
    });
  });
  ForEachEqual(&brief_hashes_, brief, [&](std::uint32_t i, std::uint32_t first) {
    if (doubled[i]) return;
    reporter_.Report("ARC-1410"_clause, OffsetAt(i), [&] {
      return Details{"instance name", Quoted(name(i)), "names that differ before the first blank",
                     "up to the first blank the names of instances " +
                         std::to_string(indom_.Id(first)) + " and " + std::to_string(indom_.Id(i)) +
                         " are the same"};
    });
  });
}

void ReportTooShort(const RecordView& record, std::size_t minimum, Reporter& reporter) {
  reporter.Report("ARC-1109"_clause, record.Whole(), [&] {
    return Details{"N", std::to_string(record.bytes.size()), ">= " + std::to_string(minimum),
                   "the record is too short for an instance domain"};
  });
}

}  // namespace

std::optional<IndomRecord> DecodeIndom(const RecordView& record, int version, Reporter& reporter) {
  const std::size_t size = record.bytes.size();
  const std::uint8_t* p = record.bytes.data();
  if (size < kMinRecord + 4) {
    ReportTooShort(record, HeaderSize(RecordType::kIndomV2) + kLengthWord, reporter);
    return std::nullopt;
  }
  // The record's own type says how it is laid out, whatever the archive's version (ARC-301).
  const auto type = static_cast<RecordType>(LoadI32(p + 4));
  const std::size_t header = HeaderSize(type);
  if (size < header + kLengthWord) {
    ReportTooShort(record, header + kLengthWord, reporter);
    return std::nullopt;
  }

  IndomRecord indom;
  indom.record = record;
  indom.time = LoadTimestamp(p + 8, type == RecordType::kIndomV2 ? 2 : 3);
  indom.indom = Indom{LoadU32(p + header - 8)};
  indom.delta = type == RecordType::kIndomDelta;
  const std::int32_t count = LoadI32(p + header - 4);
  const std::size_t room = (size - header - kLengthWord) / 8;
  if (count < 0 || static_cast<std::size_t>(count) > room) {
    reporter.Report(
        count < 0 ? "ARC-1401"_clause : "ARC-1402"_clause, record.At(header - 4, 4), [&] {
          return Details{"n", std::to_string(count), "0.." + std::to_string(room),
                         count < 0 ? "the number of instances is negative"
                                   : "the record has no room for that number of instances"};
        });
    return std::nullopt;
  }
  indom.count = static_cast<std::uint32_t>(count);
  indom.identifiers = static_cast<std::uint32_t>(header);
  indom.table = static_cast<std::uint32_t>(header + 8 * std::size_t{indom.count});

  IndomChecker checker(indom, version, reporter);
  if (!checker.CheckWords()) return std::nullopt;
  if (indom.indom.flag()) {
    reporter.Report("ARC-1412"_clause, record.At(header - 8, 4), [&] {
      return Details{"pmInDom", ToText(indom.indom), "an instance domain with flag bit 0",
                     "no metric can refer to this instance domain"};
    });
  }
  if (indom.count == 0) {
    reporter.Report("ARC-1418"_clause, record.At(header - 4, 4), [&] {
      return Details{"n", "0", "> 0",
                     "readers ignore a record without instances: the previous ones stay"};
    });
    return indom;
  }
  checker.CheckIdentifiers();
  checker.CheckStrings();
  checker.CheckNamesDistinct();
  return indom;
}

}  // namespace pmproof::archive
