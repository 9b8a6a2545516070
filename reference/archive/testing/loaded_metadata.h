// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_TESTING_LOADED_METADATA_H_
#define PMPROOF_REFERENCE_ARCHIVE_TESTING_LOADED_METADATA_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/archive/metadata.h"
#include "reference/archive/model.h"
#include "reference/archive/source.h"
#include "reference/archive/storage.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive::testing {

// A .meta file in memory, loaded; `reporter` has what that found. The views hold as long as this.
class LoadedMetadata {
 public:
  // `content` is the whole file, its label included.
  LoadedMetadata(Buffer content, int version) : content_(std::move(content)), file_(content_) {
    source_ = MakeSource(file_, "test.meta", Compression::kNone);
    source_->Skip(LayoutOf(version).label);
    result = LoadMetadata(*source_, version, reporter);
  }
  LoadedMetadata(const std::vector<MetaRecordModel>& records, int version)
      : LoadedMetadata(Encoded(records, version), version) {}
  LoadedMetadata(const LoadedMetadata&) = delete;
  LoadedMetadata& operator=(const LoadedMetadata&) = delete;

  const Metadata& metadata() const { return result.value(); }
  std::vector<std::string> Rules() const { return reporter.Rules(); }

  Result<Metadata> result;
  RecordingReporter reporter;

 private:
  class File final : public StoredFile {
   public:
    explicit File(const Buffer& content) : content_(content) {}
    Bytes bytes() const override { return content_; }

   private:
    const Buffer& content_;
  };

  static Buffer Encoded(const std::vector<MetaRecordModel>& records, int version) {
    Buffer content;
    LabelModel label;
    label.version = version;
    label.volume = kMetaPart;
    AppendLabel(label, &content);
    for (const MetaRecordModel& record : records) AppendMetaRecord(record, version, &content);
    return content;
  }

  Buffer content_;
  File file_;
  std::unique_ptr<Source> source_;
};

}  // namespace pmproof::archive::testing

#endif  // PMPROOF_REFERENCE_ARCHIVE_TESTING_LOADED_METADATA_H_
