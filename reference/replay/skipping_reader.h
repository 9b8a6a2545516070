// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_SKIPPING_READER_H_
#define PMPROOF_REFERENCE_REPLAY_SKIPPING_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "reference/archive/data_record.h"
#include "reference/replay/bounds_finder.h"
#include "reference/replay/observation_reader.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::replay {

// Hands to an ObservationReader only those records that the search for the bounds of some time
// meets (INT-302, INT-303), and all marks: what lies between times that are far apart is not
// decoded. The answers are those of the whole walk. Ends where times go back (INT-309).
// In an archive that is taken to be sound, the walk may leave records out (INT-311); those that a
// search meets are read backward.
class SkippingReader final : public RecordVisitor {
 public:
  // `reader` hands what it reads to `finder`, of `cells`. Both outlive this. `leaves_out`: records
  // may be left out, which have no numbers then, nor are marks among them heard of.
  SkippingReader(std::size_t cells, ObservationReader& reader, BoundsFinder& finder,
                 bool leaves_out = false)
      : reader_(reader), finder_(finder), leaves_out_(leaves_out), found_in_(cells, 0) {}

  bool disordered() const { return disordered_; }

  double WantedFrom() const override;
  bool OnFrame(const RecordFrame& frame, const ReplayArchive& archive) override;
  bool OnVolumeEnd(const ReplayArchive& archive) override;
  bool OnRecord(const archive::DataRecord& record, const Moment& moment,
                const RecordPlace& place) override;
  bool OnMark(const Moment& moment, const RecordPlace& place) override;
  bool OnDamage(const Moment& moment, const Status& status) override;
  void OnOverlap(std::size_t member, const Status& status) override {
    reader_.OnOverlap(member, status);
  }

 private:
  // What is not the same of all frames between two that are delivered: they follow each other.
  struct Skipped {
    std::uint64_t offset;
    double at;
    std::int64_t seconds;
    std::int32_t nanoseconds;
    std::uint32_t length;
  };

  bool Advance(const Moment& moment);
  void Skip(const RecordFrame& frame);
  void NoteGap(const RecordFrame& frame);
  RecordFrame FrameOf(std::size_t i) const;
  std::optional<archive::DataRecord> Check(std::size_t i);
  bool Deliver(const RecordFrame& frame, const ReplayArchive& archive);
  bool DeliverSkipped(const ReplayArchive& archive);
  bool DeliverChecked(std::size_t i, const ReplayArchive& archive);
  std::size_t FirstNeeded();
  bool DeliverLeftOut(const ReplayArchive& archive);
  std::optional<RecordFrame> FrameBefore(const RecordFrame& frame,
                                         const ReplayArchive& archive) const;
  void NoteEndBefore(std::size_t i);
  bool EndsSearch(const archive::DataRecord& record, double at);

  ObservationReader& reader_;
  BoundsFinder& finder_;
  const bool leaves_out_;
  // INT-311: what the walk has left out begins at this offset and ends at the frame after it.
  std::optional<std::uint64_t> left_out_;
  RecordFrame after_left_out_;
  std::uint64_t read_until_ = 0;     // of the volume at hand
  std::vector<RecordFrame> needed_;  // of those left out, latest first
  std::vector<Skipped> skipped_;     // since the last one that was delivered
  RecordFrame first_skipped_;
  // Of the last of them, latest first, what they were decoded to: each is checked only once.
  std::vector<archive::DataRecord> checked_;
  bool keeps_ = true;  // there is room for more of them
  // Of those that are not looked at where they are mapped. Most often little of it is made use of,
  // and so is no memory yet.
  std::unique_ptr<std::uint8_t[]> copies_;
  std::size_t copied_ = 0;  // bytes of it
  bool skipping_ = false;
  double next_time_ = 0;  // while skipping: the first time whose bounds are open
  bool forms_known_ = false;
  std::optional<double> latest_;
  bool disordered_ = false;
  std::vector<std::uint64_t> found_in_;  // of each cell: the search that found it last
  std::uint64_t search_ = 0;
  std::size_t found_ = 0;
  bool search_ended_ = false;
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_SKIPPING_READER_H_
