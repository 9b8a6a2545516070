// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/known_instances.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <type_traits>
#include <variant>

#include "reference/archive/stored_string.h"
#include "reference/core/stored_words.h"

namespace pmproof::archive {
namespace {

// Fewer are checked as fast.
constexpr std::uint32_t kFewest = 16;

// Of all domains together: a set has two to four slots for each, and the slots of both sets take 32
// bytes.
constexpr std::size_t kMostRoom = std::size_t{1} << 16;
constexpr std::size_t kMostDomains = 1024;

constexpr std::uint32_t kMostPatience = 1024;

// So far ahead an instance of the record before is looked for.
constexpr std::uint32_t kSoon = 8;

std::string_view BriefOf(const IndomRecord& record, std::uint32_t i) {
  return UpToBlank(record.Name(i).value_or(""));
}

// So many entries are compared at once.
constexpr std::uint32_t kMostAtOnce = 64;

// The names of `count` entries with their NULs: of a record whose names fill the table in their
// order. Empty if the file has changed since.
std::string_view Stored(const IndomRecord& record, std::uint32_t i, std::uint32_t count) {
  const std::string_view table = record.Strings();
  const std::size_t begin = static_cast<std::uint32_t>(record.NameOffset(i));
  const std::size_t end = i + count < record.count
                              ? static_cast<std::uint32_t>(record.NameOffset(i + count))
                              : table.size();
  return begin < end && end <= table.size() ? table.substr(begin, end - begin) : "";
}

// True if `count` entries from `i` on, which have the identifiers of those from `at` on in the
// record before, have names of their lengths, and identifiers in the order of their version.
bool HaveSameLengths(const IndomRecord& before, std::uint32_t at, const IndomRecord& record,
                     std::uint32_t i, std::uint32_t count, int version) {
  const auto offset = [](const IndomRecord& of, std::uint32_t entry) {
    return static_cast<std::uint32_t>(of.NameOffset(entry));
  };
  const std::uint32_t shift = offset(record, i) - offset(before, at);
  std::uint32_t different = 0;
  for (std::uint32_t n = 1; n < count; ++n)
    different |= (offset(record, i + n) - offset(before, at + n)) ^ shift;
  bool ascending = true;
  if (version == 3) {
    for (std::uint32_t n = 1; n < count; ++n) ascending &= record.Id(i + n - 1) < record.Id(i + n);
  }
  return different == 0 && ascending;
}

}  // namespace

bool KnownInstances::AreSound(IndomRecord* record, int version) {
  if (record->delta || record->count < kFewest) return false;
  auto found = domains_.find(record->indom);
  if (found == domains_.end()) {
    if (domains_.size() >= kMostDomains) return false;
    found = domains_.try_emplace(record->indom).first;
  }
  Domain& domain = found->second;
  if (domain.record.count > 0) {
    const std::uint64_t before = domain.record.record.offset;
    if (Follow(domain, *record, version)) {
      record->note = std::make_shared<std::variant<NameEnds, IndomRecord::Fresh>>(
          IndomRecord::Fresh{before, fresh_});
      domain.patience = 1;
      return true;
    }
    Forget(domain);
  } else if (++domain.seen > domain.patience) {
    if (Learn(domain, *record, version)) return true;
    Forget(domain);
  }
  return false;
}

void KnownInstances::Forget(Domain& domain) {
  room_ -= domain.room;
  const std::uint32_t patience = std::min(2 * domain.patience, kMostPatience);
  domain = {};
  domain.patience = patience;
}

bool KnownInstances::Follow(Domain& domain, const IndomRecord& record, int version) {
  if (record.count > domain.room) return false;
  const std::uint32_t most_fresh = kSoon + record.count / 8;
  return Compare(domain.record, record, version, most_fresh) && Apply(domain, record);
}

bool KnownInstances::Learn(Domain& domain, const IndomRecord& record, int version) {
  const std::size_t room = record.count + record.count / 2;
  if (room > kMostRoom - room_ || !Compare({}, record, version, record.count)) return false;
  domain.room = room;
  room_ += room;
  domain.identifiers.Clear(room);
  domain.briefs.Clear(room);
  return Apply(domain, record);
}

// Fills gone_ and fresh_. False if the record may break a rule that is not about distinct
// identifiers and names, or has more than `most_fresh` entries that are not in the one before.
bool KnownInstances::Compare(const IndomRecord& before, const IndomRecord& record, int version,
                             std::uint32_t most_fresh) {
  gone_.clear();
  fresh_.clear();
  const std::string_view table = record.Strings();
  std::size_t covered = 0;
  std::uint32_t next = 0;        // entry of the record before
  std::uint32_t one_by_one = 0;  // up to this one: of those alike one has another name
  for (std::uint32_t i = 0; i < record.count;) {
    const auto offset = static_cast<std::uint32_t>(record.NameOffset(i));
    if (offset != covered || offset >= table.size()) return false;
    const std::int32_t id = record.Id(i);
    if (id < 0 || (version == 3 && i > 0 && id <= record.Id(i - 1))) return false;  // ARC-1419
    const std::uint32_t soon = std::min(before.count, next + kSoon);
    std::uint32_t at = next;
    while (at < soon && before.Id(at) != id) ++at;
    if (at < soon) {
      const std::uint32_t most = std::min({before.count - at, record.count - i, kMostAtOnce});
      std::uint32_t count = 1;
      if (i >= one_by_one) {
        count += static_cast<std::uint32_t>(CommonWords(before.Ids() + 4 * (std::size_t{at} + 1),
                                                        record.Ids() + 4 * (std::size_t{i} + 1),
                                                        most - 1));
      }
      const auto has_names = [&] {
        const std::string_view names = Stored(before, at, count);
        covered = offset + names.size();
        return !names.empty() && table.substr(offset).starts_with(names);
      };
      bool alike = HaveSameLengths(before, at, record, i, count, version) && has_names();
      if (!alike && count > 1) {
        one_by_one = i + count;
        count = 1;
        alike = has_names();
      }
      if (alike) {
        while (next < at) gone_.push_back(next++);
        next = at + count;
        i += count;
        continue;
      }
    }
    const StoredString name = ScanString(table, offset);
    if (name.end == offset || name.end == table.size() || name.bad_end != 0 ||
        name.hidden_end != 0 || fresh_.size() == most_fresh) {
      return false;
    }
    fresh_.push_back(i++);
    covered = name.end + 1;
  }
  while (next < before.count) gone_.push_back(next++);
  return covered == table.size();
}

// After Compare(): the sets become those of the record. False if it has an identifier or the
// beginning of a name twice.
bool KnownInstances::Apply(Domain& domain, const IndomRecord& record) {
  for (const std::uint32_t i : gone_) {
    domain.identifiers.Erase(static_cast<std::uint32_t>(domain.record.Id(i)));
    domain.briefs.Erase(BriefOf(domain.record, i));
  }
  for (const std::uint32_t i : fresh_) {
    if (!domain.identifiers.Insert(static_cast<std::uint32_t>(record.Id(i))) ||
        !domain.briefs.Insert(BriefOf(record, i))) {
      return false;
    }
  }
  domain.record = record;
  return true;
}

template <typename Key>
std::size_t KnownInstances::Set<Key>::HashOf(Key key) {
  if constexpr (std::is_same_v<Key, std::uint32_t>)
    return key * std::uint64_t{0x9e3779b97f4a7c15} >> 32;
  else
    return std::hash<Key>()(key);
}

template <typename Key>
void KnownInstances::Set<Key>::Clear(std::size_t most) {
  slots_.assign(std::bit_ceil(2 * most), {});
}

template <typename Key>
bool KnownInstances::Set<Key>::Insert(Key key) {
  constexpr int kMostProbes = 64;
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = HashOf(key) & mask;
  for (int probes = 0; probes < kMostProbes; ++probes, at = (at + 1) & mask) {
    if (!slots_[at].taken) {
      slots_[at] = {key, true};
      return true;
    }
    if (slots_[at].key == key) return false;
  }
  return false;
}

// Those behind it move up, so that each is found from its own place without a gap.
template <typename Key>
void KnownInstances::Set<Key>::Erase(Key key) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = HashOf(key) & mask;
  while (slots_[at].taken && slots_[at].key != key) at = (at + 1) & mask;
  if (!slots_[at].taken) return;
  for (std::size_t next = (at + 1) & mask; slots_[next].taken; next = (next + 1) & mask) {
    const std::size_t home = HashOf(slots_[next].key) & mask;
    if (((next - home) & mask) < ((next - at) & mask)) continue;
    slots_[at] = slots_[next];
    at = next;
  }
  slots_[at].taken = false;
}

}  // namespace pmproof::archive
