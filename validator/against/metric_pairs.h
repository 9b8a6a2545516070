// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_METRIC_PAIRS_H_
#define PMPROOF_VALIDATOR_AGAINST_METRIC_PAIRS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/core/timestamp.h"
#include "validator/against/difference_log.h"
#include "validator/against/in_force.h"
#include "validator/against/side.h"

namespace pmproof::validator::against {

// A metric on both sides: described on at least one of them, or only with values there.
struct MetricPair {
  Pmid pmid;  // in the original
  const SideMetric* original = nullptr;
  const SideMetric* replacement = nullptr;
  std::vector<InForce*> subjects;  // whose state whoever reads a value wants to know
  std::uint64_t values = 0;        // of the original, answers without values too
  std::uint64_t values_instead = 0;
  std::optional<Timestamp> first;  // of the values of whichever side has the metric
  std::optional<Timestamp> last;

  bool lost() const { return original != nullptr && replacement == nullptr; }
  bool added() const { return original == nullptr && replacement != nullptr; }
  // Values are compared as numbers then, and no longer bit by bit.
  bool retyped() const {
    return original != nullptr && replacement != nullptr &&
           original->descriptor.type != replacement->descriptor.type;
  }
  MetricType type() const {
    const SideMetric* described = original != nullptr ? original : replacement;
    return described == nullptr ? MetricType::kUnknown : described->descriptor.type;
  }
  // Its first name, or its number.
  std::string Name() const;
};

// Identifiers that metrics belong to: instance domains, clusters, domains, and their own. What came
// or went together with all metrics that belong to it is no difference by itself.
class Belongings {
 public:
  // `identifier`: of a metric as one side describes it. `alone`: the other side has no such metric.
  void Note(std::uint32_t identifier, bool is_original, bool alone);
  // False if all that belongs to it is on one side alone.
  bool Remain(std::uint32_t identifier) const;

 private:
  struct Use {
    bool original = false;
    bool replacement = false;
    bool by_both = false;  // by a metric that both have
  };
  std::map<std::uint32_t, Use> uses_;
};

// The metrics of both sides. A metric is the same that has the same number (PMID). One whose number
// is not there any more, while another number that the original does not know has one of its names,
// was renumbered: it is the same, and its number changed.
class MetricPairs {
 public:
  // The maps outlive this.
  MetricPairs(const std::map<Pmid, SideMetric>& original,
              const std::map<Pmid, SideMetric>& replacement);

  // The number in the original of what the other side numbers so.
  Pmid InOriginal(Pmid replacement) const {
    if (renumbered_.empty()) return replacement;
    const auto found = renumbered_.find(replacement);
    return found == renumbered_.end() ? replacement : found->second;
  }

  // The same of instance domains: renumbered is one that is new, and the domain of a metric whose
  // domain is not there any more.
  Indom InOriginal(Indom replacement) const {
    const auto found = renumbered_indoms_.find(replacement);
    return found == renumbered_indoms_.end() ? replacement : found->second;
  }

  // By the number in the original. A metric without a descriptor is entered where it is asked for
  // the first time; null where these are too many.
  MetricPair* Find(Pmid pmid);

  std::map<Pmid, MetricPair>& all() { return pairs_; }
  const std::map<Pmid, MetricPair>& all() const { return pairs_; }

  // True if bytes that are the same mean the same.
  bool SameBytesMeanTheSame() const { return renumbered_.empty() && !retyped_; }

  const Belongings& metrics() const { return metrics_; }
  const Belongings& indoms() const { return indoms_; }
  const Belongings& domains() const { return domains_; }
  const Belongings& clusters() const { return clusters_; }  // as pmids with item 0

  // Logs metrics that are lost, added or described otherwise, and their names. After the values.
  void Log(DifferenceLog& log) const;

 private:
  void Match(const std::map<Pmid, SideMetric>& original,
             const std::map<Pmid, SideMetric>& replacement);
  void MatchIndoms();

  std::map<Pmid, MetricPair> pairs_;
  std::map<Pmid, Pmid> renumbered_;  // from the replacement's number
  std::map<Indom, Indom> renumbered_indoms_;
  Belongings metrics_;
  Belongings indoms_;
  Belongings domains_;
  Belongings clusters_;
  bool retyped_ = false;
  std::size_t undescribed_ = 0;
};

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_METRIC_PAIRS_H_
