// SPDX-License-Identifier: Apache-2.0
// The walk over the data records of an archive or a set, in record order: volume by volume, member
// by member (INT-901..907).

#include <algorithm>
#include <limits>
#include <memory>

#include "reference/archive/archive_label.h"
#include "reference/archive/decode_model.h"
#include "reference/archive/frame_reader.h"
#include "reference/replay/indexed_places.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::replay {

using archive::DataRecord;
using archive::Part;
using archive::RecordView;

namespace {

bool HasEqualLengths(const RecordView& view) {
  return LoadU32(view.bytes.data() + view.bytes.size() - archive::kLengthWord) == view.bytes.size();
}

}  // namespace

bool RecordFrame::MayBeMark() const { return view.bytes.size() == archive::LayoutOf(version).mark; }

RecordFrame RecordFrame::InMemory() const {
  RecordFrame frame = *this;
  frame.reader = nullptr;
  if (reader != nullptr) frame.view.bytes = reader->CopyOrView(view);
  return frame;
}

std::optional<DataRecord> RecordFrame::Decode() const {
  if (believed) return archive::BelieveDataRecord(view, version);
  if (!HasEqualLengths(view)) return std::nullopt;
  return decoder->Decode(view, version);
}

bool RecordFrame::DeliverDecoded(const DataRecord& record, RecordVisitor& visitor) const {
  return record.IsMark() ? visitor.OnMark(moment, place) : visitor.OnRecord(record, moment, place);
}

bool RecordFrame::Deliver(const ReplayArchive& archive, RecordVisitor& visitor) const {
  if (reader != nullptr && reader->copies()) return InMemory().Deliver(archive, visitor);
  if (const std::optional<DataRecord> record = Decode()) return DeliverDecoded(*record, visitor);
  archive::ViolationKeeper violations(archive.FileName(place));
  if (!HasEqualLengths(view)) {
    return visitor.OnDamage(moment,
                            {.kind = Status::Kind::kDamaged,
                             .file = violations.file(),
                             .offset = place.offset + view.bytes.size() - archive::kLengthWord,
                             .clause = "ARC-1104"_clause,
                             .message = "the length words of the record differ"});
  }
  archive::DecodeDataRecord(view, version, violations);
  // There is none if the file was cut meanwhile, and the record turned to zeros.
  const Status changed{.kind = Status::Kind::kUnreadable,
                       .file = violations.file(),
                       .offset = place.offset,
                       .message = "the record changed while it was read"};
  return visitor.OnDamage(moment, violations.last().value_or(changed));
}

struct ReplayArchive::Walker {
  const ReplayArchive& archive;
  RecordVisitor& visitor;
  std::uint64_t ordinal = 0;
  Timestamp last{};  // of the record before
  bool going = true;
  archive::DataDecoder decoder{};
  std::unique_ptr<IndexedPlaces> places{};  // where a walk may go by them

  Moment At(Timestamp time) {
    last = time;
    return {archive.origin_.Relative(time), time, ordinal++};
  }

  std::optional<Status> WalkMember(std::size_t number) {
    const archive::OpenedMember& member = archive.members_[number];
    FindPlaces(member);
    for (const auto& [part, file] : member.files.parts) {
      if (part < 0 || !going) continue;
      const bool last_volume = part == member.files.parts.rbegin()->first;
      if (std::optional<Status> error = WalkVolume(number, part, file, last_volume)) {
        // What a volume that cannot be read hides is damage in the middle of the others.
        if (archive::IsStorageFailure(*error)) return error;
        if (number == 0 && part == FirstVolume(member)) return error;
        going = visitor.OnDamage(At(last), *error);
      }
    }
    return std::nullopt;
  }

  void FindPlaces(const archive::OpenedMember& member) {
    if (archive.assumed_sound_) {
      places = IndexedPlaces::Open(archive.storage_, member, archive.origin_);
    }
  }

  static Part FirstVolume(const archive::OpenedMember& member) {
    return member.files.parts.lower_bound(0)->first;
  }

  std::optional<Status> WalkVolume(std::size_t number, Part part, const archive::ArchiveFile& file,
                                   bool last_volume) {
    const std::string name = archive.FileName({.member = number, .volume = part});
    const auto stored = archive.storage_.Open(file.path);
    if (!stored) return stored.error();
    const std::unique_ptr<archive::Source> source =
        archive::MakeSource(**stored, name, file.compression);
    archive::ViolationKeeper framing(name);
    archive::IgnoringReporter ignored;
    constexpr Timestamp kNever{std::numeric_limits<std::int64_t>::max(), 0};
    const auto label = archive::ReadLabel(*source, part, name, kNever, ignored);
    if (!label) return label.error();
    archive::FrameReader reader(*source, **stored, part, label->version, framing);
    const bool lasting = source->mapped().has_value();
    const bool believed = archive.assumed_sound_;
    if (believed) reader.OnlyMap();
    std::optional<Status> unreadable;
    while (going) {
      const auto framed = reader.Next();
      if (!framed) unreadable = framed.error();
      if (!framed || !*framed) break;
      const int version = label->version;
      const RecordView& view = (*framed)->view;
      const RecordPlace place{number, part, view.offset, view.bytes.size()};
      going = visitor.OnFrame({view, version, At(TimeOf(**framed, version)), place, lasting,
                               believed, &decoder, &reader},
                              archive);
      if (places) LeaveOut(part, version, reader);
    }
    going = visitor.OnVolumeEnd(archive) && going;
    if (!going) return std::nullopt;
    if (unreadable) {
      going = visitor.OnLost(At(last), *unreadable, /*at_the_end=*/false);
    } else if (framing.last()) {
      const bool cut = last_volume && reader.ended_inside_record();
      const bool zeros = framing.last()->clause == "ARC-1107"_clause;
      const bool differs = believed && framing.last()->clause == "ARC-1104"_clause;
      if (reader.lost() || zeros || differs) {
        going = visitor.OnLost(At(last), *framing.last(), cut || zeros);
      }
    }
    return std::nullopt;
  }

  // INT-311: goes on with a later record where the visitor wants none before it. An entry of the
  // index that leads elsewhere is passed over.
  void LeaveOut(Part part, int version, archive::FrameReader& reader) {
    const double from = visitor.WantedFrom();
    if (from <= archive.origin_.Relative(last)) return;
    const std::optional<std::uint64_t> offset = places->LastUntil(part, from, reader.end());
    if (!offset || *offset <= reader.position()) return;
    const std::optional<archive::RecordFraming> framing = reader.At(*offset);
    if (!framing || archive.origin_.Relative(TimeOf(*framing, version)) > from) return;
    // As many as may lie between, so that each has a number of its own.
    ordinal += (*offset - reader.position()) / archive::kMinRecord;
    reader.Seek(*offset);
  }

  Timestamp TimeOf(const archive::RecordFraming& framing, int version) const {
    const std::size_t least = archive::LayoutOf(version).timestamp + 2 * archive::kLengthWord;
    if (framing.view.bytes.size() < least) return last;
    return archive::LoadTimestamp(framing.head + archive::kLengthWord, version);
  }

  // INT-905. The reference's mark is not later than the first record of the next member.
  void TakeVirtualMark(VirtualMarks marks, std::size_t next) {
    const Timestamp start = archive.members_[next].label->start;
    const Timestamp behind = last + 1'000'000;
    const Timestamp before = start + -1'000'000;
    Timestamp time = behind;
    if (marks == VirtualMarks::kBackward) time = before;
    if (marks == VirtualMarks::kReference) time = std::min(behind, start.Normalised());
    const Timestamp end = last;
    going = visitor.OnMark(At(time), {.member = next - 1});
    last = end;
  }
};

std::optional<Status> ReplayArchive::Walk(VirtualMarks marks, RecordVisitor& visitor,
                                          std::size_t first) const {
  Walker walker{.archive = *this, .visitor = visitor};
  walker.last = members_[first].label->start;
  for (std::size_t i = first; i < members_.size() && walker.going; ++i) {
    if (i > first) {
      const bool overlapped = IsOverlapped(i, walker.last);
      walker.TakeVirtualMark(overlapped ? VirtualMarks::kForward : marks, i);
      if (overlapped) {
        visitor.OnOverlap(i, Overlap(i));
        break;
      }
    }
    if (!walker.going) break;
    if (std::optional<Status> error = walker.WalkMember(i)) return error;
  }
  return std::nullopt;
}

// ARC-555: equal times are not an overlap.
bool ReplayArchive::IsOverlapped(std::size_t member, Timestamp end_of_earlier) const {
  return end_of_earlier.Normalised() > members_[member].label->start.Normalised();
}

Status ReplayArchive::Overlap(std::size_t member) const {
  return {.kind = Status::Kind::kDamaged,
          .file = members_[member].files.Name(),
          .clause = "ARC-555"_clause,
          .message = "starts before " + members_[member - 1].files.Name() +
                     " ends: as in PCP, no interpolation goes on from one to the other",
          .code = ErrorCode::kLogOverlap};
}

std::size_t ReplayArchive::FirstMember(Timestamp from, int direction) const {
  std::size_t first = members_.size() - 1;
  const auto begins_later = [&](std::size_t member) {
    return members_[member].label->start.Normalised() >= from.Normalised();
  };
  while (direction > 0 && first > 0 && begins_later(first)) --first;
  for (; first > 0; --first) {
    const std::optional<Timestamp> end = EndOf(first - 1);
    if (end && IsOverlapped(first, *end)) break;
  }
  return first;
}

namespace {

// Keeps the time of the last record that readers do not refuse. Most often that is the very last
// one: so those before it are decoded only if it is not.
class LastTime final : public RecordVisitor {
 public:
  explicit LastTime(bool decode_all) : decode_all_(decode_all) {}

  std::optional<Timestamp> time;
  bool refused = false;  // the last one is

  bool OnFrame(const RecordFrame& frame, const ReplayArchive& archive) override {
    if (decode_all_ || !frame.lasting) return frame.Deliver(archive, *this);
    last_ = frame;
    return true;
  }
  double WantedFrom() const override { return std::numeric_limits<double>::infinity(); }
  bool OnVolumeEnd(const ReplayArchive& archive) override {
    if (last_) last_->Deliver(archive, *this);
    last_.reset();
    return true;
  }
  bool OnRecord(const DataRecord&, const Moment& moment, const RecordPlace&) override {
    time = moment.time;
    return true;
  }
  bool OnMark(const Moment& moment, const RecordPlace&) override {
    time = moment.time;
    return true;
  }
  bool OnDamage(const Moment&, const Status&) override {
    refused = true;
    return true;
  }

 private:
  bool decode_all_;
  std::optional<RecordFrame> last_;
};

}  // namespace

std::optional<Timestamp> ReplayArchive::End() const {
  for (std::size_t i = members_.size(); i-- > 0;) {
    if (const std::optional<Timestamp> end = EndOf(i)) return end;
  }
  return std::nullopt;
}

std::optional<Timestamp> ReplayArchive::EndOf(std::size_t member) const {
  const auto& parts = members_[member].files.parts;
  for (auto part = parts.rbegin(); part != parts.rend() && part->first >= 0; ++part) {
    for (const bool decode_all : {false, true}) {
      LastTime last(decode_all);
      Walker walker{.archive = *this, .visitor = last};
      walker.FindPlaces(members_[member]);
      if (walker.WalkVolume(member, part->first, part->second, true)) break;
      if (last.time) return last.time;
      if (!last.refused) break;
    }
  }
  return std::nullopt;
}

}  // namespace pmproof::replay
