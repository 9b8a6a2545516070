// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/indexed_places.h"

#include <algorithm>
#include <utility>

namespace pmproof::replay {

std::unique_ptr<IndexedPlaces> IndexedPlaces::Open(const archive::Storage& storage,
                                                   const archive::OpenedMember& member,
                                                   const Origin& origin) {
  const auto file = member.files.parts.find(archive::kIndexPart);
  if (file == member.files.parts.end()) return nullptr;
  if (file->second.compression != archive::Compression::kNone) return nullptr;
  auto stored = storage.Open(file->second.path);
  if (!stored) return nullptr;
  const Bytes content = (*stored)->bytes();
  const int version = member.label->version;
  const std::size_t label = archive::LayoutOf(version).label;
  if (content.size() < label) return nullptr;
  const std::uint32_t magic = LoadU32(content.data() + archive::kLengthWord);
  if (magic != (archive::kLabelMagic | static_cast<std::uint32_t>(version))) return nullptr;
  return std::unique_ptr<IndexedPlaces>(new IndexedPlaces(
      std::move(*stored), archive::IndexView(content.subspan(label), version), origin));
}

bool IndexedPlaces::IsUntil(std::size_t entry, archive::Part volume, double at) const {
  const archive::IndexEntry found = entries_[entry];
  if (found.volume != volume) return found.volume < volume;
  return origin_.Relative(found.time) <= at;
}

std::optional<std::uint64_t> IndexedPlaces::OffsetIn(archive::Part volume,
                                                     std::size_t entry) const {
  const archive::IndexEntry found = entries_[entry];
  if (found.volume != volume || found.data_offset < 0) return std::nullopt;
  return static_cast<std::uint64_t>(found.data_offset);
}

std::optional<std::uint64_t> IndexedPlaces::LastUntil(archive::Part volume, double at,
                                                      std::uint64_t end) {
  std::size_t step = 1;
  std::size_t from = next_;  // all before it are not later
  while (from < entries_.size() &&
         IsUntil(std::min(from + step, entries_.size()) - 1, volume, at)) {
    from = std::min(from + step, entries_.size());
    step *= 2;
  }
  std::size_t until =
      std::min(from + step, entries_.size());  // the first that is known to be later
  while (from < until) {
    const std::size_t middle = from + (until - from) / 2;
    if (IsUntil(middle, volume, at)) {
      from = middle + 1;
    } else {
      until = middle;
    }
  }
  const std::size_t count = from - std::exchange(next_, from);
  if (count == 0) return std::nullopt;
  const std::optional<std::uint64_t> last = OffsetIn(volume, from - 1);
  return last && *last >= end && count > 1 ? OffsetIn(volume, from - 2) : last;
}

}  // namespace pmproof::replay
