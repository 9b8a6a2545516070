// SPDX-License-Identifier: Apache-2.0
#include "validator/check/survival.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "reference/archive/file_set.h"
#include "reference/archive/record_reader.h"
#include "validator/check/data_walk.h"
#include "validator/text/display.h"

namespace pmproof::validator {
namespace {

using archive::LayoutOf;
using archive::Part;
using archive::RecordView;

bool InVolume(const Finding& finding) { return finding.part >= 0; }

class Search {
 public:
  explicit Search(DamagedArchive archive) : archive_(std::move(archive)) {}

  Survival Run() {
    bool all_framed = archive_.all_volumes;
    for (const VolumeToSearch& volume : archive_.volumes) all_framed &= Look(volume);
    if (all_framed) found_.total = found_.readable + found_.behind + refused_;
    // Findings that stand for many have the place of one.
    if (archive_.refused_records > refused_) {
      found_.behind -= std::min(found_.behind, archive_.refused_records - refused_);
      found_.behind_from.reset();
    }
    if (archive_.last_index_entry && latest_ && *archive_.last_index_entry > *latest_ &&
        IndexIsSound()) {
      found_.recorded_until = archive_.last_index_entry;
    }
    JudgeOpening();
    Advise();
    return std::move(found_);
  }

 private:
  // The places of fatal findings in one volume, in their order.
  std::vector<std::uint64_t> FaultsOf(Part part) const {
    std::vector<std::uint64_t> faults;
    for (const Finding& finding : archive_.findings) {
      if (finding.part == part && finding.severity == Severity::kFatal)
        faults.push_back(finding.offset);
    }
    std::sort(faults.begin(), faults.end());
    return faults;
  }

  // But for entries that point after what is left of a volume.
  bool IndexIsSound() const {
    return std::none_of(
        archive_.findings.begin(), archive_.findings.end(), [](const Finding& finding) {
          return finding.part == archive::kIndexPart && finding.severity >= Severity::kError &&
                 finding.rule != "ARC-1915"_clause;
        });
  }

  // False if it is not known how many records the volume has.
  bool Look(const VolumeToSearch& volume) {
    const OpenVolume open = volume.open();
    if (open.source == nullptr) {
      if (&volume == &archive_.volumes.front()) first_is_readable_ = false;
      Lose({volume.name, 0, 0, 0});
      return false;
    }
    const std::vector<std::uint64_t> faults = FaultsOf(volume.part);
    auto fault = faults.begin();
    archive::IgnoringReporter ignore;
    archive::RecordReader reader(*open.source, volume.part, volume.version, ignore);
    bool failed = false;
    while (true) {
      const Result<std::optional<RecordView>> next = reader.Next();
      failed = !next;
      if (!next || !*next) break;
      const RecordView& record = **next;
      const std::uint64_t end = record.offset + record.bytes.size();
      while (fault != faults.end() && *fault < record.offset) ++fault;
      if (fault != faults.end() && *fault < end) {
        ++refused_;
        Lose({volume.name, record.offset, record.bytes.size(), 1});
      } else {
        Keep(record, volume.version);
      }
    }
    const std::uint64_t end = reader.position();
    const bool zeros = !faults.empty() && faults.back() >= end && !reader.lost();
    if (!failed && !reader.lost() && !zeros) return true;
    const Result<std::uint64_t> size =
        failed ? Result<std::uint64_t>(0) : SizeToTheEnd(*open.source);
    Lose({volume.name, end, size && *size > end ? *size - end : 0, 0});
    return zeros;
  }

  void Keep(const RecordView& record, int version) {
    std::optional<Timestamp> time;
    if (record.bytes.size() >= LayoutOf(version).mark) {
      time = archive::LoadTimestamp(record.bytes.data() + archive::kLengthWord, version);
      latest_ = latest_ ? std::max(*latest_, *time) : time;
    }
    if (!fault_seen_) {
      ++found_.readable;
      if (time && (!found_.until || *time > *found_.until)) found_.until = time;
    } else if (++found_.behind == 1) {
      found_.behind_from = time;
    }
  }

  void Lose(Survival::Loss loss) {
    fault_seen_ = true;
    auto& lost = found_.lost;
    if (!lost.empty() && lost.back().file == loss.file && lost.back().length > 0 &&
        lost.back().offset + lost.back().length == loss.offset && loss.records > 0) {
      lost.back().length += loss.length;
      lost.back().records += loss.records;
    } else if (lost.size() < Survival::kMostLosses) {
      lost.push_back(std::move(loss));
    } else {
      ++found_.more_lost;
    }
  }

  // A fatal finding that keeps readers from opening the archive at all: outside the volumes, or in
  // the label of the first one.
  bool Closes(const Finding& finding) const {
    if (finding.severity != Severity::kFatal) return false;
    if (!InVolume(finding)) return true;
    if (archive_.volumes.empty() || archive_.volumes.front().part != finding.part) return false;
    const VolumeToSearch& first = archive_.volumes.front();
    return !first_is_readable_ || finding.offset < LayoutOf(first.version).label;
  }

  void JudgeOpening() {
    for (const Finding& finding : archive_.findings) {
      if (!Closes(finding)) continue;
      found_.opens = false;
      closing_.insert(finding.part == archive::kWholeArchive ? "what is missing" : finding.file);
      closed_by_index_alone_ &= finding.part == archive::kIndexPart;
    }
  }

  void Advise() {
    std::vector<std::string>& next = found_.next;
    const std::string salvage = "pmproof salvage " + archive_.name +
                                " OUT writes what can be saved as an archive of its own";
    if (!found_.opens && !closed_by_index_alone_) {
      std::string files;
      for (const std::string& file : closing_) files += (files.empty() ? "" : ", ") + file;
      next.push_back("get " + files + " from another copy: no reader opens the archive as it is");
      next.push_back(salvage);
      return;
    }
    if (!found_.opens) {
      next.push_back("move " + *closing_.begin() +
                     " away: no reader opens the archive with it, and none needs it");
    }
    if (!fault_seen_) return;
    next.push_back("another copy of the damaged file may be whole");
    next.push_back(salvage);
    if (found_.behind > 0) {
      next.push_back(
          "pmdumplog, pmval and other readers get to what stands after the damage if they start "
          "there (-S)");
    }
  }

  DamagedArchive archive_;
  Survival found_;
  bool first_is_readable_ = true;  // the first volume that is there
  bool fault_seen_ = false;
  std::uint64_t refused_ = 0;
  std::optional<Timestamp> latest_;
  std::set<std::string> closing_;  // files
  bool closed_by_index_alone_ = true;
};

}  // namespace

Survival FindSurvival(DamagedArchive archive) { return Search(std::move(archive)).Run(); }

}  // namespace pmproof::validator
