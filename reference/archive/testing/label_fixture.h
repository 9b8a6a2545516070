// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_TESTING_LABEL_FIXTURE_H_
#define PMPROOF_REFERENCE_ARCHIVE_TESTING_LABEL_FIXTURE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/archive_label.h"
#include "reference/archive/encode.h"
#include "reference/archive/testing/recording_reporter.h"

namespace pmproof::archive::testing {

class File final : public StoredFile {
 public:
  explicit File(std::vector<std::uint8_t> content) : content_(std::move(content)) {}
  Bytes bytes() const override { return content_; }

 private:
  std::vector<std::uint8_t> content_;
};

// A label of version 2 or 3 as the base archive has it, to be edited as model or as bytes.
class LabelTest : public ::testing::TestWithParam<int> {
 protected:
  int version() const { return GetParam(); }
  const Layout& layout() const { return LayoutOf(version()); }

  void Encode() {
    bytes_.clear();
    AppendLabel(model_, &bytes_);
    encoded_ = true;
  }
  void SetWord(std::size_t at, std::uint32_t value) {
    if (!encoded_) Encode();
    StoreU32(bytes_.data() + at, value);
  }
  void SetText(std::size_t at, std::string_view text) {
    if (!encoded_) Encode();
    std::copy(text.begin(), text.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  void Truncate(std::size_t size) {
    if (!encoded_) Encode();
    bytes_.resize(size);
  }

  Result<ArchiveLabel> Read(const ZoneChecker* zones = nullptr) {
    if (!encoded_) Encode();
    const File file(bytes_);
    const auto source = MakeSource(file, "base.0", Compression::kNone);
    auto label = ReadLabel(*source, 0, "base.0", now_, reporter_, zones);
    position_ = source->position();
    return label;
  }
  std::vector<std::string> RulesOf(const ZoneChecker* zones = nullptr) {
    (void)Read(zones);
    return reporter_.Rules();
  }
  std::vector<std::string> RulesOfHost(const char* host) {
    model_.host = host;
    return RulesOfModel();
  }
  std::vector<std::string> RulesOfTimezone(const char* zone) {
    model_.timezone = zone;
    return RulesOfModel();
  }
  const Recorded& Only() const { return reporter_.violations.at(0); }

  // Of the model as it is now, whatever was read before.
  std::vector<std::string> RulesOfModel() {
    Encode();
    reporter_.violations.clear();
    return RulesOf();
  }

  LabelModel model_ = generators::BaseArchive(GetParam()).label;
  Buffer bytes_;
  bool encoded_ = false;
  Timestamp now_{generators::kBaseTime + 1000, 0};
  RecordingReporter reporter_;
  std::uint64_t position_ = 0;
};

}  // namespace pmproof::archive::testing

#endif  // PMPROOF_REFERENCE_ARCHIVE_TESTING_LABEL_FIXTURE_H_
