// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_REPLAY_ASKED_H_
#define PMPROOF_VALIDATOR_REPLAY_ASKED_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/derived/derived_context.h"
#include "reference/replay/instance_profile.h"
#include "reference/replay/replay.h"
#include "validator/replay/answer_writer.h"

namespace pmproof::validator {

// The metrics and instances of a command, found in an archive and among its derived metrics. Views
// the archive.
class Asked {
 public:
  // `derived` may be null: there are none.
  Asked(const replay::ReplayArchive& archive, derived::DerivedContext* derived,
        const std::vector<std::string>& metrics, const std::vector<std::string>& instances);

  // As the command names them; of unknown ones the descriptor means nothing.
  const std::vector<AskedMetric>& metrics() const { return metrics_; }

  // Those that can be answered, each once, and the instances asked for.
  const std::vector<Pmid>& known() const { return known_; }
  // The operands of each of them that is derived; of others none.
  const std::vector<std::vector<Pmid>>& operands() const { return operands_; }
  bool HasDerived() const { return has_derived_; }
  const replay::InstanceProfile& instances() const { return instances_; }

  // "NAME: why", for each that cannot be fetched.
  std::vector<std::string> RefusalTexts() const;

  // True if an answer to known() is one to metrics() as it is.
  bool IsAnsweredByKnown() const;
  // The answer to known() as one to metrics(): those that cannot be fetched say why (PM_ERR_NAME,
  // PM_ERR_INST; PM_ERR_PMID of a definition that does not bind).
  replay::FetchAnswer Complete(const replay::FetchAnswer& fetch) const;
  // Likewise; what cannot be fetched does not deviate.
  Deviations Complete(const Deviations& deviations) const;

 private:
  // The identifier and the description of a derived metric; nothing if there is none, or, with a
  // refusal, if it does not bind.
  std::optional<Pmid> FindDerived(const std::string& name, derived::DerivedContext* derived,
                                  AskedMetric* asked, replay::MetricAnswer* refusal) const;
  const replay::InstanceNames* NamesOf(const replay::ReplayArchive& archive, Indom indom);
  void Narrow(Indom indom, const std::vector<std::string>& instances);

  std::vector<AskedMetric> metrics_;
  std::vector<std::optional<std::size_t>> positions_;  // of each metric: in known_
  std::vector<replay::MetricAnswer> refusals_;         // of each metric that has no position
  std::vector<Pmid> known_;
  std::vector<std::vector<Pmid>> operands_;  // of each in known_
  bool has_derived_ = false;
  std::map<Indom, replay::InstanceNames> names_;
  std::map<Indom, bool> narrowed_;  // whether the domain has one of the instances
  replay::InstanceProfile instances_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_ASKED_H_
