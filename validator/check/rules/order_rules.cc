// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/order_rules.h"

#include <string>
#include <utility>

#include "reference/core/bytes.h"
#include "reference/core/identifiers.h"

namespace pmproof::validator {
namespace {

using archive::Details;
using archive::FractionInRange;
using archive::LayoutOf;
using archive::Location;

constexpr std::int64_t kSecondsOf2038 = std::int64_t{1} << 31;

// Where the label has its start (ARC-100, ARC-101).
constexpr std::uint64_t kLabelStartField = 12;

// "2.500 s", "1.000 ms": for people.
std::string DurationText(std::int64_t nanoseconds) {
  const bool short_time = nanoseconds < 1'000'000'000;
  const std::int64_t thousandth = short_time ? 1'000 : 1'000'000;
  std::string fraction = std::to_string(nanoseconds / thousandth % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return std::to_string(nanoseconds / thousandth / 1000) + "." + fraction +
         (short_time ? " ms" : " s");
}

}  // namespace

OrderRules::OrderRules(std::optional<Timestamp> label_start, int version,
                       archive::Reporter& reporter)
    : label_start_(label_start), version_(version), reporter_(reporter) {
  // The label's own rule has reported it then (ARC-1226).
  if (label_start && label_start->seconds >= kSecondsOf2038)
    seconds_limit_ = std::uint64_t{1} << 63;
}

void OrderRules::OnUnsteadyRecord(DataEvent event) {
  any_record_ = true;
  if (!event.IsMark() && !first_data_) OnFirstDataRecord(event);
  if (!FractionInRange(event.fraction, version_)) {
    reporter_.Report("ARC-1718"_clause, event.TimeField(version_), [&] {
      return Details{"timestamp", std::to_string(event.fraction),
                     version_ == 3 ? "0..999999999" : "0..999999",
                     std::string("the fraction of the timestamp is out of range, in ") +
                         (version_ == 3 ? "nanoseconds" : "microseconds")};
    });
    PassOver(event);
    return;
  }
  if (event.time.seconds < 0) {
    reporter_.Report("ARC-1722"_clause, event.TimeField(version_), [&] {
      return Details{"timestamp", ToEpochText(event.time), "0 or later",
                     "the record's time lies before 1970"};
    });
    PassOver(event);
    return;
  }
  if (static_cast<std::uint64_t>(event.time.seconds) >= seconds_limit_) {
    seconds_limit_ = std::uint64_t{1} << 63;
    reporter_.Report("ARC-1226"_clause, event.TimeField(version_), [&] {
      return Details{"timestamp", ToEpochText(event.time), "before 2147483648",
                     "from this record on times lie after 2038-01-19 03:14:07 UTC, which several "
                     "tools cannot handle"};
    });
  }
  if (event.IsMark()) {
    OnMark(event);
  } else {
    OnDataRecord(event);
  }
}

bool OrderRules::BeginRun(const DataEvent& first, const GapsAhead& gaps,
                          std::uint64_t records_before) {
  if (BeforeLabel(first)) return false;
  // Data of a missing volume are not a gap.
  if (has_last_ && (first.time <= last_time_ ||
                    (first.volume != last_place_.part && first.volume != last_place_.part + 1))) {
    return false;
  }
  gaps_.Append(gaps, records_before);
  in_run_ = true;
  return true;
}

void OrderRules::PassOver(const DataEvent& event) {
  gaps_.Break();
  steady_ = false;
  if (!event.IsMark()) TakeLogue(event);
}

void OrderRules::OnFirstDataRecord(const DataEvent& event) {
  first_data_ = event;
  if (beginning_lost_) return;
  if (event.logue != nullptr) prologue_ = *event.logue;
  // A time that is wrong by itself says nothing about the label.
  if (!label_start_ || event.time == *label_start_ || !FractionInRange(event.fraction, version_) ||
      event.time.seconds < 0) {
    return;
  }
  if (first_mark_ == label_start_) return;
  const Location start{event.volume, kLabelStartField, LayoutOf(version_).timestamp, 0};
  const bool hides = event.time < *label_start_;
  reporter_.Report(
      "ARC-1222"_clause, start,
      [&] {
        return Details{"start", ToEpochText(*label_start_), ToEpochText(event.time),
                       hides ? "the label's start is later than the first data record"
                             : "the label's start is earlier than the first data record"};
      },
      hides ? archive::Gravity::kAsCatalogued : archive::Gravity::kWarning);
}

void OrderRules::ReportMark(const DataEvent& mark, const char* message) {
  if (std::exchange(mark_reported_, true)) return;
  reporter_.Report("ARC-1723"_clause, mark.Whole(), [&] { return Details{"", "", "", message}; });
}

void OrderRules::OnMark(const DataEvent& event) {
  mark_reported_ = false;
  if (behind_mark_) {
    ReportMark(event, "a mark record follows a mark record");
  } else if (!first_data_ && !beginning_lost_) {
    ReportMark(event, "the first record is a mark record");
  }
  if (!first_data_ && !first_mark_) first_mark_ = event.time;
  steady_ = false;
  if (!in_run_) gaps_.Break();
  behind_mark_ = true;
  last_mark_ = event;
  const auto report_order = [&](Timestamp before) {
    reporter_.Report("ARC-1724"_clause, event.TimeField(version_), [&] {
      return Details{"timestamp", ToEpochText(event.time), "later than " + ToEpochText(before),
                     "the mark record is not later than the record before it"};
    });
  };
  if (BeforeLabel(event)) {
    reporter_.Report("ARC-1719"_clause, event.TimeField(version_), [&] {
      return Details{"timestamp", ToEpochText(event.time), "at least " + ToEpochText(*label_start_),
                     "the mark record lies before the start that the label states"};
    });
  } else if (has_last_ && event.time <= last_time_) {
    report_order(last_time_);
  } else if (mark_ && event.time < mark_->time) {
    report_order(mark_->time);
  } else {
    mark_ = event;
  }
}

void OrderRules::OnDataRecord(const DataEvent& event) {
  const bool before_label = BeforeLabel(event);
  const bool goes_back = has_last_ && event.time < last_time_;
  const bool new_volume = has_last_ && event.volume != last_place_.part;
  behind_mark_ = false;
  if (before_label) {
    reporter_.Report("ARC-1719"_clause, event.TimeField(version_), [&] {
      return Details{"timestamp", ToEpochText(event.time), "at least " + ToEpochText(*label_start_),
                     "the record lies before the start that the label states"};
    });
    if (goes_back) {
      PassOver(event);
      return;
    }
  } else if (goes_back) {
    // The record before may be the one that is misplaced: what was measured up to it does not
    // count.
    gaps_.TakeBack(last_place_);
    reporter_.Report(
        new_volume ? "ARC-2004"_clause : "ARC-1720"_clause, event.TimeField(version_), [&] {
          return Details{
              "timestamp", ToEpochText(event.time), "at least " + ToEpochText(last_time_),
              new_volume
                  ? "the volume starts before volume " + std::to_string(last_place_.part) + " ends"
                  : "the record is earlier than the record before it"};
        });
  } else if (mark_ && event.time < mark_->time) {
    reporter_.Report("ARC-1724"_clause, mark_->TimeField(version_), [&] {
      return Details{"timestamp", ToEpochText(mark_->time), "at most " + ToEpochText(event.time),
                     "the mark record is later than the record after it"};
    });
  } else if (has_last_ && event.time == last_time_) {
    ReportEqualTime(event);
  }

  // Data of a missing volume are not a gap in the logging (ARC-1006).
  if (new_volume && event.volume != last_place_.part + 1) gaps_.Break();
  steady_ = !before_label && !goes_back;
  // A record that stands before the label or goes back has no interval of its own to either side.
  if (steady_) {
    AddTime(event);
  } else {
    gaps_.Break();
  }
  has_last_ = true;
  mark_.reset();
  Follow(event);
}

// With a prologue nothing is lost: it has metrics of its own, and PCP 7 gives it the time of the
// first result (ARC-593).
void OrderRules::ReportEqualTime(const DataEvent& event) {
  const bool logue = last_logue_ || event.logue != nullptr;
  reporter_.Report(
      "ARC-1721"_clause, event.TimeField(version_),
      [&] {
        return Details{"timestamp", ToEpochText(event.time),
                       "later than " + ToEpochText(last_time_),
                       logue ? "the prologue or epilogue has the same time as the record beside it"
                             : "the record has the same time as the record before it"};
      },
      logue ? archive::Gravity::kInfo : archive::Gravity::kAsCatalogued);
}

void OrderRules::OnVolumeEnd(const ReadExtent& extent) {
  if (!extent.Whole()) OnRecordsLost();
}

// What could not be read is not a gap in the logging.
void OrderRules::OnRecordsLost() {
  gaps_.Break();
  steady_ = false;
  behind_mark_ = false;
  if (!first_data_) beginning_lost_ = true;
}

void OrderRules::OnEnd(bool any_values, bool complete) {
  if (complete && behind_mark_) ReportMark(last_mark_, "the last record is a mark record");
  if (complete && any_record_ && !any_values) {
    reporter_.Report("ARC-2007"_clause, Location{}, [] {
      return Details{"", "", "", "no record of the archive has a value"};
    });
  }
  ReportLogues(complete);
  ReportGaps();
}

void OrderRules::ReportLogues(bool complete) {
  if (!first_data_) return;
  if (!prologue_ && !beginning_lost_) {
    reporter_.Report("ARC-2008"_clause, first_data_->Whole(), [] {
      return Details{"", "", "",
                     "the first record is not a prologue (pmcd.pmlogger.host, port, archive)"};
    });
  }
  if (!complete) return;
  const bool only_record = !has_last_ || (last_place_.part == first_data_->volume &&
                                          last_place_.offset == first_data_->offset);
  const Location last = has_last_ ? last_place_ : first_data_->Whole();
  if (only_record || !last_logue_) {
    reporter_.Report("ARC-2009"_clause, last, [] {
      return Details{"", "", "",
                     "the last record is not an epilogue (pmcd.pmlogger.host, port, archive)"};
    });
  } else if (prologue_ && prologue_->pmcd_pid && last_logue_->pmcd_pid &&
             (prologue_->pmcd_pid != last_logue_->pmcd_pid ||
              prologue_->seqnum != last_logue_->seqnum)) {
    const auto identity = [](const Logue& logue) {
      return "pmcd.pid " + std::to_string(*logue.pmcd_pid) + ", pmcd.seqnum " +
             std::to_string(logue.seqnum.value_or(0));
    };
    reporter_.Report("ARC-2009"_clause, last, [&] {
      return Details{
          "", identity(*last_logue_), identity(*prologue_),
          "PMCD was another one, or was restarted or reconfigured, between prologue and epilogue"};
    });
  }
}

void OrderRules::ReportGaps() {
  const std::int64_t median = gaps_.Median();
  for (const GapFinder::Gap& gap : gaps_.Gaps()) {
    reporter_.Report("ARC-2010"_clause, gap.after, [&] {
      return Details{
          "timestamp", DurationText(gap.nanoseconds), "at most 10 times " + DurationText(median),
          "no record for " + DurationText(gap.nanoseconds) + " from " + ToEpochText(gap.from) +
              " on, and no mark; the median interval of records with the same metrics is " +
              DurationText(median)};
    });
  }
}

}  // namespace pmproof::validator
