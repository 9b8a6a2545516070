// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/archive_set.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace pmproof::archive {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

}  // namespace

bool IsPassedOver(ErrorCode error) {
  constexpr ErrorCode kPassedOver[] = {ErrorCode::kLabel,      ErrorCode::kLogRecord,
                                       ErrorCode::kLogFile,    ErrorCode::kNoData,
                                       ErrorCode::kRecordType, ErrorCode::kFeature};
  if (std::ranges::find(kPassedOver, error) != std::end(kPassedOver)) return true;
  const auto code = static_cast<std::int32_t>(error);
  return code < 0 && code > static_cast<std::int32_t>(ErrorCode::kGeneric);  // an errno
}

ArchiveSet::ArchiveSet(std::vector<SetMember> members) {
  std::unordered_set<std::string> names;
  for (SetMember& member : members) {
    if (!names.insert(member.name).second) {
      repeated_.push_back(std::move(member.name));
      continue;
    }
    member.start = member.start.Normalised();
    if (member.end) member.end = member.end->Normalised();
    members_.push_back(std::move(member));
  }
  const auto sound_end =
      std::stable_partition(members_.begin(), members_.end(),
                            [](const SetMember& member) { return member.error == ErrorCode::kOk; });
  std::stable_sort(members_.begin(), sound_end,
                   [](const SetMember& a, const SetMember& b) { return a.start < b.start; });
  sound_ = static_cast<std::size_t>(sound_end - members_.begin());

  std::optional<std::size_t> latest;
  for (std::size_t i = 0; i < sound_; ++i) {
    last_end_before_.push_back(latest);
    if (members_[i].end && (!latest || *members_[i].end > *members_[*latest].end)) latest = i;
  }
}

std::optional<Timestamp> ArchiveSet::Start() const {
  if (sound_ == 0) return std::nullopt;
  return members_.front().start;
}

std::optional<Timestamp> ArchiveSet::End() const {
  if (sound_ == 0) return std::nullopt;
  return members_[sound_ - 1].end;
}

std::vector<ArchiveSet::Pair> ArchiveSet::EqualStarts() const {
  std::vector<Pair> pairs;
  for (std::size_t i = 1; i < sound_; ++i) {
    if (members_[i - 1].start == members_[i].start) pairs.push_back({i - 1, i});
  }
  return pairs;
}

std::optional<std::size_t> ArchiveSet::LastEndBefore(std::size_t i) const {
  return last_end_before_[i];
}

std::vector<ArchiveSet::Pair> ArchiveSet::Overlaps() const {
  std::vector<Pair> pairs;
  for (std::size_t i = 1; i < sound_; ++i) {
    const std::optional<std::size_t> before = last_end_before_[i];
    if (!before || members_[*before].start == members_[i].start) continue;
    if (*members_[*before].end > members_[i].start) pairs.push_back({*before, i});
  }
  return pairs;
}

std::vector<ArchiveSet::Pair> ArchiveSet::Gaps() const {
  std::vector<Pair> pairs;
  for (std::size_t i = 1; i < sound_; ++i) {
    if (!members_[i - 1].end) continue;
    const std::size_t before = *last_end_before_[i];
    if (*members_[before].end < members_[i].start) pairs.push_back({before, i});
  }
  return pairs;
}

std::optional<Timestamp> ArchiveSet::ForwardMark(std::size_t i) const {
  if (!members_[i].end) return std::nullopt;
  return *members_[i].end + kMillisecond;
}

Timestamp ArchiveSet::BackwardMark(std::size_t i) const {
  return members_[i + 1].start + -kMillisecond;
}

ArchiveSet::Opened ArchiveSet::Open(PcpVersion version) const {
  Opened opened;
  for (std::size_t i = sound_; i < members_.size(); ++i) {
    if (version != PcpVersion::k7_2 || !IsPassedOver(members_[i].error)) {
      return {members_[i].error, {}, {}};
    }
    opened.skipped.push_back(i);
  }
  // Where all are passed over (ARC-554).
  if (sound_ == 0) return {ErrorCode::kLogFile, {}, {}};
  if (!EqualStarts().empty()) return {ErrorCode::kLogOverlap, {}, {}};
  for (std::size_t i = 0; i < sound_; ++i) {
    const SetMember& member = members_[i];
    if (member.host != members_.front().host) return {ErrorCode::kLogHost, {}, {}};
    const ErrorCode clash =
        version == PcpVersion::k7_2 ? member.clash.error : member.clash.before_7_2;
    if (clash != ErrorCode::kOk) return {clash, {}, {}};
    opened.used.push_back(i);
  }
  return opened;
}

ErrorCode ArchiveSet::RawReading(PcpVersion version) const {
  const Opened opened = Open(version);
  if (opened.error != ErrorCode::kOk) return opened.error;
  std::optional<Timestamp> end;  // of the member that reading comes from
  for (const std::size_t i : opened.used) {
    const SetMember& member = members_[i];
    if (end && *end > member.start) return ErrorCode::kLogOverlap;
    if (member.breaks_off) {
      if (version != PcpVersion::k7_2) return ErrorCode::kLogRecord;
      continue;
    }
    end = member.end;
  }
  return ErrorCode::kOk;
}

}  // namespace pmproof::archive
