// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/loss_log.h"

#include <algorithm>
#include <utility>

namespace pmproof::validator {
namespace {

bool IsStretch(const Loss& loss) {
  return loss.kind == Loss::Kind::kBytes ||
         (loss.kind == Loss::Kind::kFile && loss.part != archive::kWholeArchive);
}

bool IsRecords(const Loss& loss) {
  return loss.kind == Loss::Kind::kRecords || loss.kind == Loss::Kind::kMarks;
}

// Of nodes of the map and words beside the loss itself.
constexpr std::size_t kOverhead = 128;

}  // namespace

void LossLog::Add(Loss loss) {
  Count(loss);
  if (!losses_.empty() && IsRecords(loss)) {
    Loss& last = losses_.back();
    if (last.kind == loss.kind && last.clause == loss.clause && last.part == loss.part &&
        last.offset + last.length == loss.offset) {
      last.length += loss.length;
      Extend(last, loss);
      return;
    }
  }
  if (IsStretch(loss)) {
    loss.from = time_;
    open_.push_back(losses_.size());
  }
  Append(std::move(loss));
}

void LossLog::NoteTime(Timestamp time) {
  time_ = time;
  for (const std::size_t i : open_) {
    if (i < losses_.size()) losses_[i].until = time;
  }
  open_.clear();
}

void LossLog::ForgetTime() {
  time_.reset();
  open_.clear();
}

Loss* LossLog::FindValues(Pmid pmid, const Loss& loss) {
  const auto found = values_.find({loss.part, loss.clause, pmid});
  return found == values_.end() || found->second >= losses_.size() ? nullptr
                                                                   : &losses_[found->second];
}

void LossLog::Insert(Pmid pmid, Loss loss) {
  Count(loss);
  if (!complete_) return;
  values_[{loss.part, loss.clause, pmid}] = losses_.size();
  Append(std::move(loss));
}

void LossLog::Append(Loss loss) {
  const std::size_t size =
      sizeof loss + kOverhead + loss.file.size() + loss.subject.size() + loss.message.size();
  // A vector that grows holds its entries twice, and half of it is empty then.
  complete_ = complete_ && 3 * (used_ + size) <= budget_;
  if (!complete_) return;
  used_ += size;
  losses_.push_back(std::move(loss));
}

void LossLog::Count(const Loss& loss) {
  switch (loss.kind) {
    case Loss::Kind::kBytes:
      lost_.bytes += loss.length;
      break;
    case Loss::Kind::kRecords:
      lost_.records += loss.count;
      break;
    case Loss::Kind::kMarks:
      lost_.marks += loss.count;
      break;
    case Loss::Kind::kValues:
      lost_.value_sets += loss.count;
      lost_.values += loss.values;
      break;
    case Loss::Kind::kMetadata:
      ++lost_.metadata;
      break;
    case Loss::Kind::kLabel:
    case Loss::Kind::kFile:
      break;
  }
}

void LossLog::Extend(Loss& known, const Loss& more) {
  known.count += more.count;
  known.values += more.values;
  if (more.from && (!known.from || *more.from < *known.from)) known.from = more.from;
  if (more.until && (!known.until || *more.until > *known.until)) known.until = more.until;
}

}  // namespace pmproof::validator
