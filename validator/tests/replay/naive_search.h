// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_REPLAY_NAIVE_SEARCH_H_
#define PMPROOF_VALIDATOR_TESTS_REPLAY_NAIVE_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/archive_image.h"
#include "reference/core/metric.h"
#include "reference/core/timestamp.h"

// The search of section 3 of reference/spec/interpolation.md, said a second time: each question
// goes over all events of the models that an archive was made of. Nothing of reference/replay is in
// here.

namespace pmproof::validator::testing {

// P(t) or N(t) (INT-302, INT-303).
struct NaiveBound {
  enum class Kind : std::uint8_t { kNone, kMark, kRefused, kValue };
  Kind kind = Kind::kNone;
  double at = 0;           // INT-201
  std::size_t record = 0;  // in record order
  std::uint64_t bits = 0;  // of a number
  std::string opaque;      // of any other value
  bool insitu = false;

  bool IsValue() const { return kind == Kind::kValue; }
  friend bool operator==(const NaiveBound&, const NaiveBound&) = default;
};

struct NaiveBounds {
  NaiveBound prior;
  NaiveBound next;

  friend bool operator==(const NaiveBounds&, const NaiveBounds&) = default;
};

// One archive.
class NaiveSearch {
 public:
  // The plan outlives this.
  explicit NaiveSearch(const generators::ArchivePlan& plan);

  // INT-201.
  double Relative(Timestamp time) const;

  // INT-207.
  double End() const { return records_.empty() ? 0 : records_.back().at; }

  double TimeOf(std::size_t record) const { return records_[record].at; }
  std::vector<double> Marks() const;

  // Of each metric the first descriptor.
  const std::map<Pmid, Descriptor>& metrics() const { return metrics_; }

  // INT-401. Of a singular metric: kInstanceNull.
  std::set<std::int32_t> Candidates(Pmid metric) const;

  // INT-403: whether an instance of this metric has no value at `t`, whatever its bounds are.
  bool IsBeyondLife(Pmid metric, std::int32_t instance, double t) const;

  NaiveBounds At(Pmid metric, std::int32_t instance, double t) const;

  // INT-301, in record order: all observations of one metric and instance, and marks.
  const std::vector<NaiveBound>& Events(Pmid metric, std::int32_t instance) const;

 private:
  struct Record {
    const archive::ResultModel* result = nullptr;
    double at = 0;
  };

  std::optional<NaiveBound> EventOf(std::size_t record, const Descriptor& metric,
                                    std::int32_t instance, std::optional<bool>* insitu) const;

  const generators::ArchivePlan& plan_;
  std::vector<Record> records_;  // in record order
  std::map<Pmid, Descriptor> metrics_;
  mutable std::map<std::pair<Pmid, std::int32_t>, std::vector<NaiveBound>> events_;  // once found
};

// INT-206 and INT-706, in the order of the fetches of one context.
class NaiveMemory {
 public:
  NaiveMemory(const NaiveSearch& search, bool exact_end)
      : marks_(search.Marks()), end_(search.End()), exact_end_(exact_end) {}

  bool IsEndOfLog(double t);

  // Whether a counter that has values at `t` is left out; `t` is that of the fetch at hand.
  bool LeavesOut(Pmid counter, double t) const;

  void NoteMetric(Pmid metric, bool has_values) { had_values_[metric] = has_values; }
  void NoteFetch(double t) { previous_ = t; }  // successful, after all of its metrics
  void Forget();                               // pmSetMode

 private:
  std::vector<double> marks_;
  double end_;
  bool exact_end_;
  double known_end_ = 0;
  std::optional<double> previous_;
  std::map<Pmid, bool> had_values_;
};

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_REPLAY_NAIVE_SEARCH_H_
