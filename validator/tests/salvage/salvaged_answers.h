// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_SALVAGE_SALVAGED_ANSWERS_H_
#define PMPROOF_VALIDATOR_TESTS_SALVAGE_SALVAGED_ANSWERS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/damage.h"
#include "reference/archive/storage.h"
#include "reference/core/identifiers.h"
#include "reference/core/timestamp.h"
#include "reference/replay/replay_archive.h"
#include "validator/tests/salvage/salvaged.h"

namespace pmproof::validator::testing {

// A metric and an instance of it.
using Place = std::pair<Pmid, std::int32_t>;
// Values with the names of their instances, bit by bit.
using AnswersAt = std::map<Place, std::string>;

// How a client fetches: with a rule of interpolation, at times of its own or step by step.
struct Way {
  std::size_t profile = 0;  // in NamedProfiles()
  enum class Steps : std::uint8_t { kSeeks, kForward, kBackward } steps = Steps::kSeeks;
};

// What an archive observes, and what replay answers about it.
class AnsweringArchive {
 public:
  // Of the files "base.meta", ... Requires that the archive can be opened.
  explicit AnsweringArchive(const generators::FilesByName& files);

  struct Observations {
    std::map<Place, std::map<Timestamp, std::string>> values;
    std::set<Timestamp> marks;
    std::set<Timestamp> times;  // of all records
  };
  const Observations& observations() const { return observations_; }
  const replay::ReplayArchive& archive() const { return *archive_; }

  // An answer for each of the times, all metrics of `metrics` being asked for that it has.
  std::vector<AnswersAt> Answers(const Way& way, const std::vector<Pmid>& metrics,
                                 const std::vector<Timestamp>& times) const;

 private:
  archive::MemoryStorage storage_;
  std::unique_ptr<replay::ReplayArchive> archive_;
  Observations observations_;
};

// An archive before it was damaged, with its answers: at the time of each record, shortly before
// and after it, and in the middle between two, in every way.
class OriginalAnswers {
 public:
  explicit OriginalAnswers(const generators::FilesByName& files);

  struct Tally {
    std::uint64_t same = 0;
    std::uint64_t declared = 0;    // other, and the report says so
    std::uint64_t unknowable = 0;  // other, since the damage changed what is stored
  };

  // Holds the answers over what was salvaged against these. Each that is other lies in a span of
  // the report. With `detected`, each loss of data shows; else what the damage changed without a
  // trace, values or times or metadata, is no fault, and the answers next to it are not compared.
  // Returns the first that is wrong, or "".
  std::string Wrong(const Salvaged& salvaged, bool detected, Tally* tally) const;

 private:
  struct Asked {
    Way way;
    std::vector<Timestamp> times;
    std::vector<AnswersAt> answers;
  };

  AnsweringArchive original_;
  std::vector<Pmid> metrics_;
  std::vector<Asked> asked_;
};

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_SALVAGE_SALVAGED_ANSWERS_H_
