// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_TESTING_FAKE_VALUES_H_
#define PMPROOF_VALIDATOR_COLLECTOR_TESTING_FAKE_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference/pmda/pdu/result_builder.h"
#include "reference/pmda/pdu/session_pdus.h"

// The values of the agents whose metadata fake_agents.h has.

namespace pmproof::validator::collector {

class FakeValues {
 public:
  explicit FakeValues(std::string version) : version_(std::move(version)) {}

  // A fetch of these begins: simple.numfetch counts it.
  void OnFetch(const std::vector<Pmid>& pmids);
  // Adds the value set of a metric of any domain but a stub agent's. `clients`: how many there are.
  void Add(Pmid pmid, const pdu::Profile& profile, std::size_t clients,
           pdu::ResultBuilder* builder) const;
  // simple.numfetch can be stored; the code to answer.
  ErrorCode Store(const pdu::Result& store, bool read_only);

 private:
  std::string version_;
  std::uint32_t numfetch_ = 0;
};

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_TESTING_FAKE_VALUES_H_
