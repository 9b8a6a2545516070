// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/record_walk.h"

#include <limits>
#include <utility>
#include <variant>

#include "reference/archive/decode_model.h"
#include "reference/archive/layout.h"

namespace pmproof::validator {
namespace {

using archive::kLengthWord;
using archive::LayoutOf;
using archive::Part;
using archive::RecordView;

// Nothing is wrong with the time of the record by itself.
bool TimeIsPossible(const RecordView& record, int version) {
  const std::uint8_t* const time = record.bytes.data() + kLengthWord;
  return archive::LoadTimestamp(time, version).seconds >= 0 &&
         archive::FractionInRange(archive::LoadFraction(time, version), version);
}

}  // namespace

std::optional<Status> RecordWalk::Run() {
  log_.ForgetTime();
  Part next = 0;
  for (const auto& [part, file] : files_.parts) {
    if (part < 0) continue;
    if (part > next) {
      LoseVolumes(next, part, next == 0 ? "ARC-1007"_clause : "ARC-1006"_clause);
    }
    if (auto error = Volume(part, file)) return error;
    if (part == std::numeric_limits<Part>::max()) return std::nullopt;
    next = part + 1;
  }
  if (hints_.last_volume && *hints_.last_volume >= next) {
    LoseVolumes(next, *hints_.last_volume + std::int64_t{1}, "ARC-1903"_clause);
  }
  return std::nullopt;
}

void RecordWalk::LoseVolumes(Part first, std::int64_t end, Clause clause) {
  const auto last = static_cast<Part>(end - 1);
  ways_.hole();
  if (first == last && files_.refused.contains(first)) return;  // it was named before
  std::string message = first == last
                            ? "the volume is missing"
                            : "the volumes up to " + archive::PartSuffix(last) + " are missing";
  if (clause == "ARC-1903"_clause) {
    message += ", which the index names; its last entry is of " + ToIsoText(hints_.last_time);
  }
  log_.Add({.kind = Loss::Kind::kFile,
            .clause = clause,
            .file = files_.base + "." + archive::PartSuffix(first),
            .part = first,
            .message = std::move(message)});
}

std::optional<Status> RecordWalk::Volume(Part part, const archive::ArchiveFile& file) {
  name_ = files_.FileName(part);
  last_.reset();
  bool ends_in_damage = false;
  const auto stored = storage_.Open(file.path);
  if (!stored) return stored.error();
  const archive::SourceLimits limits = LimitsOf(options_);
  const auto source = archive::MakeSource(**stored, name_, file.compression, limits);
  const std::size_t window =
      source->mapped() ? std::numeric_limits<std::size_t>::max() : limits.window;
  ResyncReader reader(
      *source, part, version_, window,
      [this](const RecordView& record, bool followed) { return Accept(record, followed); });
  const ChosenLabel::Member& member = chosen_.members.at(part);
  if (!member.end) {
    reader.BeginDamaged(member.clause, member.message);
  } else if (source->Window(*member.end)) {
    source->Skip(*member.end);
  }
  while (true) {
    Result<std::optional<ResyncReader::Item>> item = reader.Next();
    if (!item) {
      item.error().file = name_;
      return item.error();
    }
    if (!*item) break;
    const auto* record = std::get_if<RecordView>(&**item);
    ends_in_damage = record == nullptr;
    if (record == nullptr) {
      LoseStretch(part, std::get<DamagedStretch>(**item));
    } else if (auto error = Record(*record)) {
      return error;
    }
  }
  if (!ends_in_damage) FollowHint(part, source->position());
  return std::nullopt;
}

// The volume ends after a record. The index may know of one after it.
void RecordWalk::FollowHint(Part part, std::uint64_t end) {
  const auto hint = hints_.furthest.find(part);
  if (hint == hints_.furthest.end()) return;
  const IndexHints::Record& known = hint->second;
  if (known.offset < end || (last_ && known.time <= *last_)) return;
  LoseStretch(part,
              {end, 0, "ARC-1915"_clause,
               "the index has an entry for a record of " + ToIsoText(known.time) + " at offset " +
                   std::to_string(known.offset) + ", after the end of the volume"});
}

// What stands after damage. A mark is too short to prove itself by its content.
bool RecordWalk::Accept(const RecordView& record, bool followed) const {
  if (record.bytes.size() < LayoutOf(version_).mark || record.bytes.size() % 4 != 0 ||
      !TimeIsPossible(record, version_)) {
    return false;
  }
  archive::IgnoringReporter ignore;
  const auto decoded = archive::DecodeDataRecord(record, version_, ignore);
  return decoded && (followed || !decoded->IsMark());
}

std::optional<Status> RecordWalk::Record(const RecordView& record) {
  archive::ViolationKeeper violations(name_);
  const auto decoded = archive::DecodeDataRecord(record, version_, violations);
  if (!decoded) {
    const auto& why = violations.last();
    Lose(record, Loss::Kind::kRecords, why ? why->clause : "ARC-083"_clause,
         why ? why->message : "the record cannot be decoded");
    return std::nullopt;
  }
  const Loss::Kind kind = decoded->IsMark() ? Loss::Kind::kMarks : Loss::Kind::kRecords;
  const std::uint8_t* const time = record.bytes.data() + kLengthWord;
  if (!archive::FractionInRange(archive::LoadFraction(time, version_), version_)) {
    Lose(record, kind, "ARC-1718"_clause, "the fraction of its time is out of range");
    return std::nullopt;
  }
  if (decoded->time.seconds < 0) {
    Lose(record, kind, "ARC-1722"_clause, "its time lies before 1970");
    return std::nullopt;
  }
  log_.NoteTime(decoded->time);
  if (!last_ || *last_ < decoded->time) last_ = decoded->time;
  return ways_.record(*decoded);
}

void RecordWalk::Lose(const RecordView& record, Loss::Kind kind, Clause clause,
                      std::string message) {
  Loss loss{.kind = kind,
            .clause = clause,
            .file = name_,
            .part = record.part,
            .offset = record.offset,
            .length = record.bytes.size(),
            .count = 1,
            .message = std::move(message)};
  if (record.bytes.size() >= LayoutOf(version_).mark && TimeIsPossible(record, version_)) {
    loss.from = loss.until = archive::LoadTimestamp(record.bytes.data() + kLengthWord, version_);
  }
  log_.Add(std::move(loss));
  ways_.hole();
}

void RecordWalk::LoseStretch(Part part, const DamagedStretch& stretch) {
  log_.Add({.kind = Loss::Kind::kBytes,
            .clause = stretch.clause,
            .file = name_,
            .part = part,
            .offset = stretch.offset,
            .length = stretch.length,
            .message = stretch.message});
  ways_.hole();
}

}  // namespace pmproof::validator
