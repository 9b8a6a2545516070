// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_FINDING_COLLECTOR_H_
#define PMPROOF_VALIDATOR_CHECK_FINDING_COLLECTOR_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reference/archive/reporter.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/report/report.h"
#include "validator/check/rule_selection.h"

namespace pmproof::validator {

// Takes violations and keeps what the report shows of them: of each rule and severity the first
// `max_findings` by place (part, offset; then arrival) and one more that stands for all that
// follow. Which are kept does not depend on the order of arrival, so that chunks collected apart
// and merged give what one pass gives. Memory is bounded by rules x max_findings; a violation that
// is not kept costs a few nanoseconds. Of the rules `by_metric` it also counts how many are about
// which metric, of each rule and severity for as many as kMostMetrics. Not thread-safe: one for
// each thread.
class FindingCollector final : public archive::Reporter {
 public:
  static constexpr std::size_t kMostMetrics = 16384;  // those with the lowest identifiers

  // `catalogue` must outlive the collector.
  FindingCollector(const Catalogue& catalogue, Profile profile, const RuleSelection& selection,
                   std::uint64_t max_findings, std::vector<Clause> by_metric = {});

  FindingCollector(FindingCollector&&) noexcept;
  FindingCollector& operator=(FindingCollector&&) noexcept;
  ~FindingCollector() override;

  // An empty collector with the same settings, for another chunk or thread.
  FindingCollector Fresh() const;

  // Adds what another collector of the same settings took. `records_before` is added to the record
  // of its violations in data volumes and .meta: a chunk counts its records from 0. Among
  // violations at one place those of this collector come first, so merge chunks in their order.
  void Merge(FindingCollector&& other, std::uint64_t records_before = 0);

  Counts counts() const;  // of all violations so far
  bool Has(Clause rule) const;

  bool CountOnly(Clause rule, std::uint64_t count, const archive::Location& first,
                 const archive::Location& last) override;

  // Writes the findings, the counts, the two verdicts, and to not_checked the rules that were left
  // out by selection and profile. `file_name` names the file of a part (FileSet::FileName),
  // `metric_names` a metric: no names are taken for its identifier. Empties the collector. A
  // violation of a rule that is not in the catalogue is kept as a note and named in
  // report.internal_errors.
  void Finish(const std::function<std::string(archive::Part)>& file_name,
              const std::function<std::vector<std::string>(Pmid)>& metric_names,
              ArchiveReport& report);

 protected:
  bool Count(Clause rule, const archive::Location& where, archive::Gravity gravity) override;
  void Keep(Clause rule, const archive::Location& where, archive::Gravity gravity,
            archive::Details details) override;

 private:
  struct Kept;
  struct Tallied;
  struct Bin;
  struct Settings;

  explicit FindingCollector(std::shared_ptr<const Settings> settings);

  Bin* BinOf(Clause rule, archive::Gravity gravity);
  Bin& BinAt(std::size_t slot);
  bool MayKeep(const Bin& bin, const archive::Location& where) const;
  void Tally(Bin& bin, Clause rule, std::uint64_t count, const archive::Location& last);
  void Insert(Bin& bin, Kept kept);

  std::shared_ptr<const Settings> settings_;
  // Of the rules that were broken. Where they are in it: four for each rule, by severity, of which
  // the first one is unused; 0 stands for none, else the place is one less. There are many
  // collectors, and few rules are broken.
  std::vector<Bin> bins_;
  std::vector<std::uint16_t> places_;  // empty before the first violation
  std::vector<Bin> unknown_;           // one for each rule that is not in the catalogue
  std::uint64_t arrivals_ = 0;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_FINDING_COLLECTOR_H_
