// SPDX-License-Identifier: Apache-2.0
#include "validator/check/volumes_in_turn.h"

#include <utility>

#include "reference/archive/copying_source.h"

namespace pmproof::validator {

using archive::Part;

VolumesInTurn::VolumesInTurn(CheckedFiles& files, const archive::FileSet& set, std::uint64_t least)
    : files_(files), set_(set), least_(least) {}

std::optional<Part> VolumesInTurn::Next(Part part) const {
  const auto next = set_.parts.upper_bound(part);
  if (next == set_.parts.end() || next->second.compression != archive::Compression::kNone)
    return std::nullopt;
  const CheckedFiles::OpenFile* known = files_.WithLabel(next->first);
  if (known == nullptr || known->size < least_) return std::nullopt;
  return next->first;
}

const DataWalk::Volume* VolumesInTurn::Open(Part part) {
  now_.reset();
  if (files_.WithLabel(part) == nullptr) return nullptr;
  if (next_ != nullptr && next_->volume.part == part) {
    now_ = std::move(next_);
    return &now_->volume;
  }
  auto opened = std::make_unique<Opened>();
  if (!files_.OpenAgain(part, &opened->file)) return nullptr;
  PassLabel(part, *opened);
  now_ = std::move(opened);
  return &now_->volume;
}

const DataWalk::Volume* VolumesInTurn::OpenNext() {
  const std::optional<Part> part = Next(now_->volume.part);
  if (!part) return nullptr;
  auto opened = std::make_unique<Opened>();
  if (!files_.OpenEarly(*part, &opened->file)) return nullptr;
  PassLabel(*part, *opened);
  next_ = std::move(opened);
  return &next_->volume;
}

void VolumesInTurn::PassLabel(Part part, Opened& opened) const {
  const CheckedFiles::OpenFile& known = *files_.WithLabel(part);
  opened.volume = {.source = nullptr, .part = part, .version = known.label->version};
  if (const std::optional<Part> next = Next(part))
    opened.volume.after = files_.WithLabel(*next)->size;
  if (opened.file.source->mapped()) {
    opened.volume.file = opened.file.stored.get();
    opened.file.source = archive::MakeCopyingSource(*opened.file.stored);
    opened.file.source->Skip(known.label_end);
  } else {
    validator::PassLabel(*opened.file.source, known.label_end);
  }
  opened.volume.source = opened.file.source.get();
}

}  // namespace pmproof::validator
