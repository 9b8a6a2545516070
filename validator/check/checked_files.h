// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_CHECKED_FILES_H_
#define PMPROOF_VALIDATOR_CHECK_CHECKED_FILES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "reference/archive/archive_label.h"
#include "reference/archive/file_set.h"
#include "reference/archive/reporter.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "validator/check/check.h"
#include "validator/check/open_volume.h"
#include "validator/check/report/report.h"
#include "validator/check/shortfall.h"

namespace pmproof::validator {

// The files of one archive while it is checked, and their labels. A resource: not copied. What
// cannot be opened or read goes into the shortfall.
class CheckedFiles {
 public:
  // One file that could be opened. Volumes are open only while they are read: there may be a
  // hundred thousand of them, and each compressed one has a decoder.
  struct OpenFile {
    std::unique_ptr<archive::StoredFile> stored;
    std::unique_ptr<archive::Source> source;
    std::optional<archive::ArchiveLabel> label;
    std::uint64_t label_end = 0;
    std::uint64_t size = 0;  // of what is stored, when it was first opened
  };

  // All outlive this.
  CheckedFiles(const archive::Storage& storage, const archive::FileSet& files,
               const CheckOptions& options, Shortfall& shortfall)
      : storage_(storage),
        files_(files),
        options_(options),
        shortfall_(shortfall),
        limits_(LimitsOf(options)),
        metadata_budget_(options.memory.Metadata()) {}
  CheckedFiles(const CheckedFiles&) = delete;
  CheckedFiles& operator=(const CheckedFiles&) = delete;

  // Opens .meta and .index, and sees that the volumes can be opened. Writes what the report says of
  // files: their number, and digests where these are asked for.
  void Open(ArchiveReport* report);

  // Reads the labels and holds them against each other. Violations go to `reporter`.
  void ReadLabels(archive::Reporter& reporter, ArchiveReport* report);

  // By part, with and without label. Of volumes only the label is there.
  const std::map<archive::Part, OpenFile>& all() const { return open_; }

  // Null if the file is not there or has no label that can be read.
  OpenFile* WithLabel(archive::Part part);
  // That of the volume with the lowest number that has one, else that of any file; null if there is
  // none. Holds as long as this.
  const archive::ArchiveLabel* first_label() const { return first_label_; }
  // The start that it states; nothing where its fraction is out of range.
  std::optional<Timestamp> LabelStart() const;

  // Opens a file from its beginning; false if that is not possible any more.
  bool OpenAgain(archive::Part part, OpenFile* open);
  // Likewise, and says nothing of a failure: it is met again by whoever opens the file in its turn.
  bool OpenEarly(archive::Part part, OpenFile* open) { return !TryToOpen(part, open); }
  // Likewise, after its label; nothing of a file that has none.
  OpenVolume OpenAfterLabel(archive::Part part);

  // What is left of it, in bytes: compressed .meta and .index are held in memory.
  std::size_t metadata_budget() const { return metadata_budget_; }

 private:
  std::optional<Status> TryToOpen(archive::Part part, OpenFile* open) const;
  void OpenInMemory(archive::Part part, OpenFile& open);

  const archive::Storage& storage_;
  const archive::FileSet& files_;
  const CheckOptions& options_;
  Shortfall& shortfall_;
  archive::SourceLimits limits_;
  std::size_t metadata_budget_;
  std::map<archive::Part, OpenFile> open_;
  const archive::ArchiveLabel* first_label_ = nullptr;
};

// Whether the selection has rules about data, or single rules, which may need any file.
bool NeedsData(const RuleSelection& rules);

// To the first record of a volume whose label was read before, and ends at `end`.
void PassLabel(archive::Source& source, std::uint64_t end);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_CHECKED_FILES_H_
