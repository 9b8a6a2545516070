// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_SET_H_
#define PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_SET_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/core/pcp_version.h"
#include "reference/core/timestamp.h"

namespace pmproof::archive {

using pmproof::PcpVersion;

// How the descriptors of a member are at odds with those of the members before it (ARC-553): the
// error that opening both gives (ARC-307), kOk where they agree. Before 7.2.0 the extra unit was
// not looked at.
struct DescriptorClash {
  ErrorCode error = ErrorCode::kOk;
  ErrorCode before_7_2 = ErrorCode::kOk;

  friend bool operator==(const DescriptorClash&, const DescriptorClash&) = default;
};

// True for errors of a member that do not keep 7.1.4 and later from opening the others (ARC-554).
bool IsPassedOver(ErrorCode error);

// What is known of one archive that is opened together with others.
struct SetMember {
  std::string name;
  // What opening the archive by itself gives; unless it is kOk, nothing below is looked at.
  ErrorCode error = ErrorCode::kOk;
  std::string host;
  Timestamp start;               // of the label
  std::optional<Timestamp> end;  // of the last record (ARC-521); nothing if it is unknown
  // Reading the data meets PM_ERR_LOGREC before their end.
  bool breaks_off = false;
  // How its descriptors are at odds with those of the members before it (SetMetrics).
  DescriptorClash clash{};
};

// Archives that are opened together as one context (ARC-550..557). A value. Members are kept in the
// order in which they are read; indices count in that order.
class ArchiveSet {
 public:
  // The order of ARC-551: by start, members of equal start as they were given, members that cannot
  // be opened last. The same name again is dropped.
  explicit ArchiveSet(std::vector<SetMember> members);

  const std::vector<SetMember>& members() const { return members_; }
  // The names that were given more than once, one entry for each time that was too much.
  const std::vector<std::string>& repeated() const { return repeated_; }
  // How many members can be opened: they are the first ones.
  std::size_t sound() const { return sound_; }

  // ARC-557: nothing if no member can be opened, or the end of the last one is not known.
  std::optional<Timestamp> Start() const;
  std::optional<Timestamp> End() const;

  // Two sound members with the same start: such a set cannot be opened (ARC-551).
  struct Pair {
    std::size_t earlier = 0;
    std::size_t later = 0;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  std::vector<Pair> EqualStarts() const;

  // For sound member `i`: the member before it that ends last, where its end is known.
  std::optional<std::size_t> LastEndBefore(std::size_t i) const;

  // Members whose data go on after the start of a later one, each later one with the member that
  // goes on longest (ARC-555). Equal times are not an overlap; nor are members with equal starts
  // meant, which cannot be read at all.
  std::vector<Pair> Overlaps() const;

  // Neighbours with time between them: of neighbours with a known end that do not overlap.
  std::vector<Pair> Gaps() const;

  // The time of the mark that readers put between sound members `i` and `i` + 1 (ARC-556), by the
  // direction of reading; forward nothing where the end of `i` is not known.
  std::optional<Timestamp> ForwardMark(std::size_t i) const;
  Timestamp BackwardMark(std::size_t i) const;

  // What opening the set gives (ARC-551..554).
  struct Opened {
    ErrorCode error = ErrorCode::kOk;
    std::vector<std::size_t> used;     // empty if it cannot be opened
    std::vector<std::size_t> skipped;  // with a warning (7.1.4 and later)
  };
  Opened Open(PcpVersion version) const;

  // Where raw reading from front to back ends: kOk at the end of the last member, else kLogOverlap
  // at a crossing (ARC-555) or kLogRecord in a member that breaks off (ARC-554: from 7.1.4 on it is
  // dropped and reading goes on). For a set that cannot be opened, that error.
  ErrorCode RawReading(PcpVersion version) const;

 private:
  std::vector<SetMember> members_;
  std::vector<std::string> repeated_;
  std::size_t sound_ = 0;
  std::vector<std::optional<std::size_t>> last_end_before_;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_ARCHIVE_SET_H_
