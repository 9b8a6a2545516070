// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_ARCHIVE_IMAGE_H_
#define PMPROOF_GENERATORS_ARCHIVE_IMAGE_H_

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/archive/model.h"
#include "reference/archive/storage.h"

// Archives in memory: a plan made of models, and the image (bytes of the files) it is encoded to,
// with helpers that damage single bytes.

namespace pmproof::generators {

// Where an index entry of a plan points: the ordinal of a record of .meta and of a volume, counted
// from 0 without the label. The number of records there means the end of the file.
struct PlannedIndexEntry {
  Timestamp time;
  std::int32_t volume = 0;
  std::size_t meta_record = 0;
  std::size_t data_record = 0;
};

// An archive as models. Tests edit it and encode it: offsets in the index follow the records.
struct ArchivePlan {
  archive::LabelModel label;  // of all files; the volume field is set for each
  std::map<archive::Part, archive::LabelModel> labels;  // files with one of their own, as it stands
  std::vector<archive::MetaRecordModel> meta;
  std::map<std::int32_t, std::vector<archive::ResultModel>> volumes;
  std::vector<PlannedIndexEntry> index;
  bool has_index = true;
};

// The files of one archive by suffix: "meta", "index", "0", "1", ...
class ArchiveImage {
 public:
  std::map<std::string, std::vector<std::uint8_t>> files;

  std::uint32_t Word(const std::string& file, std::size_t offset) const;
  void SetWord(const std::string& file, std::size_t offset, std::uint32_t value);
  void SetByte(const std::string& file, std::size_t offset, std::uint8_t value);
  void Truncate(const std::string& file, std::size_t size);
  void Append(const std::string& file, std::string_view bytes);
  // Inserts bytes; length words and index offsets stay as they are.
  void Insert(const std::string& file, std::size_t offset, std::string_view bytes);
  // Adds `delta` to both length words of the record at `offset` (its trailing word is looked for
  // where the leading one, with `delta` added, says).
  void GrowRecord(const std::string& file, std::size_t offset, std::int32_t delta);

  // Offsets of the framed records of a file, the label first. Ends where framing does.
  std::vector<std::size_t> Records(const std::string& file) const;

  // Puts the files into a storage as "DIRECTORY/BASE.SUFFIX".
  void Store(const std::string& path, archive::MemoryStorage* storage) const;
};

ArchiveImage Encode(const ArchivePlan& plan);

// The words as big-endian bytes: payloads for value blocks.
std::string BigEndian(std::initializer_list<std::uint32_t> words);

// The base archive of ARC-1000 in version 2 or 3: accepted by all PCP versions without a message.
ArchivePlan BaseArchive(int version);

// T of ARC-1000.
inline constexpr std::int64_t kBaseTime = 1700000000;

// The worked example of ARC-680 (version 2) and ARC-681 (version 3), byte for byte.
ArchivePlan WorkedExample(int version);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_ARCHIVE_IMAGE_H_
