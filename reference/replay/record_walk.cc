// The walk over the data records of an archive or a set, in record order: volume by volume, member
// by member (INT-901..907).

#include <algorithm>
#include <limits>
#include <memory>

#include "reference/archive/archive_label.h"
#include "reference/archive/decode_model.h"
#include "reference/archive/record_reader.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::replay {

using archive::DataRecord;
using archive::Part;
using archive::RecordView;

struct ReplayArchive::Walker {
  const ReplayArchive& archive;
  RecordVisitor& visitor;
  std::uint64_t ordinal = 0;
  Timestamp last{};  // of the record before
  bool going = true;

  Moment At(Timestamp time) {
    last = time;
    return {archive.origin_.Relative(time), time, ordinal++};
  }

  std::optional<Status> WalkMember(std::size_t number) {
    const archive::OpenedMember& member = archive.members_[number];
    for (const auto& [part, file] : member.files.parts) {
      if (part < 0 || !going) continue;
      const bool last_volume = part == member.files.parts.rbegin()->first;
      if (std::optional<Status> error = WalkVolume(number, part, file, last_volume)) {
        // What a volume that can not be read hides is damage in the middle of the others.
        if (number == 0 && part == FirstVolume(member)) return error;
        going = visitor.OnDamage(At(last), *error);
      }
    }
    return std::nullopt;
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
    archive::RecordReader reader(*source, part, label->version, framing);
    while (going) {
      const auto view = reader.Next();
      if (!view) {
        going = visitor.OnDamage(At(last), view.error());
        return std::nullopt;
      }
      if (!*view) break;
      TakeRecord(**view, label->version, {number, part, (*view)->offset, (*view)->bytes.size()});
    }
    // INT-903: what is cut at the very end is as if it were not there.
    const bool cut_at_the_end = last_volume && reader.ended_inside_record();
    if (going && reader.lost() && !cut_at_the_end && framing.last()) {
      going = visitor.OnDamage(At(last), *framing.last());
    }
    return std::nullopt;
  }

  void TakeRecord(const RecordView& view, int version, const RecordPlace& place) {
    archive::IgnoringReporter ignored;
    const std::optional<DataRecord> record = archive::DecodeDataRecord(view, version, ignored);
    if (!record) {
      going = visitor.OnDamage(At(TimeOf(view, version)), WhyRefused(view, version, place));
    } else if (record->IsMark()) {
      going = visitor.OnMark(At(record->time), place);
    } else {
      going = visitor.OnRecord(*record, At(record->time), place);
    }
  }

  Timestamp TimeOf(const RecordView& view, int version) const {
    const std::size_t least = archive::LayoutOf(version).timestamp + 2 * archive::kLengthWord;
    if (view.bytes.size() < least) return last;
    return archive::LoadTimestamp(view.bytes.data() + archive::kLengthWord, version);
  }

  Status WhyRefused(const RecordView& view, int version, const RecordPlace& place) const {
    archive::ViolationKeeper violations(archive.FileName(place));
    archive::DecodeDataRecord(view, version, violations);
    return violations.last().value();
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

std::optional<Status> ReplayArchive::Walk(VirtualMarks marks, RecordVisitor& visitor) const {
  Walker walker{.archive = *this, .visitor = visitor};
  walker.last = origin_.start();
  for (std::size_t i = 0; i < members_.size() && walker.going; ++i) {
    if (i > 0) walker.TakeVirtualMark(marks, i);
    if (!walker.going) break;
    if (std::optional<Status> error = walker.WalkMember(i)) return error;
  }
  return std::nullopt;
}

namespace {

// Keeps the time of the last record.
class LastTime final : public RecordVisitor {
 public:
  std::optional<Timestamp> time;

  bool OnRecord(const DataRecord&, const Moment& moment, const RecordPlace&) override {
    time = moment.time;
    return true;
  }
  bool OnMark(const Moment& moment, const RecordPlace&) override {
    time = moment.time;
    return true;
  }
  bool OnDamage(const Moment&, const Status&) override { return true; }
};

}  // namespace

std::optional<Timestamp> ReplayArchive::End() const {
  for (std::size_t i = members_.size(); i-- > 0;) {
    const auto& parts = members_[i].files.parts;
    for (auto part = parts.rbegin(); part != parts.rend() && part->first >= 0; ++part) {
      LastTime last;
      Walker walker{.archive = *this, .visitor = last};
      if (!walker.WalkVolume(i, part->first, part->second, true) && last.time) return last.time;
    }
  }
  return std::nullopt;
}

}  // namespace pmproof::replay
