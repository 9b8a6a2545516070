// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_DECODE_MODEL_H_
#define PMPROOF_REFERENCE_ARCHIVE_DECODE_MODEL_H_

#include <optional>
#include <string>
#include <utility>

#include "reference/archive/encode.h"
#include "reference/archive/indom_record.h"
#include "reference/archive/model.h"
#include "reference/archive/reporter.h"
#include "reference/archive/source.h"
#include "reference/core/bytes.h"
#include "reference/core/status.h"

// Bytes -> model, one record at a time and without loss (ARC-600): whatever comes out of here is
// encoded to the bytes that it was decoded from.

namespace pmproof::archive {

// Keeps the first and the last violation that are reported, for readers that end where something is
// refused: framing ends with the first, a record with the last.
class ViolationKeeper final : public Reporter {
 public:
  // `file` names the file in errors.
  explicit ViolationKeeper(std::string file) : file_(std::move(file)) {}

  void Clear() { first_ = last_ = std::nullopt; }

  const std::string& file() const { return file_; }

  // kDamaged at the place of the violation.
  const std::optional<Status>& first() const { return first_; }
  const std::optional<Status>& last() const { return last_; }

 protected:
  bool Count(Clause, const Location&, Gravity) override { return true; }
  void Keep(Clause rule, const Location& where, Gravity gravity, Details details) override;

 private:
  std::string file_;
  std::optional<Status> first_;
  std::optional<Status> last_;
};

// Decodes the records of one file of an archive of version 2 or 3. A metadata record that the
// encoder would lay out in another way - shared instance names, gaps in the string table (ARC-342),
// a text without its NUL (ARC-434), a type of the other version (ARC-301) - is kept as its payload.
//
// The error is kDamaged, with the place, the rule that is violated and what is wrong, for a record
// that readers refuse.
class RecordDecoder {
 public:
  // `file` names the file in errors.
  RecordDecoder(int version, std::string file) : version_(version), violations_(std::move(file)) {}

  // `last`: no record follows (ARC-432).
  Result<MetaRecordModel> DecodeMeta(const RecordView& record, bool last);
  Result<ResultModel> DecodeResult(const RecordView& record);

 private:
  std::optional<MetaRecordModel> ModelOf(const RecordView& record, bool last);
  bool Reproduces(const MetaRecordModel& model, const RecordView& record);

  int version_;
  ViolationKeeper violations_;
  Buffer encoded_;
};

// Decodes the label at the beginning of a file and leaves the source after it. Errors: the
// source's; kNotAnArchive and kDamaged as of ReadLabel, and kDamaged for wrong length words
// (ARC-1201, ARC-1202).
Result<LabelModel> DecodeLabel(Source& source, Part part, const std::string& file);

// `entry` has the bytes of one index entry (ARC-451, ARC-452).
IndexEntryModel DecodeIndexEntry(Bytes entry, int version);

// The record with names of its own for each instance. It must not be tangled.
IndomModel ToModel(const IndomRecord& record);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_DECODE_MODEL_H_
