// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DBPMDA_PRINT_RESULT_H_
#define PMPROOF_VALIDATOR_DBPMDA_PRINT_RESULT_H_

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "reference/core/metric.h"
#include "reference/pmda/names/name_tree.h"
#include "reference/pmda/pdu/result_pdus.h"

namespace pmproof::agent_script {

// What is known of the metrics of a fetch.
struct ResultContext {
  bool of_dso = false;  // is dumped by another function than a daemon's answer (PMD-416)
  const pmda::NameTree& names;
  std::vector<Descriptor> descriptors{};  // of its sets, as far as they are known
  // Empty: instances are not named.
  std::function<std::string(Indom, std::int32_t)> instance_name{};
};

// Prints all of a fetch (PMD-405).
void PrintResult(const pdu::Result& result, const ResultContext& context, std::ostream& out);

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_DBPMDA_PRINT_RESULT_H_
