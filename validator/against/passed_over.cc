// SPDX-License-Identifier: Apache-2.0
#include "validator/against/passed_over.h"

#include "reference/archive/file_set.h"
#include "reference/archive/index.h"
#include "reference/archive/layout.h"

namespace pmproof::validator::against {

Result<PassedOver> PassedOver::Load(const archive::Storage& storage, const Side& side,
                                    const archive::SourceLimits& limits, std::size_t most) {
  constexpr std::size_t kCostOfAnEntry = 96;
  PassedOver passed;
  if (side.members().size() != 1) return passed;
  const archive::OpenedMember& member = side.members().front().opened;
  const auto file = member.files.parts.find(archive::kIndexPart);
  if (file == member.files.parts.end() || !member.label) return passed;
  const archive::Layout& layout = archive::LayoutOf(member.label->version);
  const auto stored = storage.Open(file->second.path);
  if (!stored) return tl::unexpected(stored.error());
  const std::string name = member.files.FileName(archive::kIndexPart);
  const auto source = archive::MakeSource(**stored, name, file->second.compression, limits);
  for (std::size_t skip = layout.label;; skip = layout.index_entry) {
    const Result<Bytes> window = source->Window(skip + layout.index_entry);
    if (!window && window.error().kind != Status::Kind::kDamaged) {
      return tl::unexpected(window.error());
    }
    if (!window || window->size() < skip + layout.index_entry) return passed;
    source->Skip(skip);
    const archive::IndexEntry entry =
        archive::IndexView(window->subspan(skip, layout.index_entry), member.label->version)[0];
    passed.entries_.emplace(entry.time, entry.volume,
                            static_cast<std::uint64_t>(entry.data_offset));
    if (passed.entries_.size() * kCostOfAnEntry > most) {
      return tl::unexpected(archive::BeyondBudget(name));
    }
  }
}

}  // namespace pmproof::validator::against
