// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_FILES_H_
#define PMPROOF_GENERATORS_MUTATIONS_FILES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/layout.h"
#include "reference/archive/model.h"

// The files of an archive, and bytes put into them or taken away: the index keeps pointing to the
// records that it pointed to.

namespace pmproof::generators {

// The parts of a plan, .index (if it has one) and .meta first; and the suffix of one.
std::vector<archive::Part> Parts(const ArchivePlan& plan);
std::string SuffixOf(archive::Part part);

// .meta and the volumes that have at least one record; a record of one of them, by its offset.
struct FramedPlace {
  archive::Part part = 0;
  std::size_t offset = 0;
  std::size_t length = 0;
};
std::vector<FramedPlace> FramedRecords(const ArchiveImage& image, const ArchivePlan& plan);

// Lets `edit` change each entry of the index; one for which it gives false is left out.
void EditIndex(ArchiveImage& image, const ArchivePlan& plan,
               const std::function<bool(archive::IndexEntryModel&)>& edit);

// Puts bytes into .meta or a volume. What the index says about records at `offset` and after
// follows.
void InsertBytes(ArchiveImage& image, const ArchivePlan& plan, archive::Part part,
                 std::size_t offset, std::string_view bytes);

// Ends .meta or a volume at `size`, which lies in the record at `record`. Entries of the index that
// point after `record` in .meta point to it; those that do so in a volume are left out.
void CutFile(ArchiveImage& image, const ArchivePlan& plan, archive::Part part, std::size_t record,
             std::size_t size);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_FILES_H_
