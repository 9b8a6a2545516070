// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_REPLAY_INDEXED_PLACES_H_
#define PMPROOF_REFERENCE_REPLAY_INDEXED_PLACES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "reference/archive/index.h"
#include "reference/archive/set_member.h"
#include "reference/archive/storage.h"
#include "reference/replay/relative_time.h"

namespace pmproof::replay {

// Where the temporal index of an archive leads to (ARC-450..453), for a reader that goes by it
// (INT-311). A resource: not copied.
class IndexedPlaces {
 public:
  // Of `member`. Null if it has no index, or one that cannot be read where it lies: compressed, or
  // of another version.
  static std::unique_ptr<IndexedPlaces> Open(const archive::Storage& storage,
                                             const archive::OpenedMember& member,
                                             const Origin& origin);
  IndexedPlaces(const IndexedPlaces&) = delete;
  IndexedPlaces& operator=(const IndexedPlaces&) = delete;

  // The offset of the last entry of `volume` that is not later than `at` (INT-201), or of the one
  // before it if that points to `end` or beyond (ARC-1927). Nothing if there is none after the
  // entry that was found last. Takes logarithmic time of the entries between the two. Volumes and
  // times are asked for in ascending order.
  std::optional<std::uint64_t> LastUntil(archive::Part volume, double at, std::uint64_t end);

 private:
  IndexedPlaces(std::unique_ptr<archive::StoredFile> file, archive::IndexView entries,
                const Origin& origin)
      : file_(std::move(file)), entries_(entries), origin_(origin) {}
  bool IsUntil(std::size_t entry, archive::Part volume, double at) const;
  std::optional<std::uint64_t> OffsetIn(archive::Part volume, std::size_t entry) const;

  std::unique_ptr<archive::StoredFile> file_;
  archive::IndexView entries_;
  const Origin& origin_;
  std::size_t next_ = 0;  // the first entry after the one given last
};

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_INDEXED_PLACES_H_
