// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/metadata_time_rules.h"

#include <algorithm>
#include <string>

namespace pmproof::validator {
namespace {

using archive::Details;
using archive::RecordPosition;
using archive::RecordType;

// After the leading length word and the type (ARC-300, ARC-340, ARC-390).
constexpr std::uint64_t kTimeField = 8;

bool IsIndom(RecordType type) {
  return type == RecordType::kIndomV2 || type == RecordType::kIndom ||
         type == RecordType::kIndomDelta;
}

}  // namespace

MetadataTimeRules::MetadataTimeRules(std::optional<Timestamp> label_start, int version,
                                     std::span<const RecordPosition> meta,
                                     archive::Reporter& reporter)
    : label_start_(label_start), version_(version), meta_(meta), reporter_(reporter) {
  const auto counts = [](const RecordPosition& position) {
    return position.time && IsIndom(position.type);
  };
  indom_times_.reserve(static_cast<std::size_t>(std::ranges::count_if(meta_, counts)));
  bool ascending = true;
  for (const RecordPosition& position : meta_) {
    if (!counts(position)) continue;
    if (!indom_times_.empty()) {
      if (*position.time == indom_times_.back()) continue;
      ascending &= *position.time > indom_times_.back();
    }
    indom_times_.push_back(*position.time);
  }
  if (!ascending) {
    std::sort(indom_times_.begin(), indom_times_.end());
    indom_times_.erase(std::unique(indom_times_.begin(), indom_times_.end()), indom_times_.end());
  }
  met_.resize(indom_times_.size());
  if (!indom_times_.empty()) next_ = indom_times_.front();
}

void MetadataTimeRules::AdvanceTo(Timestamp time) {
  while (cursor_ < indom_times_.size() && indom_times_[cursor_] <= time) {
    if (indom_times_[cursor_] == time || misplaced_) met_[cursor_] = true;
    ++cursor_;
  }
  next_ = cursor_ < indom_times_.size() ? indom_times_[cursor_] : kNever;
}

void MetadataTimeRules::MarkEarlier(Timestamp time) {
  const auto found = std::lower_bound(indom_times_.begin(), indom_times_.end(), time);
  if (found != indom_times_.end() && *found == time) {
    met_[static_cast<std::size_t>(found - indom_times_.begin())] = true;
  }
}

// Most are asked for in their order: the last one, or the next, is looked at before a search.
bool MetadataTimeRules::HasRecordAt(Timestamp time) {
  if (indom_times_[asked_] != time) {
    if (asked_ + 1 < indom_times_.size() && indom_times_[asked_ + 1] == time) {
      ++asked_;
    } else {
      const auto found = std::lower_bound(indom_times_.begin(), indom_times_.end(), time);
      asked_ = static_cast<std::size_t>(found - indom_times_.begin());
    }
  }
  return met_[asked_];
}

archive::Location MetadataTimeRules::TimeField(const RecordPosition& position) const {
  return {archive::kMetaPart, position.offset + kTimeField, archive::LayoutOf(version_).timestamp,
          position.ordinal};
}

void MetadataTimeRules::OnEnd(bool complete) {
  const bool know_end = complete && latest_ != kAlways && !misplaced_;
  // The timestamped record before, and the instance domain before, that were not reported.
  const RecordPosition* before = nullptr;
  const RecordPosition* indom_before = nullptr;
  for (const RecordPosition& position : meta_) {
    if (!position.time) continue;
    const Timestamp time = *position.time;
    const bool indom = IsIndom(position.type);
    if (label_start_ && time < *label_start_) {
      reporter_.Report("ARC-2001"_clause, TimeField(position), [&] {
        return Details{"timestamp", ToEpochText(time), "at least " + ToEpochText(*label_start_),
                       "the metadata record lies before the start that the label states"};
      });
      continue;
    }
    if (know_end && time > latest_) {
      reporter_.Report("ARC-2002"_clause, TimeField(position), [&] {
        return Details{
            "timestamp", ToEpochText(time), "at most " + ToEpochText(latest_),
            "the metadata record is later than the last data record, so that it is never valid"};
      });
      continue;
    }
    const bool goes_back = before != nullptr && time < *before->time;
    // ARC-1426 has reported it then.
    const bool reported = indom && indom_before != nullptr && time < *indom_before->time;
    if (goes_back && !reported) {
      reporter_.Report("ARC-2003"_clause, TimeField(position), [&] {
        return Details{"timestamp", ToEpochText(time), "at least " + ToEpochText(*before->time),
                       "the metadata record is earlier than the one before it at offset " +
                           std::to_string(before->offset)};
      });
    }
    if (indom && know_end && !HasRecordAt(time)) {
      reporter_.Report("ARC-2005"_clause, TimeField(position), [&] {
        return Details{"timestamp", ToEpochText(time), "the time of a data record",
                       "no data record has the time of this instance domain"};
      });
    }
    before = &position;
    if (indom) indom_before = &position;
  }
}

}  // namespace pmproof::validator
