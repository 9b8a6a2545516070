// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_INDEX_ENTRIES_H_
#define PMPROOF_GENERATORS_MUTATIONS_INDEX_ENTRIES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "generators/random.h"
#include "reference/archive/layout.h"
#include "reference/archive/model.h"

// The temporal index of an encoded archive, to be edited (ARC-450..455).

namespace pmproof::generators {

class IndexEntries {
 public:
  // `plan` is what the image was encoded from, and has an index; both outlive this.
  IndexEntries(ArchiveImage& image, const ArchivePlan& plan);

  std::vector<archive::IndexEntryModel> entries;

  // Writes the entries into the image.
  void Store() const;

  // A record that an entry can stand for so that nobody can be mistaken which one is meant: it is
  // no mark, later than all records before it and earlier than all after it.
  struct Place {
    archive::Part volume = 0;
    std::size_t record = 0;
    Timestamp time;         // as stored
    std::size_t entry = 0;  // the ordinal of its entry, or of the one that would be added for it
    bool exists = false;    // the entry is there, and nothing is odd about it
    bool spare = false;     // without it entries are still close enough together (ARC-625)
  };
  using Wanted = std::function<bool(const Place&)>;

  // A place that `wanted` takes, with its entry: of those that have one, or, where there is none,
  // of those that get one. Nothing if there is no such place.
  std::optional<Place> Pick(Random& random, const Wanted& wanted);

  // Adds an entry for a record that has none. False if there is no such record.
  bool Add(Random& random);

  // The neighbours of a place in the index, null at its ends.
  const archive::IndexEntryModel* Before(const Place& place) const;
  const archive::IndexEntryModel* Behind(const Place& place) const;

  // Where the records of a volume, or of .meta, begin, and at last where the file ends.
  const std::vector<std::size_t>& OffsetsOf(archive::Part part) const { return offsets_.at(part); }
  std::size_t OffsetOf(const Place& place) const {
    return offsets_.at(place.volume).at(place.record);
  }
  // The time of a record of a volume as stored.
  Timestamp TimeOf(archive::Part volume, std::size_t record) const;

  // The last record that is not a mark.
  std::pair<archive::Part, std::size_t> LastRecord() const;

  // True if no place of a volume is far from an entry once these are removed (ARC-1925).
  bool IsSpare(const std::function<bool(std::size_t entry)>& removed) const;

 private:
  bool IsPlain(const Place& place) const;
  bool IsSpare(std::size_t entry) const;
  std::uint64_t MetaOffsetAt(const Place& place) const;
  void FindPlaces();
  void Insert(Place& place);

  ArchiveImage& image_;
  const ArchivePlan& plan_;
  const archive::Layout layout_;
  std::map<archive::Part, std::vector<std::size_t>> offsets_;
  std::vector<Place> places_;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_INDEX_ENTRIES_H_
