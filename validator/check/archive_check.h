// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_ARCHIVE_CHECK_H_
#define PMPROOF_VALIDATOR_CHECK_ARCHIVE_CHECK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/file_set.h"
#include "reference/archive/index.h"
#include "reference/archive/loss_watch.h"
#include "reference/archive/metadata.h"
#include "reference/archive/storage.h"
#include "validator/check/check.h"
#include "validator/check/checked_files.h"
#include "validator/check/data_walk.h"
#include "validator/check/finding_collector.h"
#include "validator/check/report/report.h"
#include "validator/check/rules/help_text_rules.h"
#include "validator/check/rules/instance_domain_rules.h"
#include "validator/check/shortfall.h"
#include "validator/check/work_pool.h"
#include "validator/text/progress.h"

namespace pmproof::validator {

// CheckInstanceDomains() and CheckHelpTexts(), which need nothing but metadata, for a thread that
// has time while the volumes are read. What it refers to outlives it.
class MetadataCheck final : public WorkPool::Job {
 public:
  MetadataCheck(const archive::Metadata& metadata, int version, const FindingCollector& collector)
      : metadata_(metadata),
        version_(version),
        domains_(collector.Fresh()),
        help_texts_(collector.Fresh()) {}

  void Run() override {
    CheckInstanceDomains(metadata_, version_, domains_);
    CheckHelpTexts(metadata_, help_texts_);
  }

  // After Run().
  FindingCollector& domains() { return domains_; }
  FindingCollector& help_texts() { return help_texts_; }

 private:
  const archive::Metadata& metadata_;
  int version_;
  FindingCollector domains_;
  FindingCollector help_texts_;
};

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
  void ReadMetadata();
  void ReadIndex();
  void ReadData();
  void CheckMetadata();
  // The volumes that exist, also those that cannot be read.
  std::vector<archive::Part> VolumesForIndex() const;
  void CheckSize(archive::Part part, int version, std::uint64_t size);
  void CheckEmptiness(archive::Part part, std::uint64_t records, const ReadExtent& extent);
  void TakeShortfall();
  void Finish();
  void FindWhatSurvives();
  void FindWhatIsDisclosed();
  void DrawIt();
  void GiveUp(const Status& loss);

  std::string NameOf(archive::Part part) const;

  const archive::LossWatch storage_;
  const Catalogue& catalogue_;
  const CheckOptions& options_;
  ProgressSink* progress_;
  FindingCollector collector_;
  const archive::FoundArchive& found_;
  const archive::FileSet& files_;
  Shortfall shortfall_;
  CheckedFiles opened_;
  archive::Metadata metadata_;
  ReadExtent meta_extent_;
  bool has_metadata_ = false;
  std::optional<archive::IndexView> index_;
  std::optional<IndexRules> index_rules_;
  Usage usage_;
  std::uint64_t refused_records_ = 0;
  ArchiveReport report_;
  std::optional<MetadataCheck> ahead_;
  WorkPool pool_;  // its threads end before all else here
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_ARCHIVE_CHECK_H_
