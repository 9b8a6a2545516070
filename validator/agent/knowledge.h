// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_KNOWLEDGE_H_
#define PMPROOF_VALIDATOR_AGENT_KNOWLEDGE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/metric.h"
#include "reference/pmda/names/name_tree.h"
#include "validator/agent/session.h"
#include "validator/agent/subject.h"
#include "validator/protocol_check/verdict.h"

namespace pmproof::validator::agent {

struct KnownInstance {
  std::int32_t number = 0;
  std::string name{};
};

struct KnownMetric {
  std::string name{};  // empty where only the PMID is known
  Pmid pmid{};
  Descriptor descriptor{};
  bool dynamic = false;  // its name came from the agent (PMNS_TRAVERSE)
  // Of the fetch made to get to know it: numval, and the bits of a singular 32-bit value.
  std::int32_t numval = 0;

  // "simple.color (253.0.1)", "253.0.1"
  std::string ToText() const;
};

// What is known of an agent before it is checked. It was asked politely; what it answered wrongly
// is not here, and the checks find out for themselves. A value; the same for all checks.
struct Knowledge {
  enum class Source : std::uint8_t {
    kNothing,   // nothing was found
    kPmnsFile,  // --pmns
    kTraverse,  // PMNS_TRAVERSE
    kScan,      // DESC_REQ of one PMID after the other
  };

  Source source = Source::kNothing;
  std::uint32_t domain = 0;
  bool domain_known = false;
  std::vector<KnownMetric> metrics{};  // with a descriptor, in the order they were found
  // Asked for whose descriptor the agent gave neither one nor an ERROR; without a descriptor.
  std::vector<KnownMetric> misdescribed{};
  // Of --pmns, whose descriptor the agent answered with an ERROR; of its own names CKA-103 tells.
  std::vector<std::string> unknown{};
  std::map<Indom, std::vector<KnownInstance>> instances{};  // of every indom that a metric has
  std::vector<std::string> names{};    // of the agent's own name space (dynamic names)
  std::string root{};                  // whose PMNS_TRAVERSE gave them
  std::uint16_t flags = 0;             // of its CREDS
  std::vector<std::string> remarks{};  // what a report says about how all this came about

  const KnownMetric* Find(Pmid pmid) const;
  // For which a store is allowed (--store).
  std::vector<Pmid> storable{};
  bool MayStore(Pmid pmid) const;

  // M: a singular metric with a value, of a type that fits into a probe; NotChecked: there is none.
  VerdictOr<const KnownMetric*> Singular() const;
  // V: a metric of an instance domain with at least so many instances, and that many values.
  VerdictOr<const KnownMetric*> Instanced(std::size_t instances = 1) const;
  // X, Y: of the agent's domain, and not in use as far as is known.
  VerdictOr<Pmid> UnusedPmid() const;
  VerdictOr<Indom> UnusedIndom() const;
  // Not checked where no metric is known at all.
  VerdictOr<void> AnyMetric() const;
};

struct Discovery {
  std::optional<std::uint32_t> domain{};  // --domain
  const pmda::NameTree* names = nullptr;  // --pmns
  bool names_of_domain_0 = false;         // and its domain 0 stands for the agent's
  std::vector<std::string> roots{};       // --root: names to traverse from
  std::vector<std::string> stores{};      // --store: metric names, PMIDs, "all"
};

// The agent's domain, as far as it can be known before it is asked.
std::uint32_t LikelyDomain(const Discovery& discovery);

class LifeSigns;

// Learns what it can over sessions of its own, the first of which is `met`. The error: when it was
// first asked something the agent ended or said nothing, and so do others (`life_signs`), whatever
// they are asked (exit status 3).
VerdictOr<Knowledge> Learn(const Subject& subject, const Discovery& discovery, Session met,
                           LifeSigns* life_signs, ExchangeLog* log);

// The same with an agent that it starts. The error may also be that it cannot be started, or does
// not get through the handshake.
VerdictOr<Knowledge> Discover(const Subject& subject, const Discovery& discovery, ExchangeLog* log);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_KNOWLEDGE_H_
