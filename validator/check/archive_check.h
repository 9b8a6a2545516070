// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_ARCHIVE_CHECK_H_
#define PMPROOF_VALIDATOR_CHECK_ARCHIVE_CHECK_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/archive_label.h"
#include "reference/archive/file_set.h"
#include "reference/archive/index.h"
#include "reference/archive/loss_watch.h"
#include "reference/archive/metadata.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "validator/check/check.h"
#include "validator/check/data_walk.h"
#include "validator/check/finding_collector.h"
#include "validator/check/open_volume.h"
#include "validator/check/report/report.h"
#include "validator/text/progress.h"

namespace pmproof::validator {

// The check of one archive, step by step: files, labels, metadata, index and data, what only all of
// them together show, verdict. A step that cannot be taken is noted as not checked, and the others
// are taken all the same. Used once.
class ArchiveCheck {
 public:
  // `found` outlives this.
  ArchiveCheck(const archive::Storage& storage, const archive::FoundArchive& found,
               const Catalogue& catalogue, const CheckOptions& options, ProgressSink* progress);

  // `name`: of the archive, if it is not found.
  ArchiveReport Run(const std::string& name);

 private:
  // One file of the archive that could be opened. Volumes are open only while they are read: there
  // may be a hundred thousand of them, and each compressed one has a decoder.
  struct OpenFile {
    std::unique_ptr<archive::StoredFile> stored;
    std::unique_ptr<archive::Source> source;
    std::optional<archive::ArchiveLabel> label;
    std::uint64_t label_end = 0;
  };

  void OpenFiles();
  void OpenInMemory(archive::Part part, OpenFile& open);
  // Opens a volume; false, and said why, if that is not possible any more.
  bool OpenVolumeFile(archive::Part part, OpenFile* open);
  // The same after its label, to look through it once more; nothing if it has none.
  OpenVolume OpenAgain(archive::Part part);
  void ReadLabels();
  void ReadMetadata();
  void ReadIndex();
  void ReadData();
  void CheckMetadata();
  // The volumes that exist, also those that cannot be read.
  std::vector<archive::Part> VolumesForIndex() const;
  void CheckSize(archive::Part part, int version, std::uint64_t size);
  void CheckEmptiness(archive::Part part, std::uint64_t records, const ReadExtent& extent);
  void NoteEnd(archive::Part part, std::uint64_t offset, const std::optional<Status>& error,
               const std::optional<std::uint64_t>& lost);
  void Fail(const Status& status);
  void NotChecked(std::string what, std::string because);
  void Finish();
  void FindWhatSurvives();
  void FindWhatIsDisclosed();
  void DrawIt();
  void GiveUp(const Status& loss);

  // Nothing if the file is not there or has no label that can be read.
  OpenFile* WithLabel(archive::Part part);
  std::string NameOf(archive::Part part) const;
  std::optional<Timestamp> LabelStart() const;

  const archive::LossWatch storage_;
  const Catalogue& catalogue_;
  const CheckOptions& options_;
  archive::SourceLimits limits_;
  std::size_t metadata_budget_;  // of what is left of it
  ProgressSink* progress_;
  FindingCollector collector_;
  const archive::FoundArchive& found_;
  const archive::FileSet& files_;
  std::map<archive::Part, OpenFile> open_;
  std::optional<Status> label_failure_;
  const archive::ArchiveLabel* first_label_ =
      nullptr;  // of the lowest-numbered volume that has one
  archive::Metadata metadata_;
  ReadExtent meta_extent_;
  bool has_metadata_ = false;
  std::optional<archive::IndexView> index_;
  std::optional<IndexRules> index_rules_;
  Usage usage_;
  std::uint64_t refused_records_ = 0;
  ArchiveReport report_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_ARCHIVE_CHECK_H_
