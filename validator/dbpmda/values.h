// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DBPMDA_VALUES_H_
#define PMPROOF_VALIDATOR_DBPMDA_VALUES_H_

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/metric.h"
#include "reference/pmda/pdu/result_pdus.h"

namespace pmproof::agent_script {

// A value of a fetch as it is printed (PMD-405): by the type of its metric, or, where that is not
// known, as all that it may be.
std::string ValueText(const pdu::InstanceValue& value, pdu::ValueFormat format,
                      std::optional<MetricType> type);

// A value that a text stands for (PMD-409), and how it is printed.
struct StoreValue {
  pdu::ValueFormat format = pdu::ValueFormat::kInsitu;
  std::uint32_t word = 0;
  std::vector<std::uint8_t> body{};
  std::string text{};

  // Holds as long as this.
  pdu::InstanceValue At(std::int32_t instance, MetricType type) const {
    return {.instance = instance, .word = word, .type = type, .body = body};
  }
};

// The error is a line for the user.
tl::expected<StoreValue, std::string> ParseStoreValue(const std::string& text, MetricType type);

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_DBPMDA_VALUES_H_
