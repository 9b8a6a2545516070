// SPDX-License-Identifier: Apache-2.0
#include "validator/against/compare_marks.h"

#include <utility>

namespace pmproof::validator::against {
namespace {

std::uint64_t TakeSeams(std::map<Timestamp, std::uint64_t>& seams, Timestamp time) {
  const auto found = seams.find(time);
  if (found == seams.end()) return 0;
  const std::uint64_t count = found->second;
  seams.erase(found);
  return count;
}

void LogAt(DifferenceLog& log, Kind kind, Change change, Timestamp time, const char* text) {
  log.Add(
      {kind, change}, time, time, [] { return Difference{}; },
      [&] {
        Example example;
        (change == Change::kLost ? example.was : example.is) = text;
        return example;
      });
}

}  // namespace

MarkComparison::MarkComparison(const Side& original, const Side& replacement, DifferenceLog& log)
    : original_(original), replacement_(replacement), log_(log) {
  for (const Timestamp time : original.seams()) ++seams_[time];
  for (const Timestamp time : replacement.seams()) ++seams_instead_[time];
}

void MarkComparison::Compare(const Instant* original, const Instant* replacement) {
  std::map<Timestamp, std::pair<Count, Count>> marks;
  if (original != nullptr) {
    for (const archive::DataRecord& record : original->records) {
      if (record.IsMark()) ++marks[record.time].first.marks;
    }
  }
  if (replacement != nullptr) {
    for (const archive::DataRecord& record : replacement->records) {
      if (record.IsMark()) ++marks[record.time].second.marks;
    }
  }
  for (auto& [time, counts] : marks) {
    counts.first.seams = TakeSeams(seams_, time);
    counts.second.seams = TakeSeams(seams_instead_, time);
    CompareAt(time, counts.first, counts.second);
  }
}

void MarkComparison::CompareAt(Timestamp time, const Count& was, const Count& is) {
  for (std::uint64_t n = is.all(); n < was.all(); ++n) {
    const bool mark = was.seams == 0 || n >= was.seams;
    LogAt(log_, mark ? Kind::kMarks : Kind::kSeams, Change::kLost, time,
          mark ? "" : "where two archives of the original met, nothing marks it");
  }
  if (was.all() > 0 || is.all() == 0) return;
  LogAt(log_, is.marks > 0 ? Kind::kMarks : Kind::kSeams, Change::kAdded, time,
        is.marks > 0 ? "" : "readers see a mark where two archives meet");
}

void MarkComparison::End() {
  std::map<Timestamp, std::pair<Count, Count>> seams;
  for (const auto& [time, count] : seams_) seams[time].first.seams = count;
  for (const auto& [time, count] : seams_instead_) seams[time].second.seams = count;
  for (const auto& [time, counts] : seams) CompareAt(time, counts.first, counts.second);
  if (!original_.overlaps().empty()) return;
  for (const Side::Overlap& overlap : replacement_.overlaps()) {
    const SideMember& earlier = replacement_.members()[overlap.earlier];
    const SideMember& later = replacement_.members()[overlap.later];
    const Timestamp start = later.opened.label->start.Normalised();
    log_.Add(
        {Kind::kSeams, Change::kAdded, 1}, start, start, [] { return Difference{}; },
        [&] {
          return Example{.at = {},
                         .item = {},
                         .was = {},
                         .is = later.name + " begins before " + earlier.name +
                               " ends: PCP does not read them together (ARC-555)"};
        });
  }
}

}  // namespace pmproof::validator::against
