// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/index_hints.h"

#include "reference/archive/index.h"
#include "reference/archive/layout.h"

namespace pmproof::validator {
namespace {

using archive::IndexEntry;
using archive::IndexView;

// Whether the entry can come after the one before.
bool InOrder(const std::optional<IndexEntry>& before, const IndexEntry& entry, int version) {
  const auto label = static_cast<std::int64_t>(archive::LayoutOf(version).label);
  if (entry.volume < 0 || entry.time.seconds < 0 ||
      !archive::FractionInRange(entry.fraction, version) || entry.meta_offset < label ||
      entry.data_offset < label) {
    return false;
  }
  if (!before) return true;
  return before->time <= entry.time && before->volume <= entry.volume &&
         before->meta_offset <= entry.meta_offset &&
         (before->volume < entry.volume || before->data_offset <= entry.data_offset);
}

}  // namespace

Result<IndexHints> ReadIndexHints(const archive::Storage& storage, const archive::FileSet& files,
                                  const ChosenLabel& chosen, const CheckOptions& options) {
  IndexHints hints;
  const auto file = files.parts.find(archive::kIndexPart);
  if (file == files.parts.end() || !chosen.members.at(archive::kIndexPart).end) return hints;
  const int version = chosen.label->version;
  const std::size_t size = archive::LayoutOf(version).index_entry;
  const std::string name = files.FileName(archive::kIndexPart);
  const auto stored = storage.Open(file->second.path);
  if (!stored) return tl::unexpected(stored.error());
  const auto source =
      archive::MakeSource(**stored, name, file->second.compression, LimitsOf(options));
  if (!source->Window(archive::LayoutOf(version).label)) return hints;
  source->Skip(static_cast<std::size_t>(*chosen.members.at(archive::kIndexPart).end));
  std::optional<IndexEntry> before;
  while (true) {
    const Result<Bytes> window = source->Window(size);
    if (!window && window.error().kind != Status::Kind::kDamaged) {
      return tl::unexpected(window.error());
    }
    if (!window) return IndexHints();
    if (window->size() < size) return hints;
    const IndexEntry entry = IndexView(window->first(size), version)[0];
    if (!InOrder(before, entry, version)) return IndexHints();
    source->Skip(size);
    before = entry;
    if (files.parts.contains(entry.volume)) {
      hints.furthest[entry.volume] = {entry.time, static_cast<std::uint64_t>(entry.data_offset)};
    }
    hints.last_volume = entry.volume;
    hints.last_time = entry.time;
    hints.meta_end = static_cast<std::uint64_t>(entry.meta_offset);
  }
}

}  // namespace pmproof::validator
