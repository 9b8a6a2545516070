// SPDX-License-Identifier: Apache-2.0
#include "validator/against/instant_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "reference/archive/archive_label.h"
#include "reference/archive/decode_model.h"
#include "reference/archive/memory_budget.h"
#include "reference/archive/record_reader.h"

namespace pmproof::validator::against {

namespace {

// Why readers refuse a record.
Status Refused(const archive::RecordView& view, int version, const std::string& file) {
  archive::ViolationKeeper violations(file);
  archive::DecodeDataRecord(view, version, violations);
  return violations.last().value_or(Status{.kind = Status::Kind::kUnreadable,
                                           .file = file,
                                           .offset = view.offset,
                                           .message = "the record changed while it was read"});
}

}  // namespace

// The records of one archive, one after the other through its volumes.
class InstantReader::Member {
 public:
  Member(const archive::Storage& storage, const SideMember& member,
         const archive::SourceLimits& limits)
      : storage_(storage),
        member_(member),
        limits_(limits),
        next_(member.opened.files.parts.lower_bound(0)) {}

  // Moves on to the next record.
  std::optional<Status> Advance() {
    while (true) {
      if (!reader_) {
        if (next_ == member_.opened.files.parts.end()) {
          view_.reset();
          return std::nullopt;
        }
        if (auto error = OpenVolume()) return error;
      }
      const auto read = reader_->Next();
      if (!read) return read.error();
      view_ = *read;
      if (!view_) {
        if (auto error = EndVolume()) return error;
        continue;
      }
      if (view_->bytes.size() < archive::LayoutOf(version_).mark) {
        return Refused(*view_, version_, name_);
      }
      const Timestamp own =
          archive::LoadTimestamp(view_->bytes.data() + archive::kLengthWord, version_).Normalised();
      if (!key_ || own > *key_) key_ = own;
      return std::nullopt;
    }
  }

  bool at_end() const { return !view_; }
  const archive::RecordView& view() const { return *view_; }
  int version() const { return version_; }
  // The latest time so far.
  Timestamp key() const { return *key_; }
  std::string FileName() const { return name_; }

 private:
  std::optional<Status> OpenVolume() {
    const auto& [part, file] = *next_;
    name_ = member_.opened.files.FileName(part);
    auto stored = storage_.Open(file.path);
    if (!stored) return stored.error();
    stored_ = *std::move(stored);
    source_ = archive::MakeSource(*stored_, name_, file.compression, limits_);
    archive::IgnoringReporter ignore;
    constexpr Timestamp kNever{std::numeric_limits<std::int64_t>::max(), 0};
    const auto label = archive::ReadLabel(*source_, part, name_, kNever, ignore);
    if (!label) return label.error();
    version_ = label->version;
    framing_.emplace(name_);
    reader_.emplace(*source_, part, version_, *framing_);
    ++next_;
    return std::nullopt;
  }

  std::optional<Status> EndVolume() {
    std::optional<Status> error;
    // What is cut at the very end is as if it were not there, for those who are asked to allow it.
    const bool last = next_ == member_.opened.files.parts.end();
    if (reader_->lost() && !(last && reader_->ended_inside_record())) error = framing_->last();
    reader_.reset();
    source_.reset();
    stored_.reset();
    return error;
  }

  const archive::Storage& storage_;
  const SideMember& member_;
  const archive::SourceLimits& limits_;
  std::map<archive::Part, archive::ArchiveFile>::const_iterator next_;
  std::string name_;
  int version_ = 2;
  std::unique_ptr<archive::StoredFile> stored_;
  std::unique_ptr<archive::Source> source_;
  std::optional<archive::ViolationKeeper> framing_;
  std::optional<archive::RecordReader> reader_;
  std::optional<archive::RecordView> view_;
  std::optional<Timestamp> key_;
};

InstantReader::InstantReader(const archive::Storage& storage, const Side& side,
                             const archive::SourceLimits& limits, std::size_t most)
    : storage_(storage),
      side_(side),
      limits_(limits),
      most_(most),
      members_(side.members().size()) {
  limits_.dictionary /= side.abreast();
  limits_.window /= side.abreast();
}

InstantReader::~InstantReader() = default;

// Opens what begins before any record that is not taken yet.
std::optional<Status> InstantReader::Activate() {
  const std::vector<SideMember>& members = side_.members();
  while (unopened_ < members.size()) {
    const Timestamp start = members[unopened_].opened.label->start.Normalised();
    if (!waiting_.empty() && waiting_.begin()->first < start) break;
    const std::size_t i = unopened_++;
    auto member = std::make_unique<Member>(storage_, members[i], limits_);
    if (auto error = member->Advance()) return error;
    if (member->at_end()) continue;
    // A label that lies about the start can have more archives open than were counted on.
    if (waiting_.size() > side_.abreast()) return archive::BeyondBudget(members[i].name);
    waiting_.emplace(member->key(), i);
    members_[i] = std::move(member);
  }
  return std::nullopt;
}

std::optional<Status> InstantReader::Take(Member& member) {
  const archive::RecordView& view = member.view();
  if (view.bytes.size() > most_ - instant_.bytes.size()) {
    return archive::BeyondBudget(member.FileName(), view.offset);
  }
  stored_.back().begin = instant_.bytes.size();
  stored_.back().view = view;
  stored_.back().version = member.version();
  instant_.bytes.insert(instant_.bytes.end(), view.bytes.begin(), view.bytes.end());
  return member.Advance();
}

Result<const Instant*> InstantReader::Next() {
  instant_.records.clear();
  instant_.versions.clear();
  instant_.bytes.clear();
  stored_.clear();
  if (auto error = Activate()) return tl::unexpected(*error);
  if (waiting_.empty()) return nullptr;
  const Timestamp first = waiting_.begin()->first;
  instant_.at = begun_ ? std::max(last_, first) : first;
  begun_ = true;
  last_ = instant_.at;
  while (true) {
    // One that was just opened may have records of this time as well.
    if (auto error = Activate()) return tl::unexpected(*error);
    if (waiting_.empty() || waiting_.begin()->first > instant_.at) break;
    const std::size_t i = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    Member& member = *members_[i];
    do {
      stored_.emplace_back();
      stored_.back().member = i;
      if (auto error = Take(member)) return tl::unexpected(*error);
    } while (!member.at_end() && member.key() <= instant_.at);
    if (member.at_end()) {
      members_[i].reset();
    } else {
      waiting_.emplace(member.key(), i);
    }
  }
  archive::IgnoringReporter ignore;
  for (const Stored& stored : stored_) {
    archive::RecordView view = stored.view;
    view.bytes = Bytes(instant_.bytes.data() + stored.begin, view.bytes.size());
    auto record = archive::DecodeDataRecord(view, stored.version, ignore);
    if (!record) {
      const archive::FileSet& files = side_.members()[stored.member].opened.files;
      return tl::unexpected(Refused(view, stored.version, files.FileName(view.part)));
    }
    record->time = record->time.Normalised();
    instant_.records.push_back(*record);
    instant_.versions.push_back(stored.version);
  }
  return &instant_;
}

}  // namespace pmproof::validator::against
