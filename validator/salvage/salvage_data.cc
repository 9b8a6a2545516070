// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/salvage_data.h"

#include <string>
#include <utility>

#include "reference/archive/data_record.h"
#include "validator/salvage/record_walk.h"
#include "validator/salvage/time_gate.h"
#include "validator/salvage/value_filter.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kShareOfWaiting = 16;  // of the budget one part

// From the records of the walk to those that are written.
class Line {
 public:
  Line(const archive::FileSet& files, const ChosenLabel& chosen, const archive::Metadata& metadata,
       const Catalogue& catalogue, const CheckOptions& options, SalvageWriter& writer, LossLog& log)
      : files_(files),
        writer_(writer),
        log_(log),
        filter_(metadata, chosen.label->version, catalogue, log),
        gate_(chosen.start_is_sound ? std::optional(chosen.label->start) : std::nullopt,
              options.memory.bytes() / kShareOfWaiting,
              {.pass = [this](SalvagedRecord record) { Pass(std::move(record)); },
               .refuse =
                   [this](const SalvagedRecord& record, Clause clause, std::string message) {
                     Refuse(record, clause, std::move(message));
                   }}) {}

  std::optional<Status> Add(const archive::DataRecord& record) {
    const Bytes bytes = record.record.bytes;
    gate_.Add({.bytes = {bytes.begin(), bytes.end()},
               .time = record.time,
               .mark = record.IsMark(),
               .offset = record.record.offset,
               .part = record.record.part});
    return output_error_;
  }
  void Hole() { gate_.Hole(); }
  std::optional<Status> Finish() {
    gate_.Finish();
    if (gate_.ends_in_hole()) writer_.Hole();
    return output_error_;
  }

  // Of the output, if that is why something ended.
  const std::optional<Status>& output_error() const { return output_error_; }
  DataKept kept() const { return {filter_.value_sets(), filter_.values(), ends_early_}; }

 private:
  void Pass(SalvagedRecord record) {
    if (output_error_) return;
    if (record.after_hole) writer_.Hole();
    const std::string file = files_.FileName(record.part);
    if (record.mark) {
      writer_.Mark(std::move(record), file);
      return;
    }
    ends_early_ = !filter_.Filter(record, file);
    if (ends_early_) return;
    if (!writer_.begun()) writer_.SetStart(gate_.start());
    output_error_ = writer_.Data(record);
  }

  void Refuse(const SalvagedRecord& record, Clause clause, std::string message) {
    log_.times().AddOutOfOrder(record.time);
    log_.Add({.kind = record.mark ? Loss::Kind::kMarks : Loss::Kind::kRecords,
              .clause = clause,
              .file = files_.FileName(record.part),
              .part = record.part,
              .offset = record.offset,
              .length = record.bytes.size(),
              .count = 1,
              .from = record.time,
              .until = record.time,
              .message = std::move(message)});
  }

  const archive::FileSet& files_;
  SalvageWriter& writer_;
  LossLog& log_;
  ValueFilter filter_;
  TimeGate gate_;
  std::optional<Status> output_error_;
  bool ends_early_ = false;
};

}  // namespace

tl::expected<DataKept, SalvageFailure> SalvageData(
    const archive::Storage& storage, const archive::FileSet& files, const ChosenLabel& chosen,
    const IndexHints& hints, const archive::Metadata& metadata, const Catalogue& catalogue,
    const CheckOptions& options, SalvageWriter& writer, LossLog& log) {
  Line line(files, chosen, metadata, catalogue, options, writer, log);
  RecordWalk walk(storage, files, chosen, hints, options, log,
                  {.record = [&](const archive::DataRecord& record) { return line.Add(record); },
                   .hole = [&] { line.Hole(); }});
  std::optional<Status> error = walk.Run();
  if (!error) error = line.Finish();
  if (!error) return line.kept();
  const bool output = line.output_error().has_value();
  return tl::unexpected(SalvageFailure{
      output ? SalvageFailure::Cause::kOutput : SalvageFailure::Cause::kInput, *std::move(error)});
}

std::optional<Status> SurveyData(const archive::Storage& storage, const archive::FileSet& files,
                                 const ChosenLabel& chosen, const IndexHints& hints,
                                 const CheckOptions& options, LossLog& log) {
  const auto note = [&](const archive::DataRecord& record) -> std::optional<Status> {
    record.ForEachSet([&](const archive::ValueSet& set) {
      log.AddValues(set.pmid(),
                    {.kind = Loss::Kind::kValues,
                     .clause = "ARC-1801"_clause,
                     .file = {},
                     .part = record.record.part,
                     .offset = record.record.offset,
                     .length = record.record.bytes.size(),
                     .count = 1,
                     .values = set.count(),
                     .from = record.time,
                     .until = record.time},
                    [&](Loss& loss) {
                      loss.file = files.FileName(record.record.part);
                      loss.subject = ToText(set.pmid());
                      loss.message = "a metric with values has no descriptor";
                    });
    });
    return std::nullopt;
  };
  return RecordWalk(storage, files, chosen, hints, options, log, {.record = note, .hole = [] {}})
      .Run();
}

}  // namespace pmproof::validator
