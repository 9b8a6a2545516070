// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_DOMAIN_PAIR_H_
#define PMPROOF_VALIDATOR_AGAINST_DOMAIN_PAIR_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/archive/indom_record.h"
#include "reference/archive/instance_domain.h"
#include "reference/core/identifiers.h"
#include "validator/against/difference_log.h"
#include "validator/against/in_force.h"
#include "validator/against/side.h"

namespace pmproof::validator::against {

// One instance domain on both sides. An instance is the same that has the same number and the same
// name. Time is linear in the bytes of the records, times a logarithm.
class DomainPair final : public InForce {
 public:
  using Records = std::vector<const archive::IndomRecord*>;  // in the order in which they are read

  // `log` and the records outlive this.
  DomainPair(Indom indom, const Records& original, const Records& replacement, DifferenceLog& log);

  // The name of an instance at `time`, which does not go back: in the original, or else on the
  // other side. Nobody is taken to have looked.
  std::optional<std::string_view> NameAt(std::int32_t id, Timestamp time);

  // Logs instances that are listed at any time on one side alone, and that nothing was said of.
  // After End().
  void LogNeverSeen();

 private:
  struct State {
    archive::InstanceDomain domain;
    archive::InstanceCursor cursor;
    explicit State(const Records& records) : domain(records), cursor(domain) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
  };

  void AdvanceTo(Timestamp time) override;
  void Advance(State& state, Timestamp time);
  void Log(std::int32_t item, const Mismatch& mismatch, Timestamp first, Timestamp last);
  void LogOnlyIn(const State& has, const State& lacks, Change change);

  Indom indom_;
  DifferenceLog& log_;
  State original_;
  State replacement_;
  std::vector<std::int32_t> changed_;  // by the steps that are taken at a time
};

// The records of each domain of a side. `in_original` gives the number of a domain in the original.
template <typename InOriginal>
std::map<Indom, DomainPair::Records> CollectDomains(const Side& side, InOriginal&& in_original) {
  std::map<Indom, DomainPair::Records> domains;
  for (const SideMember& member : side.members()) {
    for (const archive::IndomRecord& record : member.opened.metadata.indoms) {
      domains[in_original(record.indom)].push_back(&record);
    }
  }
  return domains;
}

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_DOMAIN_PAIR_H_
