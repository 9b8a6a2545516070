// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_ANSWER_ORDER_H_
#define PMPROOF_REFERENCE_DERIVED_ANSWER_ORDER_H_

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "reference/derived/operand_values.h"
#include "reference/replay/replay.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::derived {

// The order in which PCP answers the instances of a domain (INT-409). It shows in what depends on
// positions: scalar(), ternaries, sums of floating values.
class AnswerOrder {
 public:
  explicit AnswerOrder(const replay::ReplayDomain& domain);

  // Appends `values`, which ascend and are of candidates of the domain, in that order. Cheap where
  // they are of the same instances as the latest ones.
  void Append(std::span<const replay::InstanceAnswer> values, std::vector<Pair>* pairs);

 private:
  void Arrange(std::span<const replay::InstanceAnswer> values);

  std::unordered_map<std::int32_t, std::uint32_t> ranks_;  // of the candidates
  std::vector<std::int32_t> latest_;                       // instances
  std::vector<std::uint32_t> sequence_;                    // of their positions
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_ANSWER_ORDER_H_
