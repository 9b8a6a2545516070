#ifndef PMPROOF_REFERENCE_DERIVED_ANSWER_ORDER_H_
#define PMPROOF_REFERENCE_DERIVED_ANSWER_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reference/derived/operand_values.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::derived {

// The order in which PCP answers the instances of a domain (INT-409). It shows in what depends on
// positions: scalar(), ternaries, sums of floating values. A value.
class AnswerOrder {
 public:
  explicit AnswerOrder(const replay::ReplayDomain& domain);

  // Of pairs whose instances are candidates of the domain.
  void Sort(std::vector<Pair>* pairs) const;

 private:
  std::unordered_map<std::int32_t, std::size_t> ranks_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_ANSWER_ORDER_H_
