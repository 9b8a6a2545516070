// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_DRAFT_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_DRAFT_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/core/bytes.h"
#include "reference/core/status.h"
#include "validator/synthesis/write_files.h"

// An archive cut into the pieces that pmproof shrink leaves out or edits, and how it is put
// together again. Nothing here knows what makes an archive good: it may be damaged in any way.

namespace pmproof::validator {

// A stretch of one file: its label, a framed record, an index entry, or bytes that are none of
// these.
struct Chunk {
  enum class Kind : std::uint8_t { kLabel, kRecord, kEntry, kBytes };
  Kind kind = Kind::kBytes;
  Bytes bytes;  // as they are now
  // Where it lay in the content of its file, uncompressed, before anything was left out.
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// How the content of a file is stored. A compressed file that does not decompress is kept as it is
// stored.
enum class Form : std::uint8_t { kPlain, kCompressed, kStored };

struct DraftFile {
  std::size_t member = 0;  // of the archives that are shrunk together the one that it belongs to
  // The name is BASE.suffix; of a compressed file in the form kPlain without the suffix of its
  // compression.
  std::string suffix;
  archive::Part part = archive::kWholeArchive;    // kWholeArchive: no part of an archive
  archive::Part number = archive::kWholeArchive;  // that of the part, or another volume's by now
  archive::Compression compression = archive::Compression::kNone;
  Form form = Form::kStored;
  int version = 0;         // of the label; 0 if it cannot be read
  bool present = true;     // false: left out
  bool directory = false;  // something that cannot be opened: a directory stands for it (ARC-1016)
  bool addressed = false;  // what the index means by `part`, where there are several forms
  std::uint64_t size = 0;  // of the content, before anything was left out
  std::vector<const Chunk*> chunks;   // of the content; none if it cannot be decompressed
  std::vector<const Chunk*> storage;  // of what is stored, where that is something else

  const std::vector<const Chunk*>& Current() const {
    return form == Form::kStored && !storage.empty() ? storage : chunks;
  }
  std::vector<const Chunk*>& Current() {
    return form == Form::kStored && !storage.empty() ? storage : chunks;
  }
};

// A value: what is left of the archive. Chunks belong to the ShrinkInput that it came from.
struct Draft {
  std::vector<DraftFile> files;

  std::uint64_t bytes() const;    // of all content, as far as it could be decompressed
  std::uint64_t records() const;  // framed ones, labels not counted

  // The names of the archives: "base", "base-2", ... in their order; empty for one without files.
  std::vector<std::string> MemberNames(const std::string& base) const;

  // Leaves out a volume; those after it get the next lower numbers.
  void CloseUp(std::size_t volume);
};

// The files of the draft, called as MemberNames() says. Offsets in the index follow the records: an
// entry whose record was left out goes, and one that pointed into a record or beyond the end keeps
// its distance to what it pointed into. Errors: those of the compression.
Result<NamedFiles> Render(const Draft& draft, const std::string& base);

// The archive as it was read. A resource: it owns the bytes that chunks show.
class ShrinkInput {
 public:
  // Reads all files that belong to the archives of these names, whatever their state, at most
  // `limit` bytes uncompressed. Errors: those of FindArchive; kBudget.
  static Result<std::unique_ptr<ShrinkInput>> Read(const archive::Storage& storage,
                                                   const std::vector<std::string>& names,
                                                   std::uint64_t limit);

  // Everything, each file in the form kStored.
  const Draft& draft() const { return draft_; }

  // A chunk with other bytes in the place of `chunk`. It lives as long as this, or until Forget().
  const Chunk* Edit(const Chunk& chunk, archive::Buffer bytes);
  // Drops the chunk that was made last.
  void Forget();

 private:
  std::optional<Status> AddArchive(const archive::Storage& storage, const std::string& name,
                                   std::size_t member);
  std::optional<Status> Add(const archive::Storage& storage, const std::string& path,
                            DraftFile file);
  std::vector<const Chunk*> Cut(Bytes content, const DraftFile& file);
  const Chunk* New(Chunk::Kind kind, Bytes content, std::uint64_t begin, std::uint64_t end);

  std::uint64_t left_ = 0;
  std::vector<std::unique_ptr<archive::StoredFile>> stored_;
  std::deque<archive::Buffer> contents_;
  std::deque<archive::Buffer> edits_;
  std::deque<Chunk> chunks_;
  Draft draft_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_DRAFT_H_
