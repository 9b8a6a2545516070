// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/salvage.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "reference/archive/archive_output.h"
#include "reference/archive/data_record.h"
#include "reference/archive/decode_model.h"
#include "reference/archive/file_set.h"
#include "reference/archive/loss_watch.h"
#include "reference/archive/record_reader.h"
#include "validator/check/rules/metric_table.h"
#include "validator/salvage/answer_spans.h"
#include "validator/salvage/choose_label.h"
#include "validator/salvage/index_hints.h"
#include "validator/salvage/loss_log.h"
#include "validator/salvage/salvage_data.h"
#include "validator/salvage/salvage_metadata.h"
#include "validator/salvage/salvage_writer.h"
#include "validator/salvage/staged_archive.h"

namespace pmproof::validator {
namespace {

using archive::kMetaPart;
using archive::kWholeArchive;
using archive::Part;
using Cause = SalvageFailure::Cause;
using Failure = std::optional<SalvageFailure>;

// Of the budget one part.
constexpr std::size_t kShareOfLosses = 8;
constexpr std::size_t kShareOfAnswers = 8;

Failure Input(Status status) { return SalvageFailure{Cause::kInput, std::move(status)}; }
Failure Output(std::optional<Status> status) {
  if (!status) return std::nullopt;
  return SalvageFailure{Cause::kOutput, *std::move(status)};
}

archive::LabelModel ModelOf(const archive::ArchiveLabel& label) {
  return {.version = label.version,
          .pid = label.pid,
          .start = label.start,
          .volume = 0,
          .features = label.features,
          .reserved = label.reserved,
          .host = label.host,
          .timezone = label.timezone,
          .zoneinfo = label.zoneinfo};
}

class Salvaging {
 public:
  Salvaging(const archive::Storage& storage, archive::OutputStorage& output,
            const Catalogue& catalogue, const SalvageOptions& options)
      : storage_(storage),
        output_(output),
        catalogue_(catalogue),
        options_(options),
        log_(options.check.memory.bytes() / kShareOfLosses) {}

  SalvageOutcome Run(const std::string& in, const std::string& out) {
    report_.in = in;
    report_.out = out;
    Failure failure;
    try {
      failure = Attempt(in);
    } catch (const std::bad_alloc&) {
      failure = Input(archive::BeyondBudget(in));
    }
    if (!failure && !log_.complete()) {
      Status status = archive::BeyondBudget(in);
      status.message = "the list of losses takes more memory than the budget allows";
      failure = Input(std::move(status));
    }
    if (const auto loss = storage_.loss()) failure = Input(*loss);
    if (!failure && writer_ != nullptr) failure = Output(writer_->Publish(options_.replaced));
    if (!failure) Complete();
    return {std::move(failure), std::move(report_)};
  }

 private:
  Failure Attempt(const std::string& in) {
    const archive::FoundArchive found(storage_, in);
    if (found.error()) return Input(*found.error());
    const archive::FileSet& files = found.files();
    if (!files.unreadable.empty()) return Input(files.unreadable.front());
    report_.in = files.Name();
    report_.index_was_missing = !files.parts.contains(archive::kIndexPart);
    LoseFiles(files);

    auto chosen = ChooseLabel(storage_, files, catalogue_, options_.check, log_);
    if (!chosen) return Input(chosen.error());
    if (!chosen->label) return Nothing("no file of the archive has a label that can be read");
    report_.version = chosen->label->version;
    report_.label_from = chosen->file;

    const auto hints = ReadIndexHints(storage_, files, *chosen, options_.check);
    if (!hints) return Input(hints.error());
    auto metadata =
        SalvageMetadata(storage_, files, *chosen, *hints, catalogue_, options_.check, log_);
    if (!metadata) return Input(metadata.error());
    if (*metadata == nullptr) {
      auto survey = SurveyData(storage_, files, *chosen, *hints, options_.check, log_);
      if (survey) return Input(*survey);
      return Nothing(files.parts.contains(kMetaPart)
                         ? "no descriptor of a metric is left in .meta"
                         : "without .meta nobody can say what the values are");
    }
    writer_ =
        std::make_unique<SalvageWriter>(output_, report_.out, ModelOf(*chosen->label),
                                        (*metadata)->metadata(), (*metadata)->records(), log_);
    auto data = SalvageData(storage_, files, *chosen, *hints, (*metadata)->metadata(), catalogue_,
                            options_.check, *writer_, log_);
    if (!data) return data.error();
    if (!writer_->begun()) {
      writer_.reset();
      return Nothing("no data record can be saved");
    }
    if (auto error = writer_->Close()) return Output(std::move(error));
    NoteKept(*data, (*metadata)->metadata());
    if (Failure failure = Verify()) return failure;
    return NoteAnswers(data->ends_early, (*metadata)->metadata());
  }

  // What is not there, or is no file.
  void LoseFiles(const archive::FileSet& files) {
    const auto lose = [&](Part part, Clause clause, const char* message) {
      log_.Add({.kind = Loss::Kind::kFile,
                .clause = clause,
                .file = files.FileName(part),
                .part = kWholeArchive,
                .message = message});
    };
    for (const Part part : files.refused) lose(part, "ARC-1016"_clause, "it is not a regular file");
    if (!files.parts.contains(kMetaPart) && !files.refused.contains(kMetaPart)) {
      lose(kMetaPart, "ARC-1001"_clause, "the metadata file is missing");
    }
    if (files.parts.empty() || files.parts.rbegin()->first < 0) {
      lose(kWholeArchive, "ARC-1002"_clause, "there is no data volume");
    }
  }

  Failure Nothing(std::string why) {
    report_.why_nothing = std::move(why);
    return std::nullopt;
  }

  void NoteKept(const DataKept& data, const archive::Metadata& metadata) {
    SalvageReport::Kept& kept = report_.kept;
    kept.records = writer_->records();
    kept.marks = writer_->marks();
    kept.value_sets = data.value_sets;
    kept.values = data.values;
    kept.metadata = metadata.records;
    kept.volumes = writer_->volumes();
    kept.bytes = writer_->bytes();
    kept.first = writer_->first();
    kept.last = writer_->last();
    report_.marks_written = writer_->marks_written();
  }

  // Checks what was written under the names that it will have.
  Failure Verify() {
    const archive::ArchiveName name = archive::SplitPath(report_.out);
    const StagedArchive staged(storage_, name.directory, writer_->staged());
    const ArchiveReport check = CheckArchive(staged, archive::JoinPath(name.directory, name.base),
                                             catalogue_, options_.check);
    if (check.conformant) return std::nullopt;
    Status status;
    if (check.failure) {
      status = *check.failure;
    } else {
      const auto worst = std::ranges::find_if(check.findings, [](const Finding& finding) {
        return finding.severity >= Severity::kError;
      });
      if (worst != check.findings.end()) {
        status = {.kind = Status::Kind::kDamaged,
                  .file = worst->file,
                  .offset = worst->offset,
                  .clause = worst->rule,
                  .message = worst->message};
      }
    }
    writer_.reset();
    if (status.kind == Status::Kind::kBudget) return Input(std::move(status));
    return SalvageFailure{Cause::kNotConformant, std::move(status)};
  }

  // Reads what was written once more, if anything is lost that answers rest on.
  Failure NoteAnswers(bool ends_early, const archive::Metadata& metadata) {
    if (log_.times().empty()) return std::nullopt;
    const MetricTable table(metadata, /*complete=*/true);
    AnswerSpans spans(metadata, table, log_.times(),
                      options_.check.memory.bytes() / kShareOfAnswers);
    const archive::SourceLimits limits = LimitsOf(options_.check);
    archive::IgnoringReporter ignore;
    for (Part part = 0; std::cmp_less(part, report_.kept.volumes); ++part) {
      const std::string name = report_.out + "." + archive::PartSuffix(part);
      const auto stored = storage_.Open(writer_->staged().at(name));
      if (!stored) return Output(stored.error());
      const auto source = archive::MakeSource(**stored, name, archive::Compression::kNone, limits);
      const std::size_t label = archive::LayoutOf(report_.version).label;
      if (const auto first = source->Window(label); !first) return Output(first.error());
      source->Skip(label);
      archive::RecordReader reader(*source, part, report_.version, ignore);
      while (true) {
        const auto record = reader.Next();
        if (!record) return Output(record.error());
        if (!*record) break;
        const auto decoded = archive::DecodeDataRecord(**record, report_.version, ignore);
        if (decoded) spans.Take(*decoded);
      }
    }
    spans.Finish(ends_early, report_);
    return std::nullopt;
  }

  void Complete() {
    using Outcome = SalvageReport::Outcome;
    report_.lost = log_.lost();
    report_.losses = log_.Take();
    report_.outcome = writer_ == nullptr       ? Outcome::kNothing
                      : report_.losses.empty() ? Outcome::kWhole
                                               : Outcome::kSaved;
  }

  const archive::LossWatch storage_;
  archive::OutputStorage& output_;
  const Catalogue& catalogue_;
  const SalvageOptions& options_;
  LossLog log_;
  std::unique_ptr<SalvageWriter> writer_;
  SalvageReport report_;
};

}  // namespace

SalvageOutcome Salvage(const archive::Storage& storage, const std::string& in,
                       archive::OutputStorage& output, const std::string& out,
                       const Catalogue& catalogue, const SalvageOptions& options) {
  return Salvaging(storage, output, catalogue, options).Run(in, out);
}

}  // namespace pmproof::validator
