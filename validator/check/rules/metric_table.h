// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_METRIC_TABLE_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_METRIC_TABLE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "reference/archive/instance_domain.h"
#include "reference/archive/metadata.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"

namespace pmproof::validator {

// What the checks of values need to know of the metadata: the descriptor of each metric (the first
// one of a PMID counts, ARC-307) and the instance domains through time. Built once, then only read,
// so that several threads may share it. Points into `metadata`, which must outlive it.
class MetricTable {
 public:
  MetricTable(const archive::Metadata& metadata, bool complete);

  const Descriptor* Find(Pmid pmid) const {
    const auto found = metrics_.find(pmid);
    return found == metrics_.end() ? nullptr : &found->second.descriptor;
  }

  // A metric for people: "m.cnt (29.0.1)", or the identifier alone where there is no name.
  std::string Show(Pmid pmid) const;

  // Nothing if no record of the domain is in the archive.
  const archive::InstanceDomain* FindDomain(Indom indom) const {
    const auto found = domains_.find(indom);
    return found == domains_.end() ? nullptr : &found->second;
  }

  // False if metadata may be missing: that something is not in here proves nothing then.
  bool complete() const { return complete_; }

  std::size_t metric_count() const { return metrics_.size(); }
  std::size_t domain_count() const { return domains_.size(); }

 private:
  struct Known {
    Descriptor descriptor;
    std::optional<std::string_view> name{};  // the first one
  };

  std::unordered_map<Pmid, Known> metrics_;
  std::map<Indom, archive::InstanceDomain> domains_;
  bool complete_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_METRIC_TABLE_H_
