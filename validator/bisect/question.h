// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_BISECT_QUESTION_H_
#define PMPROOF_VALIDATOR_BISECT_QUESTION_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/replay/emulation/explain.h"
#include "reference/replay/emulation/record_log.h"
#include "reference/replay/replay.h"
#include "validator/synthesis/write_files.h"

// What `rules bisect` asks: some fetches of one context over an archive.

namespace pmproof::validator {

// An archive, and the metrics of it that are asked for. A resource that does not change.
class QuestionArchive {
 public:
  // A generated one, called `name`, in memory. Errors: those of RecordLog::Load().
  static Result<std::shared_ptr<const QuestionArchive>> Of(std::string name, NamedFiles files,
                                                           const std::vector<Pmid>& metrics,
                                                           std::size_t memory);
  // One that is there. `storage` outlives what comes back. Errors: likewise, and those of opening.
  static Result<std::shared_ptr<const QuestionArchive>> Open(const archive::Storage& storage,
                                                             const std::string& path,
                                                             const std::vector<Pmid>& metrics,
                                                             std::size_t memory);

  const replay::ReplayArchive& archive() const { return *archive_; }
  const replay::emulation::RecordLog& log() const { return *log_; }
  const std::string& name() const { return name_; }  // or its path
  // Null of one that is there.
  const NamedFiles* files() const { return generated_ ? &files_ : nullptr; }
  // By the numbers of the log.
  const std::string& NameOf(std::size_t metric) const { return names_[metric]; }

 private:
  QuestionArchive() = default;
  std::optional<Status> Load(const archive::Storage& storage, const std::vector<Pmid>& metrics,
                             std::size_t memory);

  std::string name_;
  bool generated_ = false;
  NamedFiles files_;
  archive::MemoryStorage storage_;
  std::unique_ptr<replay::ReplayArchive> archive_;
  std::unique_ptr<replay::emulation::RecordLog> log_;
  std::vector<std::string> names_;
};

// One fetch, after pmSetMode where it has a seek; the first one has.
struct ScriptStep {
  std::optional<replay::emulation::ExplainedStep::Seek> seek;
  std::vector<std::size_t> metrics;  // of the log, each once
};

struct Question {
  std::shared_ptr<const QuestionArchive> archive;
  std::vector<ScriptStep> steps;
};

// The time of each fetch.
std::vector<Timestamp> TimesOf(const Question& question);

// One part of an answer: an error of a fetch or of a metric, or a value.
struct AnswerCell {
  static constexpr std::int32_t kWholeFetch = -1;
  static constexpr std::int64_t kWholeMetric = INT64_MIN;

  std::size_t fetch = 0;
  std::int32_t metric = kWholeFetch;  // its place in the fetch
  std::int64_t instance = kWholeMetric;
  friend auto operator<=>(const AnswerCell&, const AnswerCell&) = default;
};

// An answer as texts, ascending; what is not there has no value.
using AnswerCells = std::vector<std::pair<AnswerCell, std::string>>;

void AppendCells(const replay::FetchAnswer& fetch, std::size_t number, AnswerCells* cells);
void AppendCells(const replay::emulation::EmulatedFetch& fetch, std::size_t number,
                 AnswerCells* cells);
// Of fetches that are numbered by their order.
AnswerCells CellsOf(std::span<const replay::FetchAnswer> fetches);

// The cells in which two answers differ.
std::vector<AnswerCell> DifferingCells(const AnswerCells& one, const AnswerCells& other);
// "" if it is not there.
std::string TextAt(const AnswerCells& cells, const AnswerCell& cell);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_BISECT_QUESTION_H_
