// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_REPLAY_ARCHIVE_H_
#define PMPROOF_REFERENCE_REPLAY_REPLAY_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/archive/data_decoder.h"
#include "reference/archive/data_record.h"
#include "reference/archive/frame_reader.h"
#include "reference/archive/instance_domain.h"
#include "reference/archive/set_member.h"
#include "reference/archive/storage.h"
#include "reference/core/metric.h"
#include "reference/core/pcp_version.h"
#include "reference/core/status.h"
#include "reference/replay/bounds.h"
#include "reference/replay/relative_time.h"

namespace pmproof::replay {

// An instance that any record of its domain lists (INT-401), and its life (INT-403): relative times
// of the first record that lists it, and of the record after the last one that does.
struct Candidate {
  std::int32_t id = 0;
  double birth = 0;
  std::optional<double> death;  // nothing if the latest record of the domain lists it
  std::size_t last_step = 0;    // the latest record that lists it, counted from 1 by time (INT-409)
};

// A domain over the time of all members.
struct ReplayDomain {
  archive::InstanceDomain records;
  std::vector<Candidate> candidates;  // ascending by id
  bool large = false;                 // a record has 16 instances or more (INT-403)

  const Candidate* Find(std::int32_t id) const;
};

struct ReplayMetric {
  Descriptor descriptor;
  std::vector<std::string_view> names;  // may be empty: all names belong to other metrics
};

class ReplayArchive;

// Where a record lies, for reasons given to people.
struct RecordPlace {
  std::size_t member = 0;
  archive::Part volume = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

class RecordVisitor;

// A record as the walk meets it, before anything but its length and its time has been looked at.
struct RecordFrame {
  archive::RecordView view;
  int version = 3;
  Moment moment;  // a record too short for a time has that of the one before
  RecordPlace place;
  bool lasting = false;   // the view holds until OnVolumeEnd(), not only until the call returns
  bool believed = false;  // the archive is taken to be sound (INT-311)
  archive::DataDecoder* decoder = nullptr;  // of the walk
  archive::FrameReader* reader = nullptr;   // of the volume; null if the view is in memory

  // ARC-151: of the length of a mark, which few other records have.
  bool MayBeMark() const;
  // The same with its bytes where it takes the least time to look at them; they hold until the same
  // is asked of another frame.
  RecordFrame InMemory() const;
  // Nothing if readers refuse it: they cannot decode it, or its length words differ (ARC-1104).
  // It is one in memory. Of one that is believed only DataRecord::ForEachSetUntil() may be called.
  std::optional<archive::DataRecord> Decode() const;
  // Decodes it and hands it over as what it turns out to be. What the visitor returns.
  bool Deliver(const ReplayArchive& archive, RecordVisitor& visitor) const;
  // Likewise, `record` being what Decode() gave.
  bool DeliverDecoded(const archive::DataRecord& record, RecordVisitor& visitor) const;
};

// Receives the records of an archive in record order. Each returns false to end the walk.
class RecordVisitor {
 public:
  virtual ~RecordVisitor() = default;
  // Each record comes here first; who does not need all of them can leave some out, or deliver them
  // later.
  virtual bool OnFrame(const RecordFrame& frame, const ReplayArchive& archive) {
    return frame.Deliver(archive, *this);
  }
  // No record before this time (INT-201) is wanted, but for the last ones before it: in an archive
  // that is taken to be sound, the walk may go on with a later one (INT-311).
  virtual double WantedFrom() const { return -std::numeric_limits<double>::infinity(); }
  // No frame of a volume holds any longer.
  virtual bool OnVolumeEnd(const ReplayArchive&) { return true; }

  // The views of `record` hold until the call returns.
  virtual bool OnRecord(const archive::DataRecord& record, const Moment& moment,
                        const RecordPlace& place) = 0;
  // A mark record, or the virtual mark between two members (INT-905), which has no length.
  virtual bool OnMark(const Moment& moment, const RecordPlace& place) = 0;
  // A record that readers refuse, or records that cannot be reached. `status` says which.
  virtual bool OnDamage(const Moment& moment, const Status& status) = 0;
  // What is left of a volume is no record. `at_the_end`: it is a record that the end of the archive
  // cuts, or zeros, and as if it were not there where values are interpolated (INT-903).
  virtual bool OnLost(const Moment& moment, const Status& status, bool at_the_end) {
    return at_the_end || OnDamage(moment, status);
  }
  // The records end here, before `member`, which the one before it overlaps (ARC-555). `status` is
  // PM_ERR_LOGOVERLAP.
  virtual void OnOverlap(std::size_t /*member*/, const Status& /*status*/) {}
};

// One archive, or several as one (INT-904), opened for replay. A resource: not copied. Its metadata
// are in memory; the data are read when they are walked.
class ReplayArchive {
 public:
  // `names` as users give them (ARC-038), in any order. Errors: that of the only archive; of a set
  // what opening it gives (ARC-551..553: PM_ERR_LOGHOST, PM_ERR_LOGOVERLAP, PM_ERR_LOGCHANGE...).
  // As `version` opens it (ARC-554): 7.2 passes over members that cannot be opened, which are in
  // passed_over(); the others refuse the set. `budget` is for the metadata of each.
  static Result<std::unique_ptr<ReplayArchive>> Open(
      const archive::Storage& storage, const std::vector<std::string>& names,
      const archive::MemoryBudget& budget = archive::MemoryBudget(),
      PcpVersion version = PcpVersion::k7_2);
  // The same of archives whose files are known.
  static Result<std::unique_ptr<ReplayArchive>> OpenFound(
      const archive::Storage& storage, std::span<const archive::FoundArchive> found,
      const archive::MemoryBudget& budget = archive::MemoryBudget(),
      PcpVersion version = PcpVersion::k7_2);
  ReplayArchive(const ReplayArchive&) = delete;
  ReplayArchive& operator=(const ReplayArchive&) = delete;

  // INT-311: from now on walks take the archive to be sound, as a check without errors has shown
  // it to be: they go by its index where a visitor lets them, and do not look for what makes
  // readers refuse a record.
  void AssumeSound() { assumed_sound_ = true; }
  bool assumed_sound() const { return assumed_sound_; }

  const Origin& origin() const { return origin_; }
  const std::vector<Status>& passed_over() const { return passed_over_; }

  // By identifier, ascending. References hold as long as this.
  const std::map<Pmid, ReplayMetric>& metrics() const { return metrics_; }
  // ARC-309: nothing if no metric has that name.
  std::optional<Pmid> Find(std::string_view name) const;
  // Null if there is no record of it.
  const ReplayDomain* DomainOf(Indom indom) const;

  // Walks all records from front to back. `mark_forward`: which of the two times the virtual marks
  // of a set have (INT-905); nothing: that of the reference semantics. It begins with member
  // `first` and ends where the next member is overlapped (ARC-555). Errors: a file that cannot
  // be read at all.
  enum class VirtualMarks : std::uint8_t { kForward, kBackward, kReference };
  std::optional<Status> Walk(VirtualMarks marks, RecordVisitor& visitor,
                             std::size_t first = 0) const;

  // The member that the walk of a fetch begins with which is the first at its time `from`
  // (INT-907): reading crosses no overlap. 0 unless members overlap. Takes the time to find the
  // ends of members.
  std::size_t FirstMember(Timestamp from, int direction) const;

  // What OnOverlap says of a member that the one before it overlaps.
  Status Overlap(std::size_t member) const;

  const std::vector<archive::OpenedMember>& members() const { return members_; }
  const archive::Storage& storage() const { return storage_; }

  // The time of the last record that readers do not refuse, of the last volume that has one
  // (INT-207); nothing if there is none.
  std::optional<Timestamp> End() const;
  // Likewise of one member.
  std::optional<Timestamp> EndOf(std::size_t member) const;

  // The file that a place is in, as errors name it.
  std::string FileName(const RecordPlace& place) const;

 private:
  struct Walker;
  explicit ReplayArchive(const archive::Storage& storage) : storage_(storage) {}
  bool IsOverlapped(std::size_t member, Timestamp end_of_earlier) const;
  void AddMetrics(const archive::Metadata& metadata);
  void CollectDomains();

  const archive::Storage& storage_;
  Origin origin_;
  std::vector<archive::OpenedMember> members_;  // in the order in which they are read
  std::vector<Status> passed_over_;
  std::map<Pmid, ReplayMetric> metrics_;
  std::map<std::string_view, Pmid> names_;
  std::map<Indom, ReplayDomain> domains_;
  bool assumed_sound_ = false;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_REPLAY_ARCHIVE_H_
